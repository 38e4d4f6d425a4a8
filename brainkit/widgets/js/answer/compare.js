/** Two answers to one question: what both show, what only one, and how it moves. The twin of `comparison.py`. */
import { place } from "./format.js";
import { resultsOf, standing } from "./results.js";

/** @typedef {import("../types.js").Candidate} Candidate */
/** @typedef {import("../types.js").Result} Result */
/** @typedef {import("../types.js").Request} Request */
/** @typedef {import("../types.js").Trace} Trace */

/**
 * One chunk that A or B shows. Ranks are of the whole ranking and go on beyond top_k; null where
 * it is no candidate. `move` is how far B ranks it higher.
 *
 * @typedef {{id: string, where: "both" | "a" | "b", candidate: Candidate, ranks: [number | null, number | null], move: number | null}} Compared
 */

/**
 * One side: what it shows, and the chunk_ids of its whole ranking.
 *
 * @typedef {{results: Result[], standing: Map<string, number>}} Side
 */

/**
 * @param {Trace} trace
 * @param {Request} request
 * @param {Result[]} results as `resultsOf` gives them
 * @returns {Side}
 */
export function side(trace, request, results) {
  return { results, standing: new Map(standing(trace, request).map((id, i) => [id, i + 1])) };
}

/**
 * Every chunk that A or B shows: by its better rank, A's before B's of the same.
 *
 * @param {Side} a
 * @param {Side} b
 * @returns {Compared[]}
 */
export function compared(a, b) {
  /** @type {Map<string, {rank: number, first: number, candidate: Candidate, in: Set<number>}>} */
  const shown = new Map();
  [a, b].forEach((one, at) => {
    for (const { rank, candidate } of one.results) {
      const known = shown.get(candidate.chunk_id);
      if (known === undefined) shown.set(candidate.chunk_id, { rank, first: at, candidate, in: new Set([at]) });
      else {
        known.in.add(at);
        if (rank < known.rank) [known.rank, known.first] = [rank, at];
      }
    }
  });
  return [...shown]
    .sort(([, x], [, y]) => x.rank - y.rank || x.first - y.first)
    .map(([id, { candidate, in: sides }]) => {
      const [first = null, second = null] = [a.standing.get(id), b.standing.get(id)];
      return {
        id,
        where: sides.size === 2 ? "both" : sides.has(0) ? "a" : "b",
        candidate,
        ranks: [first, second],
        move: first === null || second === null ? null : first - second,
      };
    });
}

/**
 * @param {Compared[]} rows
 * @param {Side} a
 * @param {Side} b
 */
export function summary(rows, a, b) {
  if (rows.length === 0) return "Neither side has results.";
  const shared = rows.filter((row) => row.where === "both");
  const onlyA = rows.filter((row) => row.where === "a").length;
  const onlyB = rows.length - shared.length - onlyA;
  const counts = `${shared.length} shared, ${onlyA} only in A, ${onlyB} only in B`;
  const up = shared.filter((row) => (row.move ?? 0) > 0).length;
  const down = shared.filter((row) => (row.move ?? 0) < 0).length;
  if (shared.length === rows.length && up + down === 0) return `${counts}: the same results in the same order.`;
  const told = `. Of the shared, B ranks ${up} higher, ${down} lower and ${shared.length - up - down} the same`;
  return `${counts}${shared.length > 0 ? told : ""}. ${leader(a.results[0], b.results[0])}`;
}

/** @param {Result | undefined} first @param {Result | undefined} other */
function leader(first, other) {
  if (first === undefined || other === undefined) return `Only ${first === undefined ? "B" : "A"} has results.`;
  const [one, two] = [first.candidate, other.candidate];
  return one.chunk_id === two.chunk_id ? `Both put ${place(one)} first.` : `A puts ${place(one)} first, B ${place(two)}.`;
}

/**
 * What a chunk would be as a result, also beyond top_k; null where it is no candidate.
 *
 * @param {Trace} trace
 * @param {Request} request
 * @param {string} id chunk_id
 * @param {Side} side
 */
export function resultAt(trace, request, id, side) {
  /** @param {Result[]} results */
  const among = (results) => results.find((one) => one.candidate.chunk_id === id) ?? null;
  const rank = side.standing.get(id);
  if (rank === undefined) return null;
  // Where filters drop some of the ranking, its rank is counted among those that are left.
  const from = request.filter_stage === "post" ? 0 : rank - 1;
  return among(side.results) ?? among(resultsOf(trace, request, [from, from === 0 ? Infinity : rank]).results);
}
