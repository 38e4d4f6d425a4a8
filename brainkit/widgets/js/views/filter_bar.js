import { h, quiet, say } from "../dom/el.js";
import { picker } from "./picker.js";
import { count } from "./words.js";

/**
 * Which chunks a query may find: source types, languages and path globs, with how many are left.
 *
 * @param {import("./state.js").State} state
 * @param {string} [noun] what is counted
 */
export function filterBar(state, noun = "chunk") {
  const paths = h("input", {
    type: "search",
    class: "paths",
    placeholder: "docs/**, !*.draft.md",
    "aria-label": "file_paths",
    "data-lm-suppress-shortcuts": "true",
    autocomplete: "off",
    spellcheck: "false",
    on: {
      input: () => tally({ ...state.request, file_paths: globs() }),
      change: () => state.change({ file_paths: globs() }),
    },
  });
  const globs = () => {
    const words = paths.value.split(",").map((glob) => glob.trim()).filter((glob) => glob !== "");
    return words.length > 0 ? words : null;
  };
  const left = h("output", "left");
  const clear = quiet(() => state.change({ source_types: null, languages: null, file_paths: null }), "Clear");
  const node = h(
    "div",
    { class: "fields filters", role: "group", "aria-label": "Filters" },
    picker(state, "source_types", "Search only chunks of these types."),
    picker(state, "languages", "Search only chunks in these languages."),
    h("label", { class: "field", title: "Gitignore-style globs: * stops at /, ** does not, ! takes back." }, h("span", "name", "file_paths"), paths),
    left,
    clear,
  );
  let [asked, shown, busy] = ["", "", false];
  /** @type {import("../types.js").Request | null} */
  let next = null;
  /** @param {import("../types.js").Request} request */
  const tally = async (request) => {
    const key = JSON.stringify([request.source_types, request.languages, request.file_paths, state.trace?.generation]);
    if (key === asked || state.host.count === undefined) return;
    asked = key;
    next = request;
    if (busy) return;
    busy = true;
    while (next !== null) {
      const now = next;
      next = null;
      try {
        const [n, total] = await state.host.count(now);
        if (next === null) say(left, n === total ? `all ${count(total, noun)}` : `${n.toLocaleString("en")} of ${count(total, noun)}`);
      } catch (error) {
        if (next === null) say(left, error instanceof Error ? error.message : String(error));
      }
    }
    busy = false;
  };
  state.listen(() => {
    const { file_paths, source_types, languages } = state.request;
    const words = (file_paths ?? []).join(", ");
    if (words !== shown) paths.value = shown = words;
    clear.hidden = file_paths === null && source_types === null && languages === null;
    void tally(state.request);
  });
  return node;
}
