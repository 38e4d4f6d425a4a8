import { followScheme } from "./dom/scheme.js";
import { h } from "./dom/el.js";
import { ownKeys } from "./dom/keys.js";
import theme from "./theme.css";
import { alphaPicture } from "./views/alpha_picture.js";
import { answer } from "./views/answer.js";
import { compare } from "./views/compare.js";
import { flow } from "./views/flow.js";
import { graphPicture } from "./views/graph_path.js";
import { mapView } from "./views/map.js";
import { modePicker } from "./views/mode_picker.js";
import { resultList } from "./views/result_list.js";
import { rrfChart } from "./views/rrf_chart.js";
import { scoreBreakdown } from "./views/score_breakdown.js";
import { alphaSlider, settings } from "./views/settings.js";
import { State } from "./views/state.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Host} Host */
/** @typedef {{node: HTMLElement, stop: () => void}} Drawn */

export const SCHEMA = 1;

/** What can be drawn, by a view's kind. @type {Record<string, (state: State) => HTMLElement | Drawn>} */
export const PIECES = {
  answer,
  "result-list": resultList,
  "mode-picker": modePicker,
  "alpha-slider": alphaSlider,
  settings,
  "score-breakdown": scoreBreakdown,
  "alpha-picture": alphaPicture,
  "rrf-chart": rrfChart,
  flow,
  "graph-path": graphPicture,
  compare,
  map: mapView,
};

/** @type {CSSStyleSheet | null} */
let sheet = null;

/**
 * Draw a view into an element's shadow root.
 *
 * @param {HTMLElement} element one with a shadow root keeps it; what it showed is replaced
 * @param {View} view
 * @param {Host} [host]
 * @returns {() => void} cleans up: nothing is watched, and no answer is drawn, afterwards
 */
export function render(element, view, host = {}) {
  const shadow = element.shadowRoot ?? element.attachShadow({ mode: "open" });
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(theme);
  }
  shadow.adoptedStyleSheets = [sheet];
  const piece = PIECES[view.kind];
  if (view.schema !== SCHEMA || piece === undefined) {
    shadow.replaceChildren(h("p", "notice alone", unknown(view)), h("slot"));
    return () => shadow.replaceChildren();
  }
  const state = new State({ ...view }, host);
  const drawn = piece(state);
  const { node, stop } = drawn instanceof HTMLElement ? { node: drawn, stop: () => {} } : drawn;
  const root = h("div", { class: "brainkit", lang: "en" }, node);
  shadow.replaceChildren(root);
  const unfollow = followScheme(root);
  const release = ownKeys(element, root);
  const unsubscribe = host.subscribe?.((patch) => state.receive(patch));
  return () => {
    state.stop();
    stop();
    unfollow();
    release();
    unsubscribe?.();
    // Chromium keeps radio buttons that leave a shadow root as long as they are in a group.
    for (const radio of root.querySelectorAll("input")) radio.removeAttribute("name");
    shadow.replaceChildren();
  };
}

/** @param {View} view */
function unknown(view) {
  return view.schema === SCHEMA
    ? `This version of brainkit does not know views of kind “${view.kind}”; the table is what it holds.`
    : `This output was made by another version of brainkit (view schema ${view.schema}; this page runs ` +
        `${SCHEMA}). The table is what it holds; run the cell again for the live view.`;
}

/** A view that draws itself, as soon as its data is there, wherever it is put. */
class ViewElement extends HTMLElement {
  /** @type {(() => void) | null} */
  #stop = null;
  /** @type {View | null} */
  #view = null;

  connectedCallback() {
    if (!this.#draw()) document.addEventListener("DOMContentLoaded", () => this.isConnected && this.#draw(), { once: true });
  }

  disconnectedCallback() {
    this.#stop?.();
    this.#stop = null;
  }

  /** @returns {boolean} false while the page is still being read and the data has not come */
  #draw() {
    const data = this.querySelector("script.brainkit-data")?.textContent;
    if (!data || this.#stop !== null) return Boolean(data);
    const view = (this.#view ??= /** @type {View} */ (JSON.parse(data)));
    // What was set survives being moved: notebooks take cells off the page while they scroll.
    this.#stop = render(this, view, {
      changed: (request) => void (view.request = request),
      selected: (chunkId) => void (view.selected = chunkId),
    });
    return true;
  }
}

const TAG = `brainkit-view-${SCHEMA}`;
if (!customElements.get(TAG)) customElements.define(TAG, ViewElement); // the page runs the first
