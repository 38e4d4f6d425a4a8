import { fill, h } from "../dom/el.js";

/** @typedef {import("./types.js").EndPage} EndPage */
/** @typedef {import("./types.js").Action} Action */

const NEXT = `data = brainkit.load_dataset(brain.judgments)
brainkit.evaluate(brain, data, {"keywords": {"mode": "bm25"}, "meaning": {"mode": "vector"}})`;

/**
 * Behind the last chunk: what was given, what is left, and what to do with it.
 *
 * @param {[string, string][]} grades
 * @param {(action: Action) => void} act
 */
export function end(grades, act) {
  const node = h("div", { class: "end" });
  /** @param {string} name @param {"open" | "skipped"} to */
  const button = (name, to) => h("button", { type: "button", class: "primary", on: { click: () => act({ do: "go", to }) } }, name);
  /** @param {EndPage} page */
  const update = (page) => {
    const graded = page.grades.reduce((sum, n) => sum + n, 0);
    const most = Math.max(1, ...page.grades);
    fill(node, [
      h("h3", { class: "query" }, page.open > 0 ? `${chunks(page.open)} still open` : `Done: every chunk is ${page.skipped > 0 ? "graded or skipped" : "graded"}`),
      h(
        "ul",
        { class: "counts", "aria-label": "Grades given" },
        ...page.grades.map((n, grade) =>
          h("li", {}, h("span", {}, `${grade} ${grades[grade]?.[0]}`), h("span", { class: "meter" }, h("span", { css: { width: `${(100 * n) / most}%` } })), h("span", { class: "n" }, n)),
        ),
      ),
      h(
        "div",
        { class: "acts" },
        page.open > 0 && button(`Go to the ${page.open} open`, "open"),
        page.skipped > 0 && button(`Go through the ${page.skipped} skipped`, "skipped"),
      ),
      ...page.agreement.map((line) => h("p", {}, line)),
      h("p", { class: "dim" }, `${chunks(graded)} graded, in ${page.file}. To measure configurations on them:`),
      graded > 0 && h("pre", { class: "code" }, NEXT),
    ]);
  };
  return { node, update };
}

/** @param {number} n */
function chunks(n) {
  return n === 1 ? "1 chunk" : `${n.toLocaleString("en")} chunks`;
}
