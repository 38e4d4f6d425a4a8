import { OWN_KEYS, attribute, h, say } from "../dom/el.js";
import { MODES } from "./words.js";

/** @typedef {import("../types.js").Mode} Mode */

/**
 * The five modes with the seed's guidance. A mode that this view cannot answer is disabled and
 * says why.
 *
 * @param {import("./state.js").State} state
 */
export function modePicker(state) {
  const guide = h("p", "guide");
  const choices = /** @type {[Mode, (typeof MODES)[Mode]][]} */ (Object.entries(MODES)).map(([mode, words]) => {
    const input = h("input", {
      type: "radio",
      name: "mode",
      value: mode,
      ...OWN_KEYS,
      on: { change: () => state.change({ mode }) },
    });
    const label = h("label", {}, input, h("span", {}, words.name));
    return { mode, input, label, words };
  });
  const node = h(
    "div",
    "mode-picker",
    h("div", { class: "segments", role: "radiogroup", "aria-label": "Mode" }, ...choices.map((one) => one.label)),
    guide,
  );
  state.listen(() => {
    for (const { mode, input, label, words } of choices) {
      const refused = mode === state.request.mode ? null : state.refusal({ mode });
      input.checked = mode === state.request.mode;
      input.disabled = refused !== null;
      attribute(label, "title", refused === null ? `${words.what} ${words.when}` : `Not here: ${refused}.`);
    }
    const { what, when } = MODES[state.request.mode];
    say(guide, `${what} ${when}`);
  });
  return node;
}
