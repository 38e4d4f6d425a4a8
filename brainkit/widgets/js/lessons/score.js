/** @typedef {import("./types.js").Bm25View} Bm25View */
/** @typedef {{k1: number, b: number}} Setting */
/** @typedef {{at: number, name: string, parts: number[], score: number, rank: number}} Scored */

/**
 * What a term adds: idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length / average)).
 *
 * @param {number} idf
 * @param {number} f
 * @param {number} length in averages: 1 is a chunk of average length
 * @param {Setting} setting
 */
export function worth(idf, f, length, { k1, b }) {
  return f === 0 ? 0 : (idf * f * (k1 + 1)) / (f + k1 * (1 - b + b * length));
}

/**
 * Every chunk with its score, best first; equal scores in tie order.
 *
 * @param {Bm25View} view
 * @param {Setting} setting
 * @returns {Scored[]}
 */
export function ranked(view, setting) {
  const scored = view.chunks.map(({ name, length, counts }, at) => {
    const parts = view.terms.map(({ idf }, i) => worth(idf, counts[i] ?? 0, length / view.average, setting));
    return { at, name, parts, score: parts.reduce((sum, part) => sum + part, 0), rank: 0 };
  });
  scored.sort((one, other) => other.score - one.score || one.at - other.at);
  scored.forEach((one, i) => (one.rank = i + 1));
  return scored;
}
