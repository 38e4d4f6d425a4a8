/**
 * Bring one side's scores to 0-1 before the blend. The twin of `brainkit/fuse/normalize.py`.
 *
 * @param {Map<number, number>} scores raw score of every candidate on one side
 * @param {import("../types.js").Normalize} how
 * @returns {Map<number, number>} a negative score counts 0; all 0 if the maximum is not above 0
 */
export function normalize(scores, how) {
  /** @type {Map<number, number>} */
  const positive = new Map();
  let low = Infinity;
  let high = 0;
  for (const [id, score] of scores) {
    const value = score > 0 ? score : 0;
    positive.set(id, value);
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (high <= 0 || how === "none") return positive;
  for (const [id, value] of positive) {
    if (how === "max") positive.set(id, value / high);
    else positive.set(id, low === high ? 1 : (value - low) / (high - low));
  }
  return positive;
}
