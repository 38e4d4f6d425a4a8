/** What the reader of an answer should know. The twin of what `search.py` and `results.py` say. */
import { retrieversFor } from "../fuse/fuse.js";
import { general } from "./format.js";

/** @typedef {import("../types.js").Request} Request */
/** @typedef {import("../types.js").Trace} Trace */
/** @typedef {import("../types.js").Notice} Notice */
/** @typedef {import("../fuse/fuse.js").Lists} Lists */
/** @typedef {import("../fuse/fuse.js").Raw} Raw */

/** Notice of candidates that a new query would have reranked. */
const FAILED = "rerank-failed";
export const UNREAD = "rerank-unread";

/**
 * @param {Trace} trace
 * @param {Request} asked
 * @param {{request: Request, lists: Lists, before: number[], raw: Raw}} ranking as it was answered
 * @returns {Notice[]}
 */
export function noticesOf(trace, asked, { request, lists, before, raw }) {
  const notices = [...trace.notices];
  if (retrieversFor(asked).includes("graph")) notices.push(...(trace.graph?.notices ?? []));
  if (request !== asked) {
    const message = `graph: ${trace.lists.graph?.reason}; vector search answered instead.`;
    notices.push({ kind: "fallback", message });
  }
  notices.push(...emptyLists(trace, request, lists), ...(asked.rerank ? rerankNotices(trace, before, raw) : []));
  return notices;
}

/**
 * @param {Trace} trace
 * @param {Request} request
 * @param {Lists} lists
 * @returns {Notice[]}
 */
function emptyLists(trace, request, lists) {
  return retrieversFor(request).flatMap((name) => {
    if (lists[name] === undefined || lists[name].length > 0) return [];
    const given = trace.lists[name]?.reason ?? null;
    const reason = given === null || given === tooDissimilar(trace.request) ? tooDissimilar(request) : given;
    return [{ kind: `empty-${name}`, message: `${name}: ${reason}.` }];
  });
}

/** @param {Request} request */
function tooDissimilar({ similarity_threshold: least }) {
  return `no chunk has a similarity above 0${least ? ` and at least ${general(least)}` : ""}`;
}

/**
 * @param {Trace} trace
 * @param {number[]} before
 * @param {Raw} raw
 * @returns {Notice[]}
 */
function rerankNotices({ reranked }, before, raw) {
  if (!reranked) return [];
  const scored = raw.rerank ?? new Map();
  const failed = reranked.notices.some((notice) => notice.kind === FAILED);
  const read = new Set([...scored.keys(), ...reranked.withheld]);
  const unread = before.filter((id) => !read.has(id)).length;
  const message =
    `rerank: ${unread} of the first ${before.length} were not read by the reranker under the settings of ` +
    "this trace, and come after those that were; a new query has them read.";
  return [...reranked.notices, ...(unread && !failed ? [{ kind: UNREAD, message }] : [])];
}
