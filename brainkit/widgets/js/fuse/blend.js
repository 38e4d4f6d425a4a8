import { normalize as normalized } from "./normalize.js";

/** @typedef {import("../types.js").Fused} Fused */

/**
 * Hybrid mode: score = alpha * v + (1 - alpha) * b. The twin of `brainkit/fuse/alpha.py`.
 *
 * @param {Map<number, number>} vector raw similarity of every candidate; unread at alpha 0
 * @param {Map<number, number>} bm25 raw BM25 score of every candidate; unread at alpha 1
 * @param {{alpha: number, normalize: import("../types.js").Normalize, similarity_threshold: number}} settings
 * @returns {Fused[]} best first, ties by id; without those that have no positive raw evidence
 */
export function blend(vector, bm25, settings) {
  const { alpha, normalize } = settings;
  /** @type {Map<number, number>} */
  const similar = new Map();
  for (const [id, score] of vector) {
    similar.set(id, score >= settings.similarity_threshold ? score : 0);
  }
  /** @type {Fused[]} */
  const fused = [];
  if (alpha === 1 || alpha === 0) {
    const [name, raw] = alpha === 1 ? /** @type {const} */ (["vector", similar]) : /** @type {const} */ (["bm25", bm25]);
    for (const [id, score] of normalized(raw, normalize)) {
      if (at(raw, id) > 0) fused.push({ id, score, parts: [[name, score]] });
    }
  } else {
    const v = normalized(similar, normalize);
    const b = normalized(bm25, normalize);
    for (const id of v.keys()) {
      if (at(similar, id) > 0 || at(bm25, id) > 0) {
        const left = alpha * at(v, id);
        const right = (1 - alpha) * at(b, id);
        fused.push({ id, score: left + right, parts: [["vector", left], ["bm25", right]] });
      }
    }
  }
  return fused.sort(bestFirst);
}

/**
 * The one tie rule: score descending, then id ascending.
 *
 * @param {Fused} a
 * @param {Fused} b
 */
export function bestFirst(a, b) {
  return b.score - a.score || a.id - b.id;
}

/**
 * @param {Map<number, number>} scores
 * @param {number} id
 */
function at(scores, id) {
  return scores.get(id) ?? 0;
}
