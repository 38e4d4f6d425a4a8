import { h } from "../dom/el.js";

/** @typedef {{newPlot: (node: HTMLElement, figure: object) => Promise<unknown>, Plots: {resize: (node: HTMLElement) => void}}} Plotly */

/** @type {Plotly | null} */
let library = null;

/**
 * Plotly, run when the first figure comes into sight: it takes longer than all the rest of the page.
 * The page's policy knows the hash of its text, and runs no other.
 *
 * @returns {Plotly}
 */
function plotly() {
  if (library === null) {
    const script = document.createElement("script");
    script.textContent = document.querySelector("script[type='text/plain'][data-library=plotly]")?.textContent ?? "";
    document.head.append(script);
    library = /** @type {any} */ (globalThis)["Plotly"];
  }
  return /** @type {Plotly} */ (library);
}

/**
 * Draw a figure in its place; a page without scripts shows only that there is one.
 *
 * @param {HTMLElement} element
 */
export function drawChart(element) {
  const figure = JSON.parse(element.querySelector("script[type='application/json']")?.textContent ?? "{}");
  const node = h("div", {});
  element.replaceChildren(node);
  void plotly()
    .newPlot(node, { ...figure, config: { responsive: true, displaylogo: false, showSendToCloud: false } })
    .catch((/** @type {Error} */ error) => element.replaceChildren(h("p", { class: "note" }, `This figure cannot be drawn here: ${error.message}`)));
}
