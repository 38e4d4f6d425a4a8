import { graphParts, termParts } from "../answer/explain.js";
import { lines } from "../answer/format.js";
import { fill, h } from "../dom/el.js";
import { RETRIEVERS, retrieversFor } from "../fuse/fuse.js";
import { bar, swatch } from "./bar.js";
import { pathSentence, pathSteps } from "./graph_path.js";
import { histogram } from "./histogram.js";
import { SIDE_NAME } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../types.js").Result} Result */
/** @typedef {import("../types.js").Part} Part */
/** @typedef {import("../types.js").Retriever} Retriever */

/**
 * Why the chosen result is where it is: the sentence, the parts that sum to its score, and what
 * each side's score is made of.
 *
 * @param {State} state
 * @param {() => boolean} [isShown] it is drawn only then
 * @param {() => Result | null} [chosen] what to explain instead of the state's own choice
 * @returns {HTMLElement}
 */
export function scoreBreakdown(state, isShown, chosen = () => state.selected) {
  const [fusion, sides] = [h("div"), h("div")];
  const node = h("div", "breakdown", fusion, sides);
  let [drawnFusion, drawnSides] = ["", ""];
  state.listen(() => {
    const { request } = state;
    const selected = chosen();
    const now = JSON.stringify([selected?.candidate.chunk_id, selected?.rank, selected?.explanation]);
    if (now !== drawnFusion) {
      drawnFusion = now;
      fill(fusion, selected === null ? [h("p", "empty", "Choose a result to see why it is here.")] : fused(state, selected));
    }
    // What each side's score is made of stays as it is while alpha or k move.
    const own = [state.trace?.generation, request.query, request.similarity_threshold, ...retrieversFor(request)];
    const below = JSON.stringify([selected?.candidate.chunk_id, own]);
    if (below !== drawnSides) {
      drawnSides = below;
      fill(sides, selected === null ? [] : sidesOf(state, selected));
    }
  }, isShown);
  return node;
}

/** @param {State} state @param {Result} result */
function fused(state, result) {
  const { candidate, explanation } = result;
  const { mode } = state.request;
  const slash = candidate.source.lastIndexOf("/") + 1;
  const fusion = mode === "hybrid" ? "Blend" : mode === "multi" ? "Votes by rank" : null;
  return [
    h("h4", {}, h("span", "rank", result.rank), h("bdi", {}, candidate.source.slice(slash)), `:${lines(candidate)}`),
    h("p", "sentence", h("bdi", {}, explanation.sentence)),
    fusion && section(fusion, table(explanation.parts, explanation.score, (part) => part.name)),
  ];
}

/** @param {State} state @param {Result} result */
function sidesOf(state, { candidate, vector_score, bm25_score, graph_score }) {
  const { trace, request } = state;
  if (trace === null) return [];
  /** @type {(Node | false)[]} */
  const shown = [];
  if (bm25_score !== null && candidate.terms.length > 0) {
    const terms = termParts(candidate, trace);
    shown.push(section(`BM25 ${bm25_score.toFixed(4)}: the question's words`, table(terms, bm25_score, () => "bm25"), absent(state, candidate)));
  }
  if (vector_score !== null) {
    const values = trace.candidates.flatMap((one) => (one.vector === null ? [] : [one.vector]));
    shown.push(section(`Similarity ${vector_score.toFixed(4)} among the candidates`, histogram(values, vector_score, request.similarity_threshold)));
  }
  if (graph_score !== null && (candidate.graph_parts.length > 0 || candidate.path.length > 0)) {
    shown.push(
      section(
        `Graph score ${graph_score.toFixed(4)}: what it mentions`,
        candidate.graph_parts.length > 0 && table(graphParts(candidate), graph_score, () => "graph"),
        candidate.path.length > 0 && pathSteps(candidate.path),
        candidate.path.length > 0 && h("p", "hint", pathSentence(candidate.path)),
      ),
    );
  }
  return shown;
}

/** @param {State} state @param {import("../types.js").Candidate} candidate */
function absent(state, candidate) {
  const has = new Set(candidate.terms.map(([term]) => term));
  const lacking = (state.trace?.terms ?? []).flatMap(({ term }) => (term !== null && !has.has(term) ? [term] : []));
  return lacking.length > 0 && h("p", "hint", `Not in it: ${[...new Set(lacking)].join(", ")}.`);
}

/** @param {string} title @param {...(Node | false)} children */
function section(title, ...children) {
  return h("section", {}, h("h5", {}, title), ...children);
}

/**
 * Parts as rows: name, bar, value, arithmetic; the last row is their sum.
 *
 * @param {Part[]} rows
 * @param {number} sum
 * @param {(part: Part) => string} side
 */
function table(rows, sum, side) {
  const largest = Math.max(...rows.map((part) => part.value), 0);
  const digits = sum < 0.1 ? 6 : 4;
  const body = rows.flatMap((part) => {
    const name = /** @type {Retriever} */ (side(part));
    const isSide = RETRIEVERS.includes(name) && part.name === name;
    return [
      h(
        "tr",
        {},
        h("th", { scope: "row" }, isSide && swatch(name), h("bdi", {}, part.name), isSide && h("span", "dim", ` ${SIDE_NAME[name]}`)),
        h("td", "bars", bar([[name, part.value]], largest)),
        h("td", "n", part.value.toFixed(digits)),
      ),
      h("tr", "sum-of", h("td", { colspan: 3 }, h("bdi", {}, part.arithmetic))),
    ];
  });
  return h(
    "table",
    "parts",
    h("tbody", {}, ...body),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "sum"), h("td"), h("td", "n", sum.toFixed(digits)))),
  );
}
