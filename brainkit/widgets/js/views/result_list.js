import { place } from "../answer/format.js";
import { fill, h, say } from "../dom/el.js";
import { resultRow } from "./result_row.js";
import { count } from "./words.js";

/** @typedef {import("./state.js").State} State */

/**
 * The results, best first, with notices above and what dropped out below.
 *
 * @param {State} state
 * @returns {{node: HTMLElement, stop: () => void}}
 */
export function resultList(state) {
  const list = h("ol", "results");
  const empty = h("p", "empty");
  const gone = h("p", "gone");
  /** @type {Map<number, ReturnType<typeof resultRow>>} */
  const rows = new Map();
  /** @type {WeakMap<Element, () => void>} */
  const laidOut = new WeakMap();
  const watch = new ResizeObserver((entries) => entries.forEach((entry) => laidOut.get(entry.target)?.()));
  let { trace } = state;
  state.listen(() => {
    if (state.trace !== trace) {
      rows.clear();
      watch.disconnect();
      trace = state.trace;
      list.replaceChildren();
    }
    const { results } = state.answer;
    const best = Math.max(0, ...results.map((one) => one.score)); // reranked, it need not be the first
    results.forEach((result, position) => {
      const { order } = result.candidate;
      let row = rows.get(order);
      if (row === undefined) {
        rows.set(order, (row = resultRow(state, result)));
        row.node.addEventListener("pointerenter", () => state.point(order));
        row.node.addEventListener("pointerleave", () => state.point(null));
        laidOut.set(row.text, row.laidOut);
        watch.observe(row.text);
      }
      row.update(result, best);
      row.node.classList.toggle("pointed", state.pointed === order);
      const here = list.children[position] ?? null;
      if (here !== row.node) list.insertBefore(row.node, here);
    });
    while (list.childElementCount > results.length) list.lastElementChild?.remove();
    empty.hidden = results.length > 0;
    say(empty, emptyReason(state));
    gone.hidden = state.gone.length === 0;
    const left = state.gone.map((result) => `${place(result.candidate)} (was ${result.rank})`);
    say(gone, `No longer in the top ${state.request.top_k}: ${left.join(", ")}`);
  });
  const node = h("section", { class: "list", "aria-label": "Results" }, list, empty, gone);
  return { node, stop: () => watch.disconnect() };
}

/** @param {State} state */
function emptyReason(state) {
  if (state.trace === null) return state.busy ? "Asking…" : "Ask a question to begin.";
  return "No results: no retriever found evidence for this question under these settings.";
}

/**
 * What the reader should know: an error first, then what could not be done, then notices.
 *
 * @param {State} state
 */
export function notices(state) {
  const node = h("div", { class: "notices", "aria-live": "polite" });
  let drawn = "";
  state.listen(() => {
    const wanted = [
      ...(state.error === null ? [] : [["error", state.error]]),
      ...(state.refused === null ? [] : [["notice", `This needs a running kernel: ${state.refused}.`]]),
      ...state.answer.notices.map((notice) => ["notice", notice.message]),
    ];
    const key = JSON.stringify(wanted);
    if (key === drawn) return;
    drawn = key;
    fill(
      node,
      wanted.map(([kind, message = ""]) =>
        h("p", { class: kind ?? "", role: kind === "error" ? "alert" : null }, h("b", {}, kind === "error" ? "Error" : "Note"), ` ${message}`),
      ),
    );
  });
  return node;
}

/**
 * One line: how many of how many, by what, in which time.
 *
 * @param {State} state
 */
export function summary(state) {
  const node = h("p", "summary");
  state.listen(() => {
    const { answer, trace, view } = state;
    if (trace === null) {
      say(node, "");
      return;
    }
    const searched =
      trace.allowed_chunks === trace.total_chunks
        ? count(trace.total_chunks, "chunk")
        : `${trace.allowed_chunks.toLocaleString("en")} of ${count(trace.total_chunks, "chunk")}`;
    const time = view.query_time_ms === null ? "" : ` · ${view.query_time_ms.toFixed(1)} ms`;
    say(node, `${answer.results.length} of ${count(answer.candidates, "candidate")} · ${searched}${time}`);
  });
  return node;
}
