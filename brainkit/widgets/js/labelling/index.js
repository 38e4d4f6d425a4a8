import base from "../base.css";
import { h } from "../dom/el.js";
import { ownKeys } from "../dom/keys.js";
import { followScheme } from "../dom/scheme.js";
import { asking, hideLeft } from "../kernel.js";
import own from "./labelling.css";
import { labelling } from "./view.js";

/** @typedef {import("./types.js").Shown} Shown */

const TRAITS = ["_questions", "_page", "_said", "error"];
const LOST = "The kernel was restarted or is gone. What was saved is safe: run this cell again to go on where you are.";

/** @type {CSSStyleSheet | null} */
let sheet = null;

export default {
  /** @param {{model: import("../kernel.js").Model, el: HTMLElement}} place */
  render({ model, el }) {
    const shadow = el.shadowRoot ?? el.attachShadow({ mode: "open" });
    if (sheet === null) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(base + own);
    }
    shadow.adoptedStyleSheets = [sheet];
    const { ask, stop: unask } = asking(model, LOST, () => view.lose(LOST));
    const view = labelling(shownBy(model), ask);
    const root = h("div", { class: "brainkit", lang: "en" }, view.node);
    shadow.replaceChildren(root);
    // One message of the kernel changes several traits: what they make together is drawn once.
    let isDue = false;
    const changed = () => {
      if (isDue) return;
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        view.update(shownBy(model));
      });
    };
    for (const name of TRAITS) model.on(`change:${name}`, changed);
    const ends = [unask, view.stop, followScheme(root), ownKeys(el, root), hideLeft(model.get("_name"))];
    return () => {
      for (const name of TRAITS) model.off(`change:${name}`, changed);
      for (const end of ends) end();
      shadow.replaceChildren();
    };
  },
};

/** @param {import("../kernel.js").Model} model @returns {Shown} */
function shownBy(model) {
  return {
    labeller: model.get("labeller"),
    grades: model.get("_grades"),
    questions: model.get("_questions"),
    page: model.get("_page"),
    said: model.get("_said"),
    error: model.get("error"),
  };
}
