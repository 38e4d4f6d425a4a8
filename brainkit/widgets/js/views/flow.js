import { countedLists } from "../answer/results.js";
import { fill, h } from "../dom/el.js";
import { RETRIEVERS, retrieversFor } from "../fuse/fuse.js";
import { swatch } from "./bar.js";
import { count, milliseconds, MODES, SIDE_NAME } from "./words.js";

/**
 * The query's way as a picture: stages in their order, with what is left and how long each took.
 *
 * @param {import("./state.js").State} state
 * @param {() => boolean} [isShown] it is drawn only then
 * @returns {HTMLElement}
 */
export function flow(state, isShown) {
  const node = h("ol", "flow");
  state.listen(() => fill(node, state.trace === null ? [] : stages(state, state.trace)), isShown);
  return node;
}

/** @param {import("./state.js").State} state @param {import("../types.js").Trace} trace */
function stages(state, trace) {
  const { request, answer, view } = state;
  const ms = view.timings_ms;
  const lists = countedLists(trace, request);
  const folded = answer.results.reduce((sum, result) => sum + result.collapsed.length, 0);
  const filtered = trace.allowed_chunks < trace.total_chunks;
  const used = new Set(retrieversFor(request));
  const legs = RETRIEVERS.map((name) => {
    const ranked = trace.lists[name];
    const hits = lists[name]?.length ?? 0;
    const idle = !used.has(name) || ranked === undefined;
    const found = idle ? "not used" : hits === 0 ? (ranked?.reason ?? "nothing found") : count(hits, "hit");
    return h(
      "li",
      { class: idle || hits === 0 ? "idle" : null },
      h("span", "name", swatch(name), name, h("span", "dim", ` ${SIDE_NAME[name]}`)),
      h("span", "n", found),
      h("span", "ms", ms[name] === undefined ? "" : milliseconds(ms[name])),
    );
  });
  const rule = request.mode === "hybrid" ? `alpha ${request.alpha.toFixed(2)}` : request.mode === "multi" ? `RRF, k ${request.rrf_k}` : "as it is";
  return [
    stage("Question", `${trace.terms.filter((t) => t.term !== null).length} terms`, ms["embed"], "embedding"),
    stage("Filter", filtered ? `${trace.allowed_chunks.toLocaleString("en")} of ${count(trace.total_chunks, "chunk")}` : `all ${count(trace.total_chunks, "chunk")}`, ms["filter"]),
    h("li", "stage split", h("ul", { "aria-label": "Retrievers" }, ...legs)),
    stage("Fuse", `${MODES[request.mode].name}: ${rule}`, ms["fuse"], "", count(answer.candidates, "candidate")),
    request.rerank && stage("Rerank", `${trace.reranked?.scored} read`, ms["rerank"], "", `by ${trace.reranked?.reranker}`),
    folded > 0 && stage("Collapse", `${folded} folded in`, undefined),
    stage("Return", count(answer.results.length, "result"), undefined, "", `of top_k ${request.top_k}`),
  ];
}

/**
 * @param {string} name
 * @param {string} what
 * @param {number | undefined} ms
 * @param {string} [doing] what took the time
 * @param {string} [more]
 */
function stage(name, what, ms, doing = "", more = "") {
  return h(
    "li",
    "stage",
    h("span", "name", name),
    h("span", "n", what),
    more !== "" && h("span", "n", more),
    h("span", "ms", ms === undefined ? "" : `${milliseconds(ms)}${doing && ` ${doing}`}`),
  );
}
