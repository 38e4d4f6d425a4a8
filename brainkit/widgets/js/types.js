/**
 * The interface of the front end: what a view holds, what its host supplies, what it reports.
 * Types only; see README.md for how they are used.
 *
 * A **view** is JSON that Python makes (`brainkit/widgets/view.py`) and `render` draws. A **host**
 * is what lives around the page: nothing in a saved report, the kernel in the explorer.
 */

/** @typedef {"vector" | "bm25" | "hybrid" | "graph" | "multi"} Mode */
/** @typedef {"vector" | "bm25" | "graph"} Retriever */
/** @typedef {"max" | "minmax" | "none"} Normalize */
/** @typedef {"none" | "overlap" | "source"} Collapse */

/**
 * Every setting of an answer, as Python's QueryRequest.
 *
 * @typedef {object} Request
 * @property {string} query
 * @property {Mode} mode
 * @property {number} top_k
 * @property {number} alpha
 * @property {number} similarity_threshold
 * @property {number} depth
 * @property {number} rrf_k
 * @property {Record<Retriever, number>} weights
 * @property {Normalize} normalize
 * @property {Collapse} collapse
 * @property {string[] | null} source_types
 * @property {string[] | null} languages
 * @property {string[] | null} file_paths
 * @property {"pre" | "post"} filter_stage
 * @property {number} bm25_k1
 * @property {number} bm25_b
 * @property {number} traversal_depth
 * @property {string[] | null} entity_types
 * @property {string[] | null} relationship_types
 * @property {string} graph_scorer
 * @property {boolean} rerank
 * @property {number} rerank_depth
 */

/**
 * What one retriever found, best first: `[order, score]`; the rank is the position, from 1.
 *
 * @typedef {object} Ranked
 * @property {number} depth
 * @property {[number, number][]} hits
 * @property {string | null} reason why it is empty
 */

/**
 * A chunk that some retriever listed. `order` names it and is the tie order.
 *
 * @typedef {object} Candidate
 * @property {number} order
 * @property {string} chunk_id
 * @property {string} source
 * @property {number} start_line
 * @property {number} end_line
 * @property {string} source_type
 * @property {string | null} language
 * @property {string} text
 * @property {number} chars characters of the whole text; more than `text` has if it was cut
 * @property {string} about symbol, heading path, title or page, for people; may be empty
 * @property {number[]} marks UTF-16 offsets of the query's terms in `text`: start, end, start, ...
 * @property {number | null} vector
 * @property {number | null} bm25
 * @property {number | null} graph
 * @property {[string, number, number][]} terms `[term, contribution, count]` in query order. Pairs
 *     and not an object, whose integer-like keys ("2024") JavaScript would move to the front.
 * @property {number | null} length terms in the chunk
 * @property {[string, number, string][]} graph_parts `[name, value, arithmetic]`
 * @property {string[]} entities
 * @property {GraphStep[]} path
 * @property {number | null} [rerank] a reranker's score; absent in older outputs
 * @property {boolean} passes false if the request's filters refuse it (`filter_stage: "post"`)
 */

/** @typedef {{token: string, term: string | null, dropped: string | null, documents: number | null, idf: number | null}} QueryTerm */
/** @typedef {{kind: string, message: string}} Notice */
/** @typedef {{name: string, value: number, arithmetic: string}} Part */
/** @typedef {[subject: string, predicate: string, object: string, forward: boolean]} GraphStep as stored, and which way it was walked */
/** @typedef {{id: number, name: string, kinds: string[], hops: number, weight: number, hub: boolean, capped: number}} GraphEntity */
/** @typedef {{subject: number, predicate: string, object: number}} GraphEdge */

/**
 * The walk of graph mode, as Python's GraphTrace.
 *
 * @typedef {object} GraphTrace
 * @property {string} scorer
 * @property {{text: string, entities: string[], reason: string | null}[]} links
 * @property {string | null} asked
 * @property {GraphEntity[]} entities
 * @property {GraphEdge[]} edges
 * @property {number} reached
 * @property {boolean} capped
 * @property {Notice[]} notices
 */

/**
 * Everything needed to fuse again. Candidates are in ascending `order`.
 *
 * @typedef {object} Trace
 * @property {string} generation
 * @property {Request} request what the trace was made with
 * @property {Partial<Record<Retriever, Ranked>>} lists
 * @property {Candidate[]} candidates
 * @property {QueryTerm[]} terms
 * @property {number} total_chunks
 * @property {number} allowed_chunks
 * @property {number | null} average_length
 * @property {number} k1
 * @property {number} b
 * @property {GraphTrace | null} graph
 * @property {{reranker: string, depth: number, scored: number, withheld: number[], notices: Notice[]} | null} [reranked]
 * @property {Notice[]} notices
 * @property {object | null} [corpus] what was searched, as Python's Corpus; reports say it
 */

