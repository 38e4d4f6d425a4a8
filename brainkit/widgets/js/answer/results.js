/** A trace fused under a request's settings, collapsed, cut and explained. The twin of `results.py`. */
import { cut, fuse, RETRIEVERS, retrieversFor, sides } from "../fuse/fuse.js";
import { collapse } from "./collapse.js";
import { explain } from "./explain.js";
import { general } from "./format.js";
import { noticesOf } from "./notices.js";

/** @typedef {import("../types.js").Request} Request */
/** @typedef {import("../types.js").Trace} Trace */
/** @typedef {import("../types.js").Retriever} Retriever */
/** @typedef {import("../types.js").Candidate} Candidate */
/** @typedef {import("../types.js").Fused} Fused */

/**
 * @param {Trace} trace
 * @param {Request} asked
 * @param {[from: number, to: number]} [part] of the ranking, where that is not the top_k asked for
 * @returns {import("../types.js").Answer}
 */
export function resultsOf(trace, asked, part = [0, asked.top_k]) {
  const { request, lists, before, fused, groups } = ranking(trace, asked);
  const { candidates, raw } = indexed(trace);
  const used = retrieversFor(request);
  const bounds = boundsOf(lists, raw, request);
  const ranks = ranksOf(lists);
  const notices = noticesOf(trace, asked, { request, lists, before, raw });
  let top = groups.slice(...part);
  const kept = top.filter(([best]) => best && candidates.get(best.id)?.passes);
  if (kept.length < top.length) {
    notices.push({
      kind: "starved",
      message:
        `${top.length - kept.length} of the top ${top.length} were dropped by filters after ` +
        "retrieval; filter_stage='pre' filters first and fills them up.",
    });
    top = kept;
  }
  const results = top.map((group, position) => {
    const [best, ...others] = /** @type {[Fused, ...Fused[]]} */ (group);
    const candidate = /** @type {Candidate} */ (candidates.get(best.id));
    /** @type {Partial<Record<Retriever, number>>} */
    const own = {};
    for (const name of RETRIEVERS) {
      const rank = ranks[name]?.get(best.id);
      if (rank !== undefined) own[name] = rank;
    }
    const was = before.indexOf(best.id) + 1;
    const score = raw.rerank?.get(best.id) ?? null;
    const move = was === 0 || score === null ? null : { score, before: was, after: fused.indexOf(best) + 1 };
    return {
      rank: part[0] + position + 1,
      score: best.score,
      candidate,
      vector_score: used.includes("vector") ? candidate.vector : null,
      bm25_score: used.includes("bm25") ? candidate.bm25 : null,
      graph_score: used.includes("graph") ? candidate.graph : null,
      rerank_score: move && score,
      fused: best,
      ranks: own,
      collapsed: /** @type {Candidate[]} */ (others.map((other) => candidates.get(other.id))),
      explanation: explain({ candidate, fused: best, ranks: own, bounds, request, trace, move }),
    };
  });
  return { results, candidates: fused.length, notices };
}

/**
 * The whole ranking, beyond top_k: chunk_ids of what would be results, best first.
 *
 * @param {Trace} trace
 * @param {Request} asked
 * @returns {string[]}
 */
export function standing(trace, asked) {
  const { candidates } = indexed(trace);
  return ranking(trace, asked).groups.flatMap(([best]) => {
    const candidate = best && candidates.get(best.id);
    return candidate?.passes ? [candidate.chunk_id] : [];
  });
}

/** `before` are the ids that were for the reranker, in fused order. @typedef {{request: Request, lists: import("../fuse/fuse.js").Lists, before: number[], fused: Fused[], groups: Fused[][]}} Ranking */
/** The last of each trace: its results, its standing and its reasons are asked for one by one. @type {WeakMap<Trace, [Request, Ranking]>} */
const last = new WeakMap();

/**
 * @param {Trace} trace
 * @param {Request} asked never changed, but replaced
 * @returns {Ranking}
 */
function ranking(trace, asked) {
  const known = last.get(trace);
  if (known?.[0] === asked) return known[1];
  const request = answeredAs(trace, asked);
  const { candidates, raw } = indexed(trace);
  const lists = countedLists(trace, request);
  const fused = fuse(lists, raw, request);
  const plain = request.rerank ? fuse(lists, raw, { ...request, rerank: false }) : [];
  const before = plain.slice(0, request.rerank_depth).map((one) => one.id);
  const made = { request, lists, before, fused, groups: collapse(fused, candidates, request.collapse) };
  last.set(trace, [asked, made]);
  return made;
}

