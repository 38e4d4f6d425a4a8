/**
 * The way back from how a report stores its views: the twin of `brainkit/report/packed.py`.
 *
 * Chunks that several answers list are stored once per file; a view says which, how much of the
 * text it shows, and its own numbers. What a row leaves out at its end has its default.
 */

/** @typedef {import("../types.js").Candidate} Candidate */
/** @typedef {import("../types.js").Trace} Trace */
/** @typedef {import("../types.js").View} View */
/** @typedef {[chunk_id: string, source: string, start: number, end: number, type: string, language: string | null, about: string, chars: number, text: string]} Chunk */

const MARK = "~";

/**
 * @param {any} packed
 * @param {{chunks: Chunk[], words: string[]}} shared
 * @returns {View}
 */
export function unpacked(packed, { chunks, words }) {
  const { trace, other, ...rest } = long(packed, words);
  const view = { ...rest, trace: traceOf(trace, chunks) };
  if (other !== undefined) view.other = { ...other, trace: traceOf(other.trace, chunks) };
  return view;
}

/**
 * Texts for their numbers, and rows with their names.
 *
 * @param {any} value
 * @param {string[]} words
 * @returns {any}
 */
function long(value, words) {
  if (typeof value === "string") {
    if (value[0] !== MARK) return value;
    return value[1] === MARK ? value.slice(1) : words[Number(value.slice(1))];
  }
  if (Array.isArray(value)) return value.map((one) => long(one, words));
  if (value === null || typeof value !== "object") return value;
  if (!(MARK in value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, long(inner, words)]));
  return value.rows.map((/** @type {any[]} */ row) => Object.fromEntries(row.map((one, at) => [value[MARK][at], long(one, words)])));
}

/**
 * @param {any} packed
 * @param {Chunk[]} chunks
 * @returns {Trace | null}
 */
function traceOf(packed, chunks) {
  if (packed === null) return null;
  const words = packed.terms.flatMap((/** @type {{term: string | null}} */ { term }) => (term === null ? [] : [term]));
  /** @type {Candidate[]} */
  const candidates = packed.candidates.map((/** @type {any[]} */ row) => candidate(row, chunks, words, packed.single));
  /** @type {Trace["lists"]} */
  const lists = {};
  for (const name of /** @type {const} */ (["vector", "bm25", "graph"])) {
    const list = packed.lists[name];
    if (list === undefined) continue;
    const hits = list.at.map((/** @type {number} */ at, /** @type {number} */ i) => {
      const one = /** @type {Candidate} */ (candidates[at]);
      return [one.order, list.scores === null ? one[name] : list.scores[i]];
    });
    lists[name] = { depth: list.depth, hits, reason: list.reason };
  }
  const { single: _, ...rest } = packed;
  return { ...rest, lists, candidates };
}

/**
 * @param {any[]} row
 * @param {Chunk[]} chunks
 * @param {string[]} words
 * @param {boolean} single whether scores are of single precision, in the fewest digits
 * @returns {Candidate}
 */
function candidate(row, chunks, words, single) {
  const exact = (/** @type {number | null} */ score) => (single && score !== null ? Math.fround(score) : score);
  const [at, shown, order, vector = null, bm25 = null, flat = [], length = null, steps = []] = row;
  const [graph = null, parts = [], entities = [], path = [], passes = true, rerank = null] = row.slice(8);
  const [chunk_id, source, start_line, end_line, source_type, language, about, chars, text] = /** @type {Chunk} */ (chunks[at]);
  /** @type {Candidate["terms"]} */
  const terms = [];
  for (let i = 0; i < flat.length; i += 3) terms.push([words[flat[i]] ?? "", /** @type {number} */ (exact(flat[i + 1])), flat[i + 2]]);
  let end = 0;
  const marks = steps.map((/** @type {number} */ step) => (end += step));
  return {
    order, chunk_id, source, start_line, end_line, source_type, language, about, chars,
    text: text.slice(0, shown),
    marks, vector: exact(vector), bm25: exact(bm25), graph, length, entities, path, passes, rerank,
    terms,
    graph_parts: parts,
  };
}
