import { bestFirst } from "./blend.js";

/** @typedef {import("../types.js").Retriever} Retriever */

/**
 * Multi mode: score = sum of w / (rrf_k + rank), rank from 1. The twin of `brainkit/fuse/rrf.py`.
 *
 * @param {[Retriever, number[]][]} lists ids best first, in the order their votes are added
 * @param {number} rrfK
 * @param {Record<Retriever, number>} weights 0 equals leaving the list out
 * @returns {import("../types.js").Fused[]} best first, ties by id
 */
export function rrf(lists, rrfK, weights) {
  /** @type {Map<number, import("../types.js").Fused>} */
  const fused = new Map();
  for (const [name, ids] of lists) {
    const weight = weights[name];
    if (weight === 0) continue;
    ids.forEach((id, position) => {
      const rank = position + 1; // first: rrfK + position rounds, if rrfK is no whole number
      const vote = weight / (rrfK + rank);
      const one = fused.get(id);
      if (one === undefined) {
        fused.set(id, { id, score: vote, parts: [[name, vote]] });
      } else {
        one.score += vote;
        one.parts.push([name, vote]);
      }
    });
  }
  return [...fused.values()].sort(bestFirst);
}