/**
 * The request that is answered: graph mode that found nothing becomes vector mode.
 *
 * @param {Trace} trace
 * @param {Request} request
 * @returns {Request}
 */
export function answeredAs(trace, request) {
  const empty = trace.lists.graph?.hits.length === 0;
  return request.mode === "graph" && empty ? { ...request, mode: "vector" } : request;
}

/**
 * @param {Trace} trace
 * @param {Request} request
 * @returns {import("../fuse/fuse.js").Lists} the hits that count, by retriever that is used
 */
export function countedLists(trace, request) {
  /** @type {import("../fuse/fuse.js").Lists} */
  const used = {};
  for (const name of retrieversFor(request)) {
    const ranked = trace.lists[name];
    if (ranked !== undefined) used[name] = ranked.hits;
  }
  return cut(used, request);
}

/**
 * What a re-fusion under `request` would need that the trace does not hold, in words; null if
 * nothing is missing. Settings that decide what was retrieved count as missing when they differ.
 *
 * @param {Trace} trace
 * @param {Request} request
 * @returns {string | null}
 */
export function missing(trace, request) {
  const names = /** @type {(keyof Request)[]} */ (Object.keys(request));
  for (const name of names.filter((n) => !FUSION.test(n))) {
    if (JSON.stringify(request[name]) !== JSON.stringify(trace.request[name])) {
      return `${name} changed: it needs a new query`;
    }
  }
  const used = retrieversFor(answeredAs(trace, request));
  for (const name of used) {
    const ranked = trace.lists[name];
    if (ranked === undefined) return `the ${name} retriever was not run for this answer`;
    if (request.depth > ranked.depth && ranked.depth === ranked.hits.length) {
      return `the ${name} list was fetched to depth ${ranked.depth}`;
    }
  }
  if (request.rerank && !trace.reranked) return "no reranker was run for this answer";
  const least = trace.request.similarity_threshold;
  if (used.includes("vector") && request.similarity_threshold < least) {
    return `the vector list was cut at similarity ${general(least)}`;
  }
  return null;
}

/** All that can differ between answers from one trace, as REFUSABLE in trace.py. */
const FUSION =
  /^(mode|top_k|alpha|depth|rrf_k|weights|normalize|collapse|rerank.*|.*threshold)$/;

/** @type {WeakMap<Trace, {candidates: Map<number, Candidate>, raw: import("../fuse/fuse.js").Raw}>} */
const known = new WeakMap();

/**
 * Candidates and raw scores by order, made once per trace: a slider asks sixty times a second.
 *
 * @param {Trace} trace
 */
function indexed(trace) {
  let index = known.get(trace);
  if (index === undefined) {
    index = { candidates: new Map(trace.candidates.map((c) => [c.order, c])), raw: {} };
    for (const name of /** @type {const} */ ([...RETRIEVERS, "rerank"])) {
      /** @type {Map<number, number>} */
      const scores = new Map();
      for (const candidate of trace.candidates) {
        const score = candidate[name];
        if (score != null) scores.set(candidate.order, score);
      }
      index.raw[name] = scores;
    }
    known.set(trace, index);
  }
  return index;
}

/** @param {import("../fuse/fuse.js").Lists} lists */
function ranksOf(lists) {
  /** @type {Partial<Record<Retriever, Map<number, number>>>} */
  const ranks = {};
  for (const name of RETRIEVERS) {
    const hits = lists[name];
    if (hits !== undefined) ranks[name] = new Map(hits.map(([id], i) => [id, i + 1]));
  }
  return ranks;
}

/**
 * @param {import("../fuse/fuse.js").Lists} lists
 * @param {import("../fuse/fuse.js").Raw} raw
 * @param {Request} request
 */
function boundsOf(lists, raw, request) {
  /** @type {Partial<Record<Retriever, [number, number]>>} */
  const bounds = {};
  if (request.mode !== "hybrid") return bounds;
  const scores = sides(lists, raw, request);
  for (const name of RETRIEVERS) {
    const side = scores[name];
    if (side === undefined) continue;
    const floor = name === "vector" ? request.similarity_threshold : 0;
    let [low, high] = [Infinity, -Infinity];
    for (const score of side.values()) {
      const counted = score >= floor ? score : 0;
      if (counted < low) low = counted;
      if (counted > high) high = counted;
    }
    bounds[name] = side.size > 0 ? [low, high] : [0, 0];
  }
  return bounds;
}