/**
 * An answer, or one piece of it: `kind` names what is drawn (see `PIECES` in index.js).
 *
 * @typedef {object} View
 * @property {1} schema
 * @property {string} kind
 * @property {Request} request the settings to show first
 * @property {Trace | null} trace null before the first query
 * @property {Record<string, number>} timings_ms by stage
 * @property {number | null} query_time_ms
 * @property {string | null} selected chunk_id of the result that is explained; null for the first
 * @property {string | null} error why there is no answer
 * @property {string[]} [whole] chunk_ids whose texts a report keeps whole
 * @property {Record<string, number>} labels grade 0-3 by chunk_id
 * @property {Partial<Record<string, [string, number][]>>} [choices] what filters can be set to, by
 *     filter, and how much there is of it
 * @property {string[]} [history] earlier questions, the newest first
 * @property {{request: Request, trace: Trace | null}} [other] side B of a comparison; without a
 *     trace it is answered from A's
 * @property {MapData | null} [map] where chunks lie in two dimensions. A map without a question has
 *     null as its `request`, too, which only pieces with a trace read.
 */

/**
 * The nearest neighbours in all dimensions, a list for each point: their points, most similar
 * first; similarity in thousandths; and bit i for whether the i-th is among the nearest here, too.
 *
 * @typedef {{rows: number[][], similar: number[][], kept: number[]}} Near
 */

/**
 * A map, as columns: entry i is of point i. `order` links a point to the trace's candidates.
 *
 * @typedef {object} MapData
 * @property {"pca" | "axes"} projection
 * @property {"source_type" | "file"} color what colours and shapes stand for at first
 * @property {[string, string]} axes what each axis is
 * @property {[number, number] | null} shares of the variance; null where axes are similarities
 * @property {number} agreement mean number of neighbours that are near here, too
 * @property {string} summary
 * @property {number} total chunks in the brain
 * @property {[source: string, kind: string][]} files
 * @property {number[]} order
 * @property {number[]} file index into `files`
 * @property {[start: number, end: number][]} lines
 * @property {string[]} about
 * @property {string[]} text the beginning of each
 * @property {[x: number, y: number][]} places
 * @property {Near} near
 * @property {{text: string, place: [number, number], near: Near} | null} query
 */

/**
 * What the page around a view can do. Every member is optional: without a host the view still
 * fuses, explains and draws, and what would need a kernel is not offered.
 *
 * @typedef {object} Host
 * @property {(request: Request) => Promise<Partial<View>>} [query] ask the kernel; the answer has at
 *     least `trace` and `request`. One call is in flight at a time, and of those that wait the
 *     newest goes next. A rejection's message is shown in the view.
 * @property {(request: Request, settled: boolean) => void} [changed] a setting moved;
 *     `settled` is false while a slider is dragged. Called before any `query`.
 * @property {(request: Request, settled: boolean) => void} [changedOther] as `changed`, of a
 *     comparison's side B
 * @property {(chunkId: string | null) => void} [selected] another result is explained
 * @property {(chunkId: string) => Promise<Neighbourhood>} [open] the whole chunk and its neighbours
 * @property {(chunkId: string, grade: number | null) => Promise<void>} [label] keep a grade 0-3;
 *     null takes it back
 * @property {(request: Request) => Promise<[number, number]>} [count] how many chunks the filters
 *     let through, of how many
 * @property {() => Promise<string>} [save] write the answer as a page; where it is
 * @property {(listener: (patch: Partial<View>) => void) => () => void} [subscribe] hear of changes
 *     from outside (a trait set in Python); returns how to stop. A patch is drawn, not reported.
 */

/** @typedef {{before: string, text: string, after: string}} Neighbourhood */

/**
 * One fused candidate; `parts` are its summands by retriever, in the order they were added.
 *
 * @typedef {{id: number, score: number, parts: [Retriever, number][]}} Fused
 */

/**
 * One result, as Python's QueryResult, with what a view wants to know besides.
 *
 * @typedef {object} Result
 * @property {number} rank
 * @property {number} score
 * @property {Candidate} candidate
 * @property {number | null} vector_score
 * @property {number | null} bm25_score
 * @property {number | null} graph_score
 * @property {number | null} rerank_score
 * @property {Fused} fused
 * @property {Partial<Record<Retriever, number>>} ranks in each list that counts
 * @property {Candidate[]} collapsed
 * @property {Explanation} explanation
 */

/** @typedef {{score: number, before: number, after: number}} Move what a reranker did */
/** @typedef {{mode: Mode, score: number, parts: Part[], sentence: string, move: Move | null}} Explanation */
/** @typedef {{results: Result[], candidates: number, notices: Notice[]}} Answer */

export {};
