import { pythonCall } from "../answer/code.js";
import { h, say, sized } from "../dom/el.js";
import { alphaPicture } from "./alpha_picture.js";
import { flow } from "./flow.js";
import { graphPicture } from "./graph_path.js";
import { mapPicture } from "./map.js";
import { modePicker } from "./mode_picker.js";
import { queryBox } from "./query_box.js";
import { notices, resultList, summary } from "./result_list.js";
import { copyButton } from "./result_row.js";
import { rrfChart } from "./rrf_chart.js";
import { scoreBreakdown } from "./score_breakdown.js";
import { settings } from "./settings.js";
import { tabs } from "./tabs.js";

const BESIDE = 860; // CSS pixels; theme.css has the same border between one column and two

/**
 * A whole answer: question, settings, results, and beside them the reasons and pictures.
 *
 * @param {import("./state.js").State} state
 * @param {{asked?: (input: HTMLInputElement) => void, settings?: Node[], foot?: Node[]}} [more] what
 *     an explorer adds
 * @returns {{node: HTMLElement, stop: () => void}}
 */
export function answer(state, more = {}) {
  /** @param {string} name */
  const open = (name) => () => (panel === null ? name === "why" : panel.isOpen(name));
  /** @type {ReturnType<typeof tabs> | null} */
  let panel = null;
  const alpha = alphaPicture(state, open("alpha"));
  const map = mapPicture(state, open("map"));
  panel = tabs(
    [
      { name: "why", title: "Why here", node: scoreBreakdown(state, open("why")), offered: () => state.answer.results.length > 0 },
      { name: "alpha", title: "Alpha", node: alpha.node, offered: () => state.request.mode === "hybrid" },
      { name: "votes", title: "Votes", node: rrfChart(state, open("votes")), offered: () => state.request.mode === "multi" },
      { name: "graph", title: "Graph", node: graphPicture(state, open("graph")), offered: () => state.trace?.graph != null },
      { name: "map", title: "Map", node: map.node, offered: () => Boolean(state.view.map) },
      { name: "flow", title: "Flow", node: flow(state, open("flow")), offered: () => true },
    ],
    () => state.tell(),
  );
  const side = h("aside", { "aria-label": "Why and how" }, panel.node);
  const list = resultList(state);
  const panes = h("div", "panes", list.node, side);
  const node = h(
    "div",
    "answer",
    h("header", {}, queryBox(state, more.asked), summary(state)),
    h("div", "controls", modePicker(state), settings(state), ...(more.settings ?? [])),
    notices(state),
    panes,
    footer(state, more.foot ?? []),
  );
  let width = Infinity;
  const settle = () => {
    side.hidden = state.trace === null;
    panel?.update();
    // Where there is no room beside the list, the reasons open inside the result that was chosen.
    const inside = width < BESIDE && state.wasChosen ? panes.querySelector(".row.chosen .main") : null;
    const home = inside ?? panes;
    if (side.parentElement !== home) home.append(side);
  };
  state.listen(settle);
  const unwatch = sized(node, (now) => {
    width = now;
    settle();
  });
  return {
    node,
    stop: () => {
      unwatch();
      list.stop();
      alpha.stop();
      map.stop();
    },
  };
}

/** @param {import("./state.js").State} state @param {Node[]} more */
function footer(state, more) {
  const code = h("code", { tabindex: 0 });
  const node = h("footer", {}, code, copyButton("Copy as code", () => pythonCall(state.request)), ...more);
  state.listen(() => say(code, pythonCall(state.request)));
  return node;
}
