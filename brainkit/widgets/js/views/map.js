import { categories, keptWords, kindOf, neighboursOf, placeOf, QUESTION } from "../answer/map.js";
import { attribute, fill, h, quiet, say, sized } from "../dom/el.js";
import { mapPlot } from "./map_plot.js";
import { shape } from "./map_signs.js";
import { queryBox } from "./query_box.js";
import { notices, resultList, summary } from "./result_list.js";
import { choice } from "./slider.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../types.js").MapData} MapData */

/**
 * A map alone, or beside the results that it shows.
 *
 * @param {State} state
 */
export function mapView(state) {
  const map = mapPicture(state);
  if (state.trace === null) return { node: h("div", "answer", map.node), stop: map.stop };
  const list = resultList(state);
  const side = h("aside", { "aria-label": "Map" }, map.node);
  const node = h(
    "div",
    "answer",
    h("header", {}, queryBox(state), summary(state)),
    notices(state),
    h("div", "panes with-map", list.node, side),
  );
  return {
    node,
    stop: () => {
      map.stop();
      list.stop();
    },
  };
}

/**
 * Where chunks lie in two dimensions, and what that hides: of the one that is picked, the nearest
 * neighbours in all dimensions are marked, joined by lines, and told apart by whether they are near
 * here as well.
 *
 * @param {State} state
 * @param {() => boolean} [isShown] it is drawn only then
 */
export function mapPicture(state, isShown) {
  const color = choice({
    name: "color",
    hint: "What colours and shapes stand for.",
    choices: [["source_type", "source type"], ["file", "file"]],
    moved: (value) => {
      by = /** @type {MapData["color"]} */ (value);
      draw();
    },
  });
  const plot = h("div", "plot");
  const legend = h("ul", "key");
  const detail = h("div", { class: "picked", "aria-live": "polite" });
  const caption = h("figcaption");
  const node = h("figure", "map", h("div", "fields", color.node, legend), plot, caption, detail);
  /** @type {MapData | null} */
  let data = null;
  let [width, by, picked, drawnFor] = [0, /** @type {MapData["color"]} */ ("source_type"), QUESTION, ""];
  /** What someone chose in the list: the question is picked until then. */
  const inList = () => (state.wasChosen ? state.chosen : null);
  let chosen = inList();
  /** @type {ReturnType<typeof mapPlot> | null} */
  let drawn = null;

  /** @param {number} point @param {boolean} [decided] clicked, not passed on the way */
  const pick = (point, decided = false) => {
    picked = point;
    const order = data?.order[point];
    const isResult = state.answer.results.some((result) => result.candidate.order === order);
    if (decided && order !== undefined && isResult && order !== chosen) {
      chosen = order;
      const hadFocus = drawn?.hasFocus();
      state.choose(order); // which may move this picture to another place
      const root = /** @type {ShadowRoot} */ (node.getRootNode());
      root.querySelector(".row.chosen .head")?.scrollIntoView({ block: "nearest" });
      if (hadFocus) drawn?.focus();
    }
    update();
  };
  const update = () => {
    if (data === null || drawn === null) return;
    if (inList() !== chosen) {
      chosen = inList();
      const point = data.order.indexOf(chosen ?? NaN);
      if (point >= 0) picked = point;
    }
    drawn.update(picked);
    tell(detail, data, picked, pick);
  };
  const draw = () => {
    const now = state.view.map ?? null;
    if (now !== data) {
      data = now;
      by = now?.color ?? by;
      picked = now?.query ? QUESTION : 0;
      drawnFor = "";
      chosen = inList();
      say(caption, now === null ? "No map in this view." : `${now.summary} Places that are close here need not be similar.`);
    }
    for (const part of [color.node, legend, plot, detail]) part.hidden = data === null || data.order.length === 0;
    if (data === null || width === 0) return;
    const key = `${width} ${by}`;
    if (key !== drawnFor) {
      drawnFor = key;
      const kinds = categories(data, by);
      color.update(by);
      fill(legend, [
        ...kinds.names.map((name, i) => h("li", {}, shape(i), h("bdi", {}, name), h("span", "dim", kinds.counts[i] ?? 0))),
        data.query !== null && h("li", {}, shape("question"), "the question"),
        state.trace !== null && h("li", {}, shape("result"), "a result"),
      ]);
      const hadFocus = drawn?.hasFocus();
      drawn = mapPlot(state, data, kinds.of, width, pick);
      fill(plot, [drawn.node]);
      if (hadFocus) drawn.focus();
    }
    update();
  };
  const stop = sized(plot, (now) => {
    width = now;
    draw();
  });
  state.listen(draw, isShown);
  return { node, stop };
}

/**
 * What is picked, in words, and its neighbours as a list to go on from.
 *
 * @param {HTMLElement} into
 * @param {MapData} data
 * @param {number} picked
 * @param {(point: number) => void} pick
 */
function tell(into, data, picked, pick) {
  if (into.dataset["key"] === String(picked)) return;
  attribute(into, "data-key", picked);
  const { rows, similar, kept } = neighboursOf(data, picked);
  const place = placeOf(data, picked);
  fill(into, [
    h("h4", {}, h("bdi", {}, place)),
    picked !== QUESTION && h("p", "hint", h("bdi", {}, data.about[picked] || kindOf(data, picked)), " · ", h("bdi", {}, data.text[picked] ?? "")),
    rows.length > 0 && h("p", {}, keptWords(data, picked)),
    h(
      "ol",
      "neighbours",
      ...rows.map((row, i) =>
        h(
          "li",
          { "data-kept": String(kept[i]) },
          h("span", "n", ((similar[i] ?? 0) / 1000).toFixed(3)),
          quiet(() => pick(row), h("bdi", {}, placeOf(data, row))),
          h("span", "dim", kept[i] ? "near here too" : "far here"),
        ),
      ),
    ),
  ]);
}
