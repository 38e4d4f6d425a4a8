import { fill, h, say, sized } from "../dom/el.js";

/** @typedef {import("./types.js").ItemPage} ItemPage */

/**
 * The chunk that is judged: where it is, its text, and what was said of it before.
 *
 * @param {[string, string][]} grades
 */
export function card(grades) {
  const place = h("div", { class: "where" });
  const about = h("bdi", { class: "dim" });
  const state = h("span", { class: "state" });
  const text = h("pre", { class: "body", dir: "auto", tabindex: 0, role: "region", "aria-label": "Text of the chunk" });
  const also = h("p", { class: "hint" });
  const node = h("article", {}, h("div", { class: "top" }, place, about, state), text, also);
  const below = () => text.classList.toggle("more", text.scrollTop + text.clientHeight < text.scrollHeight - 2);
  text.addEventListener("scroll", below);
  let [shown, question] = ["", -1];
  /** @param {ItemPage} page */
  const update = (page) => {
    say(about, described(page));
    const before = page.grade === null ? (page.is_skipped ? "skipped" : "") : `${page.grade} ${grades[page.grade]?.[0]}`;
    say(state, before);
    state.hidden = before === "";
    say(also, page.also.length === 0 ? "" : `The same text is in ${page.also.join(", ")}; the grade counts there, too.`);
    also.hidden = page.also.length === 0;
    if (shown === page.content && question === page.question) return;
    // The buttons below stay where they are: within a question the text's box only grows.
    text.style.minHeight = question === page.question ? `${text.offsetHeight}px` : "";
    [shown, question] = [page.content, page.question];
    const slash = page.source.lastIndexOf("/") + 1;
    fill(place, [
      h("bdi", { class: "folder" }, page.source.slice(0, slash)),
      h("bdi", { class: "file" }, page.source.slice(slash)),
      h("span", { class: "lines" }, `:${page.lines}`),
    ]);
    say(text, page.text);
    text.classList.toggle("prose", page.source_type === "doc");
    text.scrollTop = 0;
    below();
  };
  /** @param {number} pages @param {number} lines */
  const scroll = (pages, lines) => text.scrollBy(0, pages * (text.clientHeight - 24) + lines * 18);
  return { node, update, scroll, stop: sized(text, below) };
}

/** @param {ItemPage} page */
function described({ about, language, source_type: type }) {
  const kind = type === "doc" ? (language ?? "doc") : `${language ?? type}${type === "test" ? " test" : ""}`;
  return about === "" ? kind : `${about} · ${kind}`;
}
