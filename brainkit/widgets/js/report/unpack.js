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

/**
 * @param {any} packed
 * @param {Chunk[]} chunks
 * @returns {View}
 */
export function unpacked(packed, chunks) {
  const { trace, other, ...rest } = packed;
  const view = { ...rest, trace: traceOf(trace, chunks) };
  if (other !== undefined) view.other = { ...other, trace: traceOf(other.trace, chunks) };
  return view;
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
  const candidates = packed.candidates.map((/** @type {any[]} */ row) => candidate(row, chunks, words));
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
  return { ...packed, lists, candidates };
}

/**
 * @param {any[]} row
 * @param {Chunk[]} chunks
 * @param {string[]} words
 * @returns {Candidate}
 */
function candidate(row, chunks, words) {
  const [at, shown, order, vector = null, bm25 = null, terms = [], length = null, marks = []] = row;
  const [graph = null, parts = [], entities = [], path = [], passes = true] = row.slice(8);
  const [chunk_id, source, start_line, end_line, source_type, language, about, chars, text] = /** @type {Chunk} */ (chunks[at]);
  return {
    order, chunk_id, source, start_line, end_line, source_type, language, about, chars,
    text: text.slice(0, shown),
    marks, vector, bm25, graph, length, entities, path, passes,
    terms: terms.map((/** @type {[number, number, number]} */ [word, value, count]) => [words[word] ?? "", value, count]),
    graph_parts: parts,
  };
}
