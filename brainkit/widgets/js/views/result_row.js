import { lines, place } from "../answer/format.js";
import { attribute, fill, h, quiet, say } from "../dom/el.js";
import { excerpt, marked } from "../dom/marked.js";
import { RETRIEVERS } from "../fuse/fuse.js";
import { bar, swatch } from "./bar.js";
import { count, SCORE_NAME } from "./words.js";

/** @typedef {import("../types.js").Result} Result */
/** @typedef {import("./state.js").State} State */

const EXCERPT_LINES = 4;

/**
 * One result: rank and move, place, text, scores. Made once per candidate and then only changed,
 * as a slider asks for it sixty times a second.
 *
 * @param {State} state
 * @param {Result} first
 */
export function resultRow(state, first) {
  const { candidate } = first;
  const rank = h("span", "rank");
  const move = h("span", "move");
  const score = h("span", "number");
  const strip = bar([], 1);
  const components = h("span", "components");
  const more = h("span", "more");
  const text = body(candidate);
  const grading = state.host.label && grades(state, candidate.chunk_id);
  const choose = h(
    "button",
    {
      class: "place",
      type: "button",
      title: "Why it is here",
      on: { click: () => state.choose(candidate.order) },
    },
    ...placeParts(candidate),
  );
  const node = h(
    "li",
    "row",
    h("div", "standing", rank, move),
    h(
      "div",
      "main",
      h("div", "head", choose, h("span", { class: "score", title: "Score; the bar is its share of the best" }, score, strip)),
      h("div", "about", h("bdi", {}, about(candidate)), components, more),
      text.node,
      h("div", "actions", text.toggle, ...actions(state, candidate, text), grading?.node ?? null),
    ),
  );
  /** @param {Result} result @param {number} best */
  const update = (result, best) => {
    say(rank, String(result.rank));
    moved(move, state.before, result);
    say(score, result.score.toFixed(4));
    bar(result.fused.parts, best, strip);
    const collapsed = result.collapsed.length;
    const kind = state.request.collapse === "source" ? "more of this source" : "overlapping";
    say(more, collapsed > 0 ? `+${collapsed} ${kind}` : "");
    chips(components, result);
    const isChosen = state.chosen === candidate.order;
    node.classList.toggle("chosen", isChosen);
    attribute(choose, "aria-pressed", String(isChosen));
    grading?.update();
  };
  return { node, update, text: text.node, laidOut: text.laidOut };
}

/** @param {import("../types.js").Candidate} candidate */
function placeParts(candidate) {
  const slash = candidate.source.lastIndexOf("/") + 1;
  return [
    h("bdi", "folder", candidate.source.slice(0, slash)),
    h("bdi", "file", candidate.source.slice(slash)),
    h("span", "lines", `:${lines(candidate)}`),
  ];
}

/** @param {import("../types.js").Candidate} candidate */
function about({ about: words, language, source_type }) {
  const kind = source_type === "doc" ? (language ?? "doc") : `${language ?? source_type}${source_type === "test" ? " test" : ""}`;
  return words === "" ? kind : `${words} · ${kind}`;
}

/**
 * The mark of a move: an arrow, how far, and words for those who see neither.
 *
 * @param {HTMLElement} mark
 * @param {Map<number, number>} before
 * @param {Result} result
 */
function moved(mark, before, result) {
  const was = before.get(result.candidate.order);
  const up = was === undefined ? 0 : was - result.rank;
  const isNew = was === undefined && before.size > 0;
  const kind = isNew ? "new" : up > 0 ? "up" : up < 0 ? "down" : "";
  if (mark.dataset["kind"] !== kind) mark.dataset["kind"] = kind;
  say(mark, isNew ? "new" : up > 0 ? `▲${up}` : up < 0 ? `▼${-up}` : "");
  attribute(mark, "aria-label", isNew ? "new here" : up > 0 ? `up from ${was}` : up < 0 ? `down from ${was}` : null);
  attribute(mark, "role", kind === "" ? null : "img");
}

