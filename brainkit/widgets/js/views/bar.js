import { h } from "../dom/el.js";

/** @typedef {import("../types.js").Retriever} Retriever */

/**
 * The sign of a retriever: its colour and its pattern, which says the same without colour.
 *
 * @param {Retriever} name
 */
export function swatch(name) {
  return h("span", { class: `swatch ${name}`, "aria-hidden": "true" });
}

/**
 * A stacked bar: one segment per part, together as long as the score is of the largest.
 *
 * @param {[Retriever, number][]} parts
 * @param {number} largest the value of a full bar
 * @param {HTMLElement} [into] an earlier bar to change
 */
export function bar(parts, largest, into = h("span", { class: "bar", "aria-hidden": "true" })) {
  while (into.childElementCount > parts.length) into.lastElementChild?.remove();
  while (into.childElementCount < parts.length) into.append(h("span"));
  parts.forEach(([name, value], i) => {
    const segment = /** @type {HTMLElement} */ (into.children[i]);
    if (segment.className !== name) segment.className = name;
    const share = largest > 0 && value > 0 ? (value / largest) * 100 : 0;
    segment.style.width = `${share.toFixed(2)}%`;
  });
  return into;
}
