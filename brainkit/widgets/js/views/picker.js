import { h, say } from "../dom/el.js";

/** @typedef {"source_types" | "languages" | "entity_types" | "relationship_types"} Pickable */

/**
 * Several words to pick from, each with how many there are of it; none picked means all.
 *
 * @param {import("./state.js").State} state
 * @param {Pickable} name
 * @param {string} hint
 */
export function picker(state, name, hint) {
  const summary = h("summary", { title: hint, "data-lm-suppress-shortcuts": "true" });
  const list = h("div", { class: "options", role: "group", "aria-label": name });
  const node = h("details", "picker", summary, list);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    node.open = false;
    summary.focus();
    event.stopPropagation();
  });
  node.addEventListener("focusout", (event) => {
    if (event.relatedTarget instanceof Node && !node.contains(event.relatedTarget)) node.open = false;
  });
  /** @type {[string, HTMLInputElement][]} */
  let boxes = [];
  let drawn = "";
  const pick = () => {
    const picked = boxes.filter(([, box]) => box.checked).map(([word]) => word);
    state.change({ [name]: picked.length > 0 ? picked : null });
  };
  state.listen(() => {
    const picked = state.request[name] ?? [];
    const offered = state.view.choices?.[name] ?? [];
    const words = [...offered, ...picked.filter((word) => !offered.some(([one]) => one === word)).map((word) => /** @type {[string, number]} */ ([word, 0]))];
    const key = JSON.stringify(words);
    if (key !== drawn) {
      drawn = key;
      boxes = [];
      list.replaceChildren(
        ...words.map(([word, n]) => {
          const box = h("input", { type: "checkbox", "data-lm-suppress-shortcuts": "true", on: { change: pick } });
          boxes.push([word, box]);
          return h("label", {}, box, h("bdi", {}, word), h("span", "dim", n.toLocaleString("en")));
        }),
      );
    }
    for (const [word, box] of boxes) box.checked = picked.includes(word);
    say(summary, `${name}: ${picked.length === 0 ? "all" : picked.length <= 2 ? picked.join(", ") : `${picked.length} of ${words.length}`}`);
    node.hidden = words.length < 2 && picked.length === 0;
  });
  return node;
}
