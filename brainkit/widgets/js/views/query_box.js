import { OWN_KEYS, attribute, h, say } from "../dom/el.js";

/**
 * The question: a box to ask from where a kernel answers, else the question as a heading.
 *
 * @param {import("./state.js").State} state
 * @param {(input: HTMLInputElement) => void} [made] hears of the box
 */
export function queryBox(state, made) {
  if (state.host.query === undefined) {
    const heading = h("h3", "query");
    const text = h("bdi");
    heading.append(text);
    state.listen(() => say(text, state.request.query));
    return heading;
  }
  const input = h("input", {
    type: "search",
    name: "query",
    maxlength: 1000,
    placeholder: "Ask a question",
    "aria-label": "Question",
    autocomplete: "off",
    dir: "auto",
    ...OWN_KEYS,
  });
  const button = h("button", { type: "submit", class: "primary" }, "Ask");
  const busy = h("span", { class: "busy", role: "status" });
  const form = h(
    "form",
    {
      class: "query",
      on: {
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const query = input.value.trim();
          if (query !== "") void state.ask({ ...state.request, query });
        },
      },
    },
    input,
    button,
    busy,
  );
  made?.(input);
  let shownQuery = "";
  state.listen(() => {
    if (state.request.query !== shownQuery) input.value = shownQuery = state.request.query;
    say(busy, state.busy ? "Asking…" : "");
    attribute(form, "aria-busy", String(state.busy));
  });
  return form;
}
