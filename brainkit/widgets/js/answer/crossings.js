/** Hybrid scores as lines in alpha, and where they cross. Pure. */
import { sides } from "../fuse/fuse.js";
import { normalize } from "../fuse/normalize.js";
import { countedLists } from "./results.js";

/** @typedef {import("../types.js").Trace} Trace */
/** @typedef {import("../types.js").Request} Request */
/**
 * A candidate's score is `alpha * v + (1 - alpha) * b`, a straight line from b to v.
 *
 * @typedef {{id: number, v: number, b: number}} Line
 */
/** @typedef {{alpha: number, up: Line, down: Line}} Crossing `up` is ahead above alpha, `down` below */

/**
 * The line of every hybrid candidate, for alpha between 0 and 1 but not at the ends, where one list
 * alone decides who is a candidate.
 *
 * @param {Trace} trace
 * @param {Request} request
 * @returns {Line[]} in id order
 */
export function linesOf(trace, request) {
  const inside = { ...request, mode: /** @type {const} */ ("hybrid"), alpha: 0.5 };
  /** @type {Partial<Record<import("../types.js").Retriever, Map<number, number>>>} */
  const raw = { vector: new Map(), bm25: new Map() };
  for (const candidate of trace.candidates) {
    if (candidate.vector !== null) raw.vector?.set(candidate.order, candidate.vector);
    if (candidate.bm25 !== null) raw.bm25?.set(candidate.order, candidate.bm25);
  }
  const scores = sides(countedLists(trace, inside), raw, inside);
  const similar = new Map([...(scores.vector ?? [])].map(([id, v]) => [id, v >= request.similarity_threshold ? v : 0]));
  const keyword = scores.bm25 ?? new Map();
  const v = normalize(similar, request.normalize);
  const b = normalize(keyword, request.normalize);
  return [...v.keys()]
    .filter((id) => (similar.get(id) ?? 0) > 0 || (keyword.get(id) ?? 0) > 0)
    .sort((left, right) => left - right)
    .map((id) => ({ id, v: v.get(id) ?? 0, b: b.get(id) ?? 0 }));
}

/**
 * @param {Line} line
 * @param {number} alpha
 */
export function heightAt(line, alpha) {
  return alpha * line.v + (1 - alpha) * line.b;
}

/**
 * The lines that are among the best `n` somewhere between 0 and 1, best first at `alpha`.
 *
 * @param {Line[]} lines
 * @param {number} n
 * @param {number} alpha
 * @returns {Line[]}
 */
export function contenders(lines, n, alpha) {
  const found = new Set();
  for (let step = 0; step <= 50; step++) {
    for (const line of ranked(lines, step / 50).slice(0, n)) found.add(line);
  }
  return ranked(lines, alpha).filter((line) => found.has(line));
}

/**
 * @param {Line[]} lines
 * @param {number} alpha
 */
export function ranked(lines, alpha) {
  return [...lines].sort((a, b) => heightAt(b, alpha) - heightAt(a, alpha) || a.id - b.id);
}

/**
 * Where two lines change places: a* = (bj - bi) / ((vi - vj) + (bj - bi)).
 *
 * @param {Line[]} lines
 * @returns {Crossing[]} by alpha, each strictly between 0 and 1
 */
export function crossings(lines) {
  /** @type {Crossing[]} */
  const found = [];
  lines.forEach((i, at) => {
    for (const j of lines.slice(at + 1)) {
      const rise = j.b - i.b;
      const alpha = rise / (i.v - j.v + rise);
      if (alpha > 0 && alpha < 1) {
        const [up, down] = i.v - i.b > j.v - j.b ? [i, j] : [j, i];
        found.push({ alpha, up, down });
      }
    }
  });
  return found.sort((a, b) => a.alpha - b.alpha || a.up.id - b.up.id);
}
