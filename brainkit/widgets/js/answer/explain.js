/** Why a result is where it is. The twin of `brainkit/explain.py`: same parts, same words. */
import { byCodePoint, fixed, general, ordinal } from "./format.js";

/** @typedef {import("../types.js").Retriever} Retriever */
/** @typedef {import("../types.js").Part} Part */
/** @typedef {import("../types.js").Candidate} Candidate */
/**
 * One fused candidate and the settings that fused it; `bounds` are the least and largest score of
 * each hybrid side over the candidates, as they count.
 *
 * @typedef {object} Facts
 * @property {Candidate} candidate
 * @property {import("../types.js").Fused} fused
 * @property {Partial<Record<Retriever, number>>} ranks
 * @property {Partial<Record<Retriever, [number, number]>>} bounds
 * @property {import("../types.js").Request} request
 * @property {import("../types.js").Trace} trace
 * @property {import("../types.js").Move | null} move
 */

const SIDE = { vector: "meaning", bm25: "keywords", graph: "relations" };
const SCORE = { vector: "similarity", bm25: "BM25", graph: "graph score" };

/**
 * @param {Facts} facts
 * @returns {import("../types.js").Explanation}
 */
export function explain(facts) {
  const { move, request: { mode } } = facts;
  return { mode, score: facts.fused.score, parts: PARTS[mode](facts), sentence: sentence(facts) + moved(facts), move };
}

/** @type {Record<import("../types.js").Mode, (facts: Facts) => Part[]>} */
const PARTS = {
  vector: ({ fused }) => [
    { name: "vector", value: fused.score, arithmetic: `cosine similarity ${fixed(fused.score, 4)}` },
  ],
  graph: ({ candidate }) => graphParts(candidate),
  bm25: ({ candidate, trace }) => termParts(candidate, trace),
  hybrid,
  multi,
};

/**
 * What each term of the query adds to a candidate's BM25 score.
 *
 * @param {Candidate} candidate
 * @param {import("../types.js").Trace} trace
 * @returns {Part[]}
 */
export function termParts(candidate, trace) {
  const idf = new Map(trace.terms.map((term) => [term.term, term.idf]));
  const { k1, b } = trace;
  return candidate.terms.map(([term, value, f]) => {
    const times = trace.terms.filter((asked) => asked.term === term).length;
    const once =
      `idf ${fixed(idf.get(term) ?? 0, 4)} * ${f} * ${general(k1 + 1)} / (${f} + ${general(k1)} * ` +
      `(1 - ${general(b)} + ${general(b)} * ${candidate.length} / ${fixed(trace.average_length ?? 0, 2)}))`;
    return { name: term, value, arithmetic: times > 1 ? `${times} * ${once}` : once };
  });
}

/**
 * What each entity that a chunk holds adds to its graph score.
 *
 * @param {Candidate} candidate
 * @returns {Part[]}
 */
export function graphParts(candidate) {
  return candidate.graph_parts.map(([name, value, arithmetic]) => ({ name, value, arithmetic }));
}

/**
 * @param {Facts} facts
 * @returns {Part[]}
 */
function hybrid(facts) {
  const { alpha } = facts.request;
  return facts.fused.parts.map(([name, value]) => ({
    name,
    value,
    arithmetic: `${general(name === "vector" ? alpha : 1 - alpha)} * ${normalized(facts, name)}`,
  }));
}

/**
 * @param {Facts} facts
 * @param {Retriever} name
 */
function normalized({ candidate, bounds, request }, name) {
  const raw = candidate[name];
  const [low, high] = bounds[name] ?? [0, 0];
  let why = "";
  if (raw === null) {
    why = " (no vector to compare)";
  } else if (name === "vector" && raw < request.similarity_threshold) {
    const least = general(request.similarity_threshold);
    why = ` (similarity ${fixed(raw, 4)} is below ${least} and counts 0)`;
  }
  const score = fixed(why || raw === null ? 0 : raw, 6);
  if (request.normalize === "none") return score + why;
  if (high <= 0) return `0${why}`;
  if (request.normalize === "max") return `${score} / ${fixed(high, 6)}${why}`;
  if (low === high) return "1";
  return `(${score} - ${fixed(low, 6)}) / (${fixed(high, 6)} - ${fixed(low, 6)})${why}`;
}

/**
 * @param {Facts} facts
 * @returns {Part[]}
 */
function multi({ fused, ranks, request }) {
  return fused.parts.map(([name, value]) => ({
    name,
    value,
    arithmetic: `${general(request.weights[name])} / (${general(request.rrf_k)} + ${ranks[name]})`,
  }));
}

/** @param {Facts} facts */
function sentence({ candidate, fused, ranks }) {
  const clauses = fused.parts.map(([name]) => {
    const raw = candidate[name];
    const score = raw === null ? "no vector" : `${SCORE[name]} ${fixed(raw, 3)}`;
    const rank = ranks[name];
    const found = rank === undefined ? `not in the ${SIDE[name]} list` : `${ordinal(rank)} by ${SIDE[name]}`;
    return `${found} (${score}${words(candidate, name)})`;
  });
  const text = clauses.join(" and ");
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** @param {Facts} facts */
function moved({ move, request }) {
  if (!request.rerank) return "";
  if (!move) return " Not read by the reranker.";
  const { score, before, after } = move;
  const way = before === after ? `kept ${ordinal(after)}` : `moved from ${before} to ${after}`;
  return ` Reranking ${way} (score ${fixed(score, 3)}).`;
}

/**
 * @param {Candidate} candidate
 * @param {Retriever} name
 */
function words(candidate, name) {
  if (name === "graph") {
    const path = pathOf(candidate);
    return path.length > 0 ? `: ${path.join(", then ")}` : "";
  }
  if (name !== "bm25" || candidate.terms.length === 0) return "";
  const best = [...candidate.terms].sort((a, b) => b[1] - a[1] || byCodePoint(a[0], b[0])).slice(0, 3);
  return `: ${best.map(([term, value]) => `${term} ${fixed(value, 2)}`).join(", ")}`;
}

/**
 * The relations that lead to a candidate, one hop each; one that needs no hop mentions what the
 * question names.
 *
 * @param {Candidate} candidate
 * @returns {string[]}
 */
export function pathOf({ entities, path, source }) {
  if (path.length > 0) return path.map(([subject, predicate, object]) => `${subject} -> ${predicate} -> ${object}`);
  return entities[0] === undefined ? [] : [`${source} -> mentions -> ${entities[0]}`];
}
