import { fill, h, say, sized } from "../dom/el.js";
import { curve } from "./curve.js";
import { grid } from "./grid.js";
import { counted, number, signed, span } from "./words.js";

/** @typedef {import("./types.js").SweepView} SweepView */
/** @typedef {{stop: number}} Kept where the marker stands */

/**
 * A sweep: what held-out queries say first, then the curve with a marker to move.
 *
 * @param {SweepView} view
 * @param {Kept} kept
 * @returns {{node: HTMLElement, stop: () => void}}
 */
export function sweep(view, kept) {
  const head = h("header", {}, h("h3", { class: "query" }, h("bdi", {}, view.title)), h("span", { class: "dim" }, `${counted(view.queries, "query", "queries")}, rankings of ${view.unit}s`));
  if (view.queries === 0 || view.stops.length === 0) {
    return { node: h("div", { class: "lab" }, head, h("p", { class: "empty" }, "No queries: there is nothing to tune.")), stop: () => {} };
  }
  const plot = h("div", { class: "plot curve" });
  const readout = h("div", { class: "readout", "aria-live": "polite" });
  const to = h("div", { class: "to" });
  /** @type {((stop: number) => void) | null} */
  let move = null;
  const show = () => {
    fill(readout, reading(view, kept.stop));
    move?.(kept.stop);
  };
  const moved = (/** @type {number} */ stop) => {
    if (stop === kept.stop) return;
    kept.stop = stop;
    show();
  };
  /** @param {{node: Element, move: (stop: number) => void}} drawn */
  const draw = (drawn) => {
    move = drawn.move;
    fill(plot, [drawn.node]);
    move(kept.stop);
  };
  const stop = view.axes === null ? sized(plot, (width) => draw(curve(view, width, moved))) : () => {};
  if (view.axes !== null) draw(grid(view, moved));
  fill(to, [jump("Default", view.default, view, moved), jump("Best on these queries", view.best, view, moved)]);
  show();
  return { node: h("div", { class: "lab sweep" }, head, ...view.notes.map((note) => h("p", { class: "notice" }, h("bdi", {}, note))), verdict(view), plot, legend(view), h("div", { class: "at" }, readout, to)), stop };
}

/** @param {string} name @param {number} stop @param {SweepView} view @param {(stop: number) => void} moved */
function jump(name, stop, view, moved) {
  return h("button", { type: "button", on: { click: () => moved(stop) } }, `${name}: `, h("bdi", {}, view.stops[stop]?.label ?? ""));
}

/** @param {SweepView} view */
function verdict({ held, stops, setting }) {
  if (held === null) {
    return h("div", { class: "verdict open" }, h("b", {}, "Not held out"), h("p", {}, "The best value was chosen on the queries that it is measured on, so its gain is not to be trusted. With folds=5 the sweep measures it on queries that did not choose it."));
  }
  const kind = !held.enough ? "open" : held.beyond_noise ? "gain" : "none";
  const title = { open: "Too few queries to tell", gain: "A gain beyond noise", none: "No gain beyond noise" }[kind];
  const sign = { open: "?", gain: "▲", none: "=" }[kind];
  const chosen = [...new Set(held.chosen)].sort((a, b) => a - b).map((stop) => {
    const times = held.chosen.filter((one) => one === stop).length;
    return `${stops[stop]?.label ?? ""}${times > 1 ? ` (${times} folds)` : ""}`;
  });
  const text = held.text.charAt(0).toUpperCase() + held.text.slice(1);
  return h(
    "div",
    { class: `verdict ${kind}` },
    h("b", {}, h("span", { class: "sign", "aria-hidden": "true" }, sign), title),
    h("p", {}, text, "."),
    h("p", { class: "dim" }, `${held.tally[0]} wins, ${held.tally[1]} ties, ${held.tally[2]} losses. Chosen ${setting} by fold: `, h("bdi", {}, chosen.join("; ")), "."),
  );
}

/** @param {SweepView} view @param {number} at */
function reading(view, at) {
  const stop = view.stops[at];
  if (stop === undefined) return [];
  const marks = [at === view.default && "the default", at === view.best && "the best on these queries"].filter(Boolean).join(", ");
  const [gain, low, high] = stop.gain;
  return [
    h("p", {}, `${view.setting} `, h("b", {}, h("bdi", {}, stop.label)), marks !== "" && h("span", { class: "dim" }, ` ${marks}`)),
    h("p", {}, `${view.measure} `, h("b", {}, number(stop.mean)), h("span", { class: "dim" }, ` ${span(stop.low, stop.high, (value) => number(value))}`)),
    h("p", {}, "against the default ", h("b", {}, signed(gain)), h("span", { class: "dim" }, ` ${span(low, high)}; ${stop.tally.join(" / ")} win / tie / loss`)),
  ];
}

/** @param {SweepView} view */
function legend(view) {
  const { steps } = view;
  const left = steps !== null && steps.left_out > 0 ? ` ${steps.left_out.toLocaleString("en")} of the smallest steps are not in this view.` : "";
  const exact = steps === null ? "" : ` The curve is exact: the mean changes at ${counted(steps.means.length - 1, "alpha")} and nowhere else.${left}`;
  const band = view.axes !== null ? `${view.measure}: the stronger the colour, the higher.` : `${view.ordered ? "Band" : "Whiskers"}: 95 % interval of the mean over queries.`;
  const node = h("p", { class: "hint" });
  say(node, `${band} ▾ default, ★ best on these queries${view.held === null ? "" : ", ▴ chosen by a fold"}.${exact}`);
  return node;
}
