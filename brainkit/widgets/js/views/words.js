/** What the view says about modes and retrievers: once, so that every piece says the same. */

/** @type {Record<import("../types.js").Retriever, string>} */
export const SCORE_NAME = { vector: "similarity", bm25: "BM25", graph: "graph" };

/** @type {Record<import("../types.js").Retriever, string>} */
export const SIDE_NAME = { vector: "meaning", bm25: "keywords", graph: "relations" };

/**
 * The seed's guidance on when to use which mode.
 *
 * @type {Record<import("../types.js").Mode, {name: string, what: string, when: string}>}
 */
export const MODES = {
  vector: {
    name: "Vector",
    what: "Ranks by cosine similarity of embeddings.",
    when: "Conceptual questions and explanations: “how does X work”.",
  },
  bm25: {
    name: "BM25",
    what: "Ranks by the question's own words, rare ones counting more.",
    when: "Exact terms, symbols and function names, error messages.",
  },
  hybrid: {
    name: "Hybrid",
    what: "Blends similarity and BM25 by alpha.",
    when: "General search, or unsure which to use.",
  },
  graph: {
    name: "Graph",
    what: "Walks relations from what the question names.",
    when: "Relationships and call chains: “what uses X”.",
  },
  multi: {
    name: "Multi",
    what: "Adds up votes by rank (RRF) over all retrievers.",
    when: "Maximum recall: research, when nothing may be missed.",
  },
};

/** The seed's guide to alpha: the nearest of these. @type {[number, string][]} */
const ALPHA_GUIDE = [
  [0, "pure keyword search"],
  [0.3, "suits technical documentation"],
  [0.5, "balanced"],
  [0.7, "suits conceptual queries"],
  [1, "pure semantic search"],
];

/** @param {number} alpha */
export function alphaGuide(alpha) {
  if (alpha > 0 && alpha < 0.15) return "almost only keywords";
  if (alpha < 1 && alpha > 0.85) return "almost only meaning";
  let best = ALPHA_GUIDE[0];
  for (const entry of ALPHA_GUIDE) {
    if (best === undefined || Math.abs(entry[0] - alpha) < Math.abs(best[0] - alpha)) best = entry;
  }
  return best?.[1] ?? "";
}

/**
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export function count(n, one, many = `${one}s`) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

/** @param {number} ms */
export function milliseconds(ms) {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
