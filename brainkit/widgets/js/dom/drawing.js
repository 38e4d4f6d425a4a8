import { h } from "./el.js";
import { ownKeys } from "./keys.js";
import { followScheme } from "./scheme.js";

/** @typedef {{node: HTMLElement, stop: () => void}} Drawn */

/** Said in place of a view that cannot be drawn; its text tells why. */
export class Unknown extends Error {}

/**
 * Define an element that draws itself over its static table, as soon as its data is there, wherever
 * it is put. A page uses the first definition of a name.
 *
 * @param {string} tag
 * @param {string} css
 * @param {(view: any) => () => Drawn} maker reads a view, once; what it returns draws it, each time
 *   that the element comes onto the page, so that what was set survives being moved
 */
export function defineDrawing(tag, css, maker) {
  if (customElements.get(tag)) return;
  /** @type {CSSStyleSheet | null} */
  let sheet = null;

  class Drawing extends HTMLElement {
    /** @type {(() => void) | null} */
    #stop = null;
    /** @type {(() => Drawn) | null} */
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
        sheet.replaceSync(css);
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

  customElements.define(tag, Drawing);
}
