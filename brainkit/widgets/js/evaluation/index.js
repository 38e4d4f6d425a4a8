import { h } from "../dom/el.js";
import { ownKeys } from "../dom/keys.js";
import { followScheme } from "../dom/scheme.js";
import base from "../base.css";
import { evaluation } from "./evaluation.js";
import own from "./lab.css";
import { Lab } from "./state.js";
import { sweep } from "./sweep.js";

/** @typedef {import("./types.js").EvaluationView | import("./types.js").SweepView} View */
/** @typedef {{node: HTMLElement, stop: () => void}} Drawn */

const SCHEMA = 1;

/** @type {CSSStyleSheet | null} */
let sheet = null;

/**
 * An evaluation or a sweep that draws itself over its static table, as soon as its data is there,
 * wherever it is put. The number in its name is the schema: outputs of two versions share a page.
 */
class EvaluationElement extends HTMLElement {
  /** @type {(() => void) | null} */
  #stop = null;
  /** @type {(() => Drawn) | null} what was set survives being moved: notebooks take cells off the page */
  #make = null;

  connectedCallback() {
    if (!this.#draw()) document.addEventListener("DOMContentLoaded", () => this.isConnected && this.#draw(), { once: true });
  }

  disconnectedCallback() {
    this.#stop?.();
    this.#stop = null;
  }

  /** @returns {boolean} false while the page is still being read and the data has not come */
  #draw() {
    const data = this.querySelector("script[type='application/json']")?.textContent;
    if (!data || this.#stop !== null) return Boolean(data);
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    if (sheet === null) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(base + own);
    }
    shadow.adoptedStyleSheets = [sheet];
    try {
      this.#make ??= maker(JSON.parse(data));
      const { node, stop } = this.#make();
      const root = h("div", { class: "brainkit", lang: "en" }, node);
      shadow.replaceChildren(root);
      const ends = [stop, followScheme(root), ownKeys(this, root)];
      this.#stop = () => {
        for (const end of ends) end();
        shadow.replaceChildren();
      };
    } catch (error) {
      // Data of others can be anything; the table is still there.
      shadow.replaceChildren(h("p", { class: "notice alone" }, error instanceof Unknown ? error.message : "The data of this view is damaged; the table is what it holds."), h("slot"));
      this.#stop = () => shadow.replaceChildren();
    }
    return true;
  }
}

class Unknown extends Error {}

/** @param {View} view @returns {() => Drawn} */
function maker(view) {
  if (view.schema !== SCHEMA) {
    throw new Unknown(`This output was made by another version of brainkit (view schema ${view.schema}; this page runs ${SCHEMA}). The table is what it holds; run the cell again for the live view.`);
  }
  if (view.kind === "evaluation") {
    const lab = new Lab(view);
    return () => evaluation(lab);
  }
  if (view.kind === "sweep") {
    const kept = { stop: view.best };
    return () => sweep(view, kept);
  }
  throw new Unknown("This version of brainkit does not know this kind of view; the table is what it holds.");
}

const TAG = `brainkit-evaluation-${SCHEMA}`;
if (!customElements.get(TAG)) customElements.define(TAG, EvaluationElement); // the page runs the first
