/** @typedef {import("../types.js").Fused} Fused */

/**
 * The first `depth` of a ranking by a reranker's scores, the rest behind them. The twin of
 * `brainkit/fuse/reorder.py`.
 *
 * @param {Fused[]} fused best first
 * @param {Map<number, number>} scores by id; those without one come after those with one
 * @param {number} depth beyond it no score counts
 * @returns {Fused[]} equal scores in id order
 */
export function reorder(fused, scores, depth) {
  const top = fused.slice(0, depth);
  const at = (/** @type {Fused} */ { id }) => scores.get(id) ?? NaN;
  const read = top.filter((one) => scores.has(one.id)).sort((a, b) => at(b) - at(a) || a.id - b.id);
  return [...read, ...fused.filter((one) => !read.includes(one))];
}
