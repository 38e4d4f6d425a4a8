/** @typedef {import("../types.js").Fused} Fused */

/**
 * Group candidates under the best one that they overlap, or share a source, with.
 *
 * @param {Fused[]} fused best first
 * @param {Map<number, import("../types.js").Candidate>} candidates
 * @param {import("../types.js").Collapse} how
 * @returns {Fused[][]} groups in the order of their best, which comes first in each
 */
export function collapse(fused, candidates, how) {
  if (how === "none") return fused.map((one) => [one]);
  /** @type {Map<string, Fused[][]>} */
  const bySource = new Map();
  /** @type {Fused[][]} */
  const order = [];
  for (const one of fused) {
    const chunk = candidates.get(one.id);
    if (chunk === undefined) continue;
    const groups = bySource.get(chunk.source) ?? [];
    bySource.set(chunk.source, groups);
    const home = groups.find(([first]) => {
      const best = first && candidates.get(first.id);
      if (best === undefined) return false;
      const apart = chunk.end_line < best.start_line || chunk.start_line > best.end_line;
      return how === "source" || !apart;
    });
    if (home !== undefined) {
      home.push(one);
    } else {
      groups.push([one]);
      order.push(/** @type {Fused[]} */ (groups.at(-1)));
    }
  }
  return order;
}
