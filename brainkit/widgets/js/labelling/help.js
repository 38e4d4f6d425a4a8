import { h } from "../dom/el.js";

const KEYS = [
  ["0 1 2 3", "grade, and go on to the next chunk without a grade"],
  ["s", "skip: no grade; it can be gone back to at the end"],
  ["u", "undo the last change"],
  ["← →", "previous and next chunk, also of those that have a grade"],
  ["n", "a note; Enter saves it, Escape leaves it"],
  ["↑ ↓ Space", "scroll the text"],
  ["?", "this help"],
];

/** What to give, and how. @param {[string, string][]} grades */
export function help(grades) {
  return h(
    "section",
    { class: "help", "aria-label": "Help" },
    h("dl", {}, ...grades.flatMap(([name, meaning], grade) => [h("dt", {}, h("kbd", {}, grade), ` ${name}`), h("dd", {}, meaning)])),
    h(
      "p",
      { class: "hint" },
      "Judge the chunk by what it says itself. For figures by source, a source has the grade of its best chunk. " +
        "Who found a chunk, and how high, is not shown, and the order is shuffled anew for each question and labeller.",
    ),
    h("dl", {}, ...KEYS.flatMap(([keys = "", meaning = ""]) => [h("dt", {}, ...keys.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, meaning)])),
  );
}
