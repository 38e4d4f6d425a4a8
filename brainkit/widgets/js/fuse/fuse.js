/**
 * Fusion as a pure function of (what was retrieved, settings). The twin of `brainkit/fuse/`: float64,
 * added in the order vector, bm25, graph, ties by id, so that both give the same bits.
 */
import { blend } from "./blend.js";
import { reorder } from "./reorder.js";
import { rrf } from "./rrf.js";

/** @typedef {import("../types.js").Retriever} Retriever */
/** @typedef {import("../types.js").Fused} Fused */
/** @typedef {Pick<import("../types.js").Request, "mode" | "alpha" | "normalize" | "similarity_threshold" | "depth" | "rrf_k" | "weights" | "rerank" | "rerank_depth">} Settings */
/** @typedef {Partial<Record<Retriever, [number, number][]>>} Lists ids and raw scores, best first */
/** @typedef {Partial<Record<Retriever | "rerank", Map<number, number>>>} Raw raw score of every candidate, by side, and what a reranker gave */

/** The one order in which contributions are added up. @type {readonly Retriever[]} */
export const RETRIEVERS = ["vector", "bm25", "graph"];

/**
 * @param {Settings} request
 * @returns {Retriever[]} the retrievers that an answer needs, in the fixed order
 */
export function retrieversFor(request) {
  if (request.mode === "hybrid") {
    return RETRIEVERS.filter(
      (name) => (name === "vector" && request.alpha > 0) || (name === "bm25" && 1 - request.alpha > 0),
    );
  }
  if (request.mode === "multi") return RETRIEVERS.filter((name) => request.weights[name] > 0);
  return [request.mode];
}

/**
 * @param {Lists} lists
 * @param {Settings} request
 * @returns {Lists} the hits of each list that count: similarities of at least the threshold, to depth
 */
export function cut(lists, request) {
  /** @type {Lists} */
  const counted = {};
  for (const name of RETRIEVERS) {
    const hits = lists[name];
    if (hits === undefined) continue;
    const least = name === "vector" ? request.similarity_threshold : -Infinity;
    counted[name] = hits.filter((hit) => hit[1] >= least).slice(0, request.depth);
  }
  return counted;
}

/**
 * @param {Lists} lists
 * @param {Raw} raw read in hybrid mode, where a candidate without a score counts 0, and to rerank
 * @param {Settings} request
 * @returns {Fused[]} best first, ties in id order; single modes keep their raw score
 */
export function fuse(lists, raw, request) {
  const fused = plain(lists, raw, request);
  return request.rerank ? reorder(fused, raw.rerank ?? new Map(), request.rerank_depth) : fused;
}

/**
 * @param {Lists} lists
 * @param {Raw} raw
 * @param {Settings} request
 * @returns {Fused[]}
 */
function plain(lists, raw, request) {
  const counted = cut(lists, request);
  switch (request.mode) {
    case "hybrid": {
      const scores = sides(counted, raw, request);
      return blend(scores.vector ?? new Map(), scores.bm25 ?? new Map(), request);
    }
    case "multi": {
      /** @type {[Retriever, number[]][]} */
      const ranked = [];
      for (const name of RETRIEVERS) {
        const hits = counted[name];
        if (hits !== undefined) ranked.push([name, hits.map((hit) => hit[0])]);
      }
      return rrf(ranked, request.rrf_k, request.weights);
    }
    default: {
      const name = request.mode;
      return (counted[name] ?? []).map(([id, score]) => ({ id, score, parts: [[name, score]] }));
    }
  }
}

/**
 * @param {Lists} lists as `cut` leaves them
 * @param {Raw} raw
 * @param {Settings} request
 * @returns {Raw} the raw score of every hybrid candidate on each side of weight above 0
 */
export function sides(lists, raw, request) {
  const used = retrieversFor({ ...request, mode: "hybrid" });
  const ids = new Set(used.flatMap((name) => (lists[name] ?? []).map((hit) => hit[0])));
  /** @type {Raw} */
  const scores = {};
  for (const name of used) {
    const known = raw[name];
    scores[name] = new Map([...ids].map((id) => [id, known?.get(id) ?? 0]));
  }
  return scores;
}