/** @param {HTMLElement} into @param {Result} result */
function chips(into, result) {
  const wanted = RETRIEVERS.flatMap((name) => {
    const value = result[/** @type {const} */ (`${name}_score`)];
    if (value === null) return [];
    const rank = result.ranks[name];
    return [{ name: /** @type {typeof name | null} */ (name), text: `${SCORE_NAME[name]} ${value.toFixed(3)}${rank === undefined ? "" : ` #${rank}`}` }];
  });
  const { move } = result.explanation;
  if (move) wanted.push({ name: null, text: `rerank ${move.score.toFixed(3)} #${move.before}→${move.after}` });
  const key = wanted.map((one) => one.text).join();
  if (into.dataset["key"] === key) return;
  into.dataset["key"] = key;
  fill(into, wanted.map(({ name, text }) => h("span", "chip", name && swatch(name), text)));
}

/**
 * The chunk's text: its densest lines, or all of them.
 *
 * @param {import("../types.js").Candidate} candidate
 */
function body(candidate) {
  const part = excerpt(candidate.text, candidate.marks, EXCERPT_LINES);
  const isCut = candidate.chars > Array.from(candidate.text).length;
  const isPart = part.from > 0 || part.to < candidate.text.length;
  const node = h("pre", { class: "text", dir: "auto" });
  const toggle = quiet(() => show(!open));
  let open = false;
  /** @param {boolean} whole */
  const show = (whole) => {
    open = whole;
    const [from, to] = whole ? [0, candidate.text.length] : [part.from, part.to];
    const isInside = from > 0 && candidate.text[from - 1] !== "\n";
    fill(node, [isInside && h("span", "cut", "… "), ...marked(candidate.text, candidate.marks, from, to)]);
    if (isCut && (whole || !isPart)) node.append(h("span", "cut", ` … ${count(candidate.chars, "character")} in all`));
    node.classList.toggle("open", whole);
    attribute(node, "tabindex", whole ? 0 : null); // a box that scrolls can be scrolled by keyboard
    attribute(toggle, "aria-expanded", String(whole));
    say(toggle, whole ? "Show less" : `Show ${part.total === 1 ? "all" : `all ${part.total} lines`}`);
  };
  show(false);
  // Whether lines that wrap are cut by height is known only once they are laid out.
  const laidOut = () => {
    toggle.hidden = !isPart && !open && node.scrollHeight <= node.clientHeight + 1;
  };
  /** @param {import("../types.js").Neighbourhood} around */
  const surround = (around) => {
    fill(node, [
      h("span", "around", around.before && `${around.before}\n`),
      around.text,
      h("span", "around", around.after && `\n${around.after}`),
    ]);
    node.classList.add("open");
    attribute(node, "tabindex", 0);
    toggle.hidden = false;
    open = true;
    say(toggle, "Show less");
  };
  return { node, toggle, surround, laidOut };
}

/**
 * @param {State} state
 * @param {import("../types.js").Candidate} candidate
 * @param {{surround: (around: import("../types.js").Neighbourhood) => void}} text
 */
function actions(state, candidate, text) {
  const { open } = state.host;
  const buttons = [copyButton("Copy citation", () => place(candidate))];
  if (open !== undefined) {
    const around = async () => {
      try {
        text.surround(await open(candidate.chunk_id));
      } catch (error) {
        state.fail(error);
      }
    };
    buttons.push(quiet(around, "Show neighbours"));
  }
  return buttons;
}

/** @param {State} state @param {string} chunkId */
function grades(state, chunkId) {
  const buttons = [0, 1, 2, 3].map((grade) =>
    h(
      "button",
      {
        type: "button",
        title: ["not relevant", "related", "relevant", "perfect"][grade] ?? "",
        on: { click: () => void state.label(chunkId, state.labels[chunkId] === grade ? null : grade) },
      },
      String(grade),
    ),
  );
  const update = () => {
    buttons.forEach((button, grade) => attribute(button, "aria-pressed", String(state.labels[chunkId] === grade)));
  };
  const node = h("span", { class: "grades", role: "group", "aria-label": "Relevance" }, "relevance ", ...buttons);
  return { node, update };
}

/**
 * A button that copies a text, and says that it did.
 *
 * @param {string} name
 * @param {() => string} text
 */
export function copyButton(name, text) {
  const button = quiet(null, name);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      say(button, "Copied");
    } catch {
      say(button, text()); // no clipboard here: shown, to be copied by hand
      button.classList.add("selectable");
    }
  });
  button.addEventListener("blur", () => {
    if (!button.classList.contains("selectable")) say(button, name);
  });
  return button;
}
