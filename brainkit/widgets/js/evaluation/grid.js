import { OWN_KEYS, attribute, h } from "../dom/el.js";
import { number } from "./words.js";

/** @typedef {import("./types.js").SweepView} SweepView */

/**
 * The measure over two settings: a cell per pair of values, which mouse and keys choose.
 *
 * @param {SweepView} view one with axes
 * @param {(stop: number) => void} moved
 */
export function grid(view, moved) {
  const { stops } = view;
  const [rows, columns] = /** @type {{name: string, labels: string[]}[]} */ (view.axes);
  const means = stops.map((stop) => stop.mean);
  const [least, most] = [Math.min(...means), Math.max(...means)];
  /** @type {Map<string, number>} */
  const places = new Map(stops.map((stop, at) => [String(stop.cell), at]));
  /** @type {HTMLElement[]} */
  const buttons = [];
  let now = 0;
  /** To the next cell that way which was tried. @param {number} down @param {number} right */
  const step = (down, right) => {
    let [row, column] = stops[now]?.cell ?? [0, 0];
    do [row, column] = [row + down, column + right];
    while (!places.has(`${row},${column}`) && row >= 0 && column >= 0 && row < (rows?.labels.length ?? 0) && column < (columns?.labels.length ?? 0));
    const stop = places.get(`${row},${column}`);
    if (stop === undefined) return;
    moved(stop);
    buttons[stop]?.focus();
  };
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    const by = /** @type {Record<string, [number, number]>} */ ({ ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] })[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(...by);
  };
  /** @param {number} row @param {number} column */
  const cell = (row, column) => {
    const at = places.get(`${row},${column}`);
    const stop = at === undefined ? undefined : stops[at];
    if (at === undefined || stop === undefined) return h("td", { class: "dim" }, "–");
    const signs = [at === view.default && "▾", at === view.best && "★", view.held?.chosen.includes(at) && "▴"].filter(Boolean).join("");
    const told = [at === view.default && "default", at === view.best && "best on these queries", view.held?.chosen.includes(at) && "chosen by a fold"].filter(Boolean).join(", ");
    const share = most > least ? (stop.mean - least) / (most - least) : 0;
    const button = h(
      "button",
      { type: "button", css: { "--share": `${(share * 42).toFixed(1)}%` }, title: `${stop.label}${told === "" ? "" : `: ${told}`}`, ...OWN_KEYS, on: { click: () => moved(at), keydown } },
      number(stop.mean),
      signs !== "" && h("span", { class: "signs", "aria-hidden": "true" }, ` ${signs}`),
      told !== "" && h("span", { class: "unseen" }, ` ${told}`),
    );
    buttons[at] = button;
    return h("td", {}, button);
  };
  const node = h(
    "div",
    { class: "scroll", tabindex: -1, role: "region", "aria-label": `${view.measure} over ${view.setting}` },
    h(
      "table",
      { class: "heat" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, `${rows?.name} ↓  ${columns?.name} →`), ...(columns?.labels ?? []).map((label) => h("th", { scope: "col", class: "n" }, h("bdi", {}, label))))),
      h("tbody", {}, ...(rows?.labels ?? []).map((label, row) => h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, label)), ...(columns?.labels ?? []).map((_, column) => cell(row, column))))),
    ),
  );
  const move = (/** @type {number} */ stop) => {
    now = stop;
    buttons.forEach((button, at) => {
      attribute(button, "aria-pressed", String(at === stop));
      attribute(button, "tabindex", at === stop ? 0 : -1);
    });
  };
  return { node, move };
}
