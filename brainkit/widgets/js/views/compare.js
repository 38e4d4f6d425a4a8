import { compareCall } from "../answer/code.js";
import { compared, resultAt, side, summary } from "../answer/compare.js";
import { place } from "../answer/format.js";
import { attribute, fill, h, s, say } from "../dom/el.js";
import { marked } from "../dom/marked.js";
import { ROW, standingList } from "./compare_list.js";
import { modePicker } from "./mode_picker.js";
import { notices } from "./result_list.js";
import { copyButton } from "./result_row.js";
import { scoreBreakdown } from "./score_breakdown.js";
import { settings } from "./settings.js";
import { State } from "./state.js";

/** @typedef {import("../answer/compare.js").Compared} Compared */
/** @typedef {import("../answer/compare.js").Side} Side */

/**
 * One question under two settings: both lists with lines between them, and a chosen chunk explained
 * under both. Each side's sliders move what its trace can answer.
 *
 * @param {State} state what came in: A, and `view.other` for B
 */
export function compare(state) {
  const { view } = state;
  const other = view.other ?? { request: view.request, trace: null };
  const a = new State({ ...view }, { changed: (request, settled) => state.host.changed?.(request, settled) });
  const b = new State(
    { ...view, ...other, trace: other.trace ?? view.trace },
    {
      changed: (request, settled) => {
        other.request = request;
        state.host.changedOther?.(request, settled);
      },
    },
  );
  const sides = [a, b].map((one) => ({ state: one, now: sideOf(one) }));
  /** @type {Compared[]} */
  let rows = [];
  let chosen = view.selected;
  /** @param {string} id */
  const choose = (id) => {
    chosen = id;
    state.host.selected?.(id);
    for (const one of sides) one.state.tell();
  };
  const told = h("p", { class: "summary", "aria-live": "polite" });
  const lines = s("svg", { class: "moves", preserveAspectRatio: "none", "aria-hidden": "true" });
  const lists = sides.map((_, at) => standingList(at, choose));
  const code = h("code", { tabindex: 0 });
  const text = h("div", "of-chunk");
  const reasons = sides.map((one, at) => reason(one, at, () => chosen));
  const whole = h(
    "div",
    { class: "sides", css: { "--row": `${ROW}px` } },
    ...sides.flatMap((one, at) => [
      controls(one.state, at),
      h("section", { class: `list of-${name(at)}`, "aria-label": `Results of ${name(at)}` }, lists[at]?.node ?? null),
    ]),
    lines,
  );
  const draw = () => {
    const [first, second] = sides.map((one) => one.now());
    if (first === undefined || second === undefined) return;
    rows = compared(first, second);
    if (chosen === null || !rows.some((row) => row.id === chosen)) chosen = rows[0]?.id ?? null;
    say(told, summary(rows, first, second));
    lists.forEach((list, at) => list.update(rows, (at === 0 ? first : second).results, chosen));
    join(lines, rows, chosen);
    about(text, rows.find((row) => row.id === chosen) ?? null);
    say(code, compareCall(a.request, b.request));
  };
  a.listen(draw);
  b.listen(draw);
  for (const { watch } of reasons) watch();
  const node = h(
    "div",
    "answer compare",
    h("header", {}, h("h3", "query", h("bdi", {}, view.request.query)), told),
    whole,
    h("section", { class: "both-reasons", "aria-label": "Why, under both" }, text, ...reasons.map((one) => one.node)),
    h("footer", {}, code, copyButton("Copy as code", () => compareCall(a.request, b.request))),
  );
  const stop = () => {
    a.stop();
    b.stop();
  };
  return { node, stop };
}

/** @param {number} at */
function name(at) {
  return at === 0 ? "A" : "B";
}

/**
 * What a side shows, and its whole ranking, made anew only when its answer is.
 *
 * @param {State} state
 */
function sideOf(state) {
  /** @type {Side} */
  let known = { results: [], standing: new Map() };
  /** @type {import("../types.js").Answer | null} */
  let from = null;
  return () => {
    if (state.trace !== null && state.answer !== from) {
      from = state.answer;
      known = side(state.trace, state.request, from.results);
    }
    return known;
  };
}

/** @param {State} state @param {number} at */
function controls(state, at) {
  const all = settings(state);
  const more = h("details", {}, h("summary", {}, "More settings"), all.querySelector(".fields"));
  // A form of its own keeps each side's radio buttons apart.
  return h(
    "form",
    { class: `side of-${name(at)}`, "aria-label": `Settings of ${name(at)}`, on: { submit: (event) => event.preventDefault() } },
    h("div", "head-of", h("h4", "letter", name(at)), modePicker(state)),
    all,
    more,
    notices(state),
  );
}

/**
 * A curve from each shared chunk's rank in A to that in B.
 *
 * @param {SVGSVGElement} svg
 * @param {Compared[]} rows
 * @param {string | null} chosen
 */
function join(svg, rows, chosen) {
  const shared = rows.filter((row) => row.where === "both");
  const height = Math.max(0, ...rows.flatMap((row) => row.ranks.map((rank, at) => (row.where === "both" || row.where === "ab"[at] ? (rank ?? 0) : 0)))) * ROW;
  attribute(svg, "viewBox", `0 0 100 ${height}`);
  attribute(svg, "height", height);
  const y = (/** @type {number | null} */ rank) => ((rank ?? 0) - 0.5) * ROW;
  fill(
    svg,
    shared.map(({ id, ranks: [from, to], move }) =>
      s("path", {
        class: `${(move ?? 0) > 0 ? "up" : (move ?? 0) < 0 ? "down" : "stays"}${id === chosen ? " chosen" : ""}`,
        d: `M0 ${y(from)}C50 ${y(from)} 50 ${y(to)} 100 ${y(to)}`,
      }),
    ),
  );
}

/** @param {HTMLElement} into @param {Compared | null} row */
function about(into, row) {
  const key = row?.id ?? "";
  if (into.dataset["key"] === key) return;
  into.dataset["key"] = key;
  if (row === null) {
    fill(into, []);
    return;
  }
  const { text, marks } = row.candidate;
  fill(into, [h("h4", {}, h("bdi", {}, place(row.candidate))), h("pre", { class: "text open", dir: "auto", tabindex: 0 }, ...marked(text, marks))]);
}

/**
 * Why the chosen chunk stands where it does on one side.
 *
 * @param {{state: State, now: () => Side}} one
 * @param {number} at
 * @param {() => string | null} chosen
 */
function reason({ state, now }, at, chosen) {
  const find = () => {
    const id = chosen();
    return id === null || state.trace === null ? null : resultAt(state.trace, state.request, id, now());
  };
  /** @type {import("../types.js").Result | null} */
  let found = null;
  const note = h("p", "hint");
  const reasons = h("div");
  const node = h("div", `reason of-${name(at)}`, h("div", "head-of", h("h4", "letter", name(at)), note), reasons);
  const watch = () => {
    state.listen(() => {
      found = find();
      const beyond = found !== null && found.rank > now().results.length;
      note.hidden = found !== null && !beyond;
      reasons.hidden = found === null;
      say(note, found === null ? `Not a candidate: nothing that ${name(at)} asks listed it within depth ${state.request.depth}.` : `Beyond what ${name(at)} shows: its rank would be ${found.rank}.`);
    });
    reasons.append(scoreBreakdown(state, () => found !== null, () => found));
  };
  return { node, watch };
}
