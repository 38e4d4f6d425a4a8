import { s } from "../dom/el.js";
import { general } from "../answer/format.js";
import { worth } from "./score.js";

/** @typedef {import("./types.js").Bm25View} Bm25View */
/** @typedef {import("./score.js").Setting} Setting */

const [LEFT, RIGHT, TOP, HEIGHT, BOTTOM] = [44, 16, 14, 230, 40];
const POINTS = 90;
const NAMED = 6; // with more chunks than these, names would hide each other
export const TERMS = 5; // with looks of their own; further ones share them
const MARK = 5;
const BESIDE = 13;

/**
 * Saturation: what each term adds by how often it is in a chunk of average length; the marks are the
 * chunks, off the curve as they are shorter or longer; dashed is what no count reaches.
 *
 * @param {Bm25View} view
 * @param {Setting} now
 * @param {Setting | null} before drawn as a shadow
 * @param {number} width
 */
export function curves(view, now, before, width) {
  const most = Math.max(1, ...view.chunks.flatMap((chunk) => chunk.counts)) + 1;
  const strongest = Math.max(...view.terms.map((term) => term.idf));
  const reached = Math.max(
    ...view.terms.flatMap((term) => [now, before ?? now].map((setting) => worth(term.idf, most, 1, setting))),
    ...view.chunks.flatMap((chunk) => view.terms.map((term, i) => worth(term.idf, chunk.counts[i] ?? 0, chunk.length / view.average, now))),
  );
  const limit = strongest * (now.k1 + 1);
  const top = Math.max(reached, Math.min(limit, reached * 1.7)) * 1.06;
  const x = (/** @type {number} */ f) => LEFT + (f / most) * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ value) => TOP + HEIGHT * (1 - value / top);
  const line = (/** @type {number} */ idf, /** @type {Setting} */ setting) =>
    Array.from({ length: POINTS + 1 }, (_, i) => (i * most) / POINTS)
      .map((f) => `${x(f).toFixed(1)},${Math.max(0, y(worth(idf, f, 1, setting))).toFixed(1)}`)
      .join(" ");
  const look = (/** @type {number} */ i) => `t${i % TERMS}`;
  return s(
    "svg",
    { width, height: TOP + HEIGHT + BOTTOM, role: "img", "aria-label": words(view, now) },
    ...ticks(top).flatMap((value) => [
      s("line", { class: "grid-line", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      s("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, general(value)),
    ]),
    ...counts(most).map((f) => s("text", { x: x(f), y: TOP + HEIGHT + 16, "text-anchor": "middle" }, String(f))),
    s("text", { x: LEFT + (width - LEFT - RIGHT) / 2, y: TOP + HEIGHT + 33, "text-anchor": "middle" }, "times the term is in the chunk"),
    ...view.terms.flatMap(({ idf }, i) => [
      ...(limit <= top || idf * (now.k1 + 1) <= top
        ? [s("line", { class: `limit ${look(i)}`, x1: LEFT, x2: width - RIGHT, y1: y(idf * (now.k1 + 1)), y2: y(idf * (now.k1 + 1)) })]
        : []),
      ...(before === null ? [] : [s("polyline", { class: `ghost ${look(i)}`, points: line(idf, before) })]),
      s("polyline", { class: `curve ${look(i)}`, points: line(idf, now) }),
    ]),
    ...marks(view, now, x, y),
  );
}

/**
 * @param {Bm25View} view
 * @param {Setting} now
 * @param {(f: number) => number} x
 * @param {(value: number) => number} y
 */
function marks(view, now, x, y) {
  const shapes = [];
  /** @type {Map<string, {names: Set<string>, terms: number[], at: [number, number]}>} */
  const named = new Map();
  const apart = view.chunks.length > NAMED ? 0 : BESIDE;
  for (const chunk of view.chunks) {
    for (const [i, { idf, term }] of view.terms.entries()) {
      const f = chunk.counts[i] ?? 0;
      if (f === 0) continue;
      const value = worth(idf, f, chunk.length / view.average, now);
      /** @type {[number, number]} */
      const at = [x(f), y(value)];
      const key = at.map((one) => Math.round(one / 4)).join();
      const here = named.get(key) ?? { names: new Set(), terms: [], at };
      here.names.add(chunk.name);
      if (!here.terms.includes(i)) here.terms.push(i);
      named.set(key, here);
      const left = at[0] + apart * here.terms.indexOf(i); // or terms of one idf would hide each other
      shapes.push(s("path", { class: `mark t${i % TERMS}`, d: shape(i), transform: `translate(${left.toFixed(1)} ${at[1].toFixed(1)})` }, s("title", {}, `${chunk.name}: ${term} ${f} times, ${value.toFixed(4)}`)));
    }
  }
  if (view.chunks.length > NAMED) return shapes;
  return [...shapes, ...[...named.values()].map(({ names, terms, at: [left, up] }) => s("text", { class: "named", x: left + apart * (terms.length - 1) + 10, y: up + 4 }, [...names].join(", ")))];
}

/** The mark of a term: its shape says the same as its colour. @param {number} i */
export function shape(i) {
  const r = MARK;
  return [
    `M ${-r} 0 A ${r} ${r} 0 1 0 ${r} 0 A ${r} ${r} 0 1 0 ${-r} 0 Z`,
    `M ${-r} ${-r} H ${r} V ${r} H ${-r} Z`,
    `M 0 ${-r - 2} L ${r + 2} 0 L 0 ${r + 2} L ${-r - 2} 0 Z`,
    `M 0 ${-r - 1} L ${r + 1} ${r} L ${-r - 1} ${r} Z`,
    `M ${-r} ${-r + 2} L ${-r + 2} ${-r} L 0 -2 L ${r - 2} ${-r} L ${r} ${-r + 2} L 2 0 L ${r} ${r - 2} L ${r - 2} ${r} L 0 2 L ${-r + 2} ${r} L ${-r} ${r - 2} L -2 0 Z`,
  ][i % TERMS];
}

/** @param {number} top */
function ticks(top) {
  const rough = top / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
}

/** @param {number} most */
function counts(most) {
  const step = Math.max(1, Math.ceil(most / 10));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

/** @param {Bm25View} view @param {Setting} now */
function words(view, { k1, b }) {
  const limits = view.terms.map(({ term, idf }) => `${term} stays below ${(idf * (k1 + 1)).toFixed(4)}`);
  return `What a term adds, by how often a chunk of average length has it, at k1 ${general(k1)} and b ${general(b)}: ${limits.join(", ")}.`;
}
