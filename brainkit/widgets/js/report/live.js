import { h, quiet } from "../dom/el.js";
import { missing } from "../answer/results.js";
import { render } from "../index.js";
import { copyButton } from "../views/result_row.js";
import { difference, isMoved } from "./link.js";
import { narrowed } from "./narrow.js";
import kernel from "../kernel.css";
import theme from "./view.css";

/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Request} Request */
/** @typedef {import("./link.js").Moved} Moved */

/** @type {CSSStyleSheet | null} */
let sheet = null;

/**
 * One view of a report, drawn over the table that stands in its place. It starts as the file shows
 * it; what is moved can be taken back, and is told so that it can become part of the address.
 */
export class Live {
  /**
   * @param {HTMLElement} element holds the table
   * @param {() => View} read gives the view, once
   * @param {(moved: Moved) => void} told
   */
  constructor(element, read, told) {
    this.element = element;
    this.read = read;
    this.told = told;
    /** @type {View | null} what the file shows */
    this.view = null;
    /** @type {Moved | undefined} to be shown once it is drawn */
    this.moved = undefined;
    /** @type {(() => void) | null} */
    this.stop = null;
    const reset = quiet(() => this.move(undefined), "Reset");
    const link = copyButton("Copy link to this state", () => location.href);
    this.tools = h("div", { class: "view-tools", hidden: true }, h("span", {}, "Moved."), reset, link);
    element.after(this.tools);
  }

  /** Draw it, unless it is drawn. */
  draw() {
    if (this.stop === null) this.move(this.moved);
  }

  /**
   * Draw it as the file shows it, but for what was moved.
   *
   * @param {Moved | undefined} moved
   */
  move(moved) {
    this.moved = moved;
    this.view ??= this.read();
    const { view } = this;
    this.stop?.();
    const start = { ...view, request: this.allowed(view.request, moved?.a, view.trace) };
    if (moved?.selected) start.selected = moved.selected;
    if (view.other) {
      start.other = { ...view.other, request: this.allowed(view.other.request, moved?.b, view.other.trace ?? view.trace) };
    }
    let { selected } = start;
    let [a, b] = [start.request, start.other?.request];
    const settle = () => {
      const other = view.other && b ? difference(view.other.request, b) : {};
      const own = selected === view.selected ? null : selected;
      this.moved = { a: view.request === null ? {} : difference(view.request, a), b: other, selected: own };
      this.tell();
    };
    this.stop = render(this.element, start, {
      changed: (request, settled) => {
        a = request;
        if (settled) settle();
      },
      changedOther: (request, settled) => {
        b = request;
        if (settled) settle();
      },
      selected: (chunkId) => {
        selected = chunkId;
        settle();
      },
    });
    if (sheet === null) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(kernel + theme);
    }
    this.element.shadowRoot?.adoptedStyleSheets.push(sheet);
    this.tell();
  }

  /**
   * The settings of a link, as far as this trace can answer them.
   *
   * @param {Request} request
   * @param {Partial<Request> | undefined} change
   * @param {import("../types.js").Trace | null} trace
   */
  allowed(request, change, trace) {
    if (trace === null || change === undefined) return request;
    const asked = { ...request, ...change };
    asked.depth = Math.max(asked.depth, asked.top_k);
    const filters = this.view?.kind === "answer" ? asked : trace.request;
    return missing(narrowed(trace, filters), asked) === null ? asked : request;
  }

  tell() {
    this.tools.hidden = !isMoved(this.moved);
    this.told(this.moved ?? { a: {}, b: {}, selected: null });
  }
}
