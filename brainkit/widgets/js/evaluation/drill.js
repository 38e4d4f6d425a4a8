import { attribute, fill, h } from "../dom/el.js";
import { ideal, ndcg } from "./dcg.js";
import { arithmetic, staircase } from "./staircase.js";
import { letterOf, named, number, signed } from "./words.js";

/** @typedef {import("./state.js").Lab} Lab */
/** @typedef {{at: number, value: number}} Bar */
/**
 * @typedef {object} Side one ranking of one query
 * @property {number} config
 * @property {number[]} units best first
 * @property {number[]} gains grade of each; 0 where not judged
 * @property {number | null} score by the chosen measure, as Python computed it
 */

const SHOWN = 10;
const NAMES = 12;

/**
 * One query: what both configurations rank first, and the arithmetic of nDCG.
 *
 * @param {Lab} lab
 * @param {Bar[]} bars
 * @returns {(Node | string)[]}
 */
export function drill(lab, bars) {
  const { view } = lab;
  const query = lab.looked;
  if (query === null) return [];
  const grades = new Map(view.grades[query]);
  const sides = [...new Set([lab.baseline, lab.other])].map((config) => sideOf(lab, config, query, grades));
  const place = bars.findIndex((bar) => bar.at === query);
  const facts = view.fields.filter((field) => !field.counted).map((field) => `${field.name}: ${field.values[field.of[query] ?? 0] ?? ""}`);
  const [a, b] = sides;
  const gain = a && b && a.score !== null && b.score !== null ? b.score - a.score : null;
  return [
    h(
      "div",
      { class: "of-query" },
      h("h4", { class: "asked", "aria-live": "polite" }, h("bdi", { dir: "auto" }, view.queries[query] ?? "")),
      h("p", { class: "hint" }, `Query ${place + 1} of ${bars.length}, id `, h("bdi", {}, view.ids[query] ?? ""), ...facts.flatMap((fact) => [" · ", h("bdi", {}, fact)]), gain !== null && ` · ${view.measures[lab.measure]?.name} ${signed(gain)}`),
      walk(lab, bars, place),
    ),
    lists(lab, sides, grades, query),
    key(grades),
    ...stairs(lab, sides, [...grades.values()]),
  ];
}

/** @param {Lab} lab @param {number} config @param {number} query @param {Map<number, number>} grades @returns {Side} */
function sideOf(lab, config, query, grades) {
  const units = lab.view.rankings[config]?.[query] ?? [];
  return { config, units, gains: units.map((unit) => grades.get(unit) ?? 0), score: lab.scores(config)[query] ?? null };
}

/** @param {Lab} lab @param {Bar[]} bars @param {number} place */
function walk(lab, bars, place) {
  const to = (/** @type {number} */ at, /** @type {string} */ name) => {
    const bar = bars[at];
    return h("button", { type: "button", disabled: bar === undefined, on: { click: (/** @type {Event} */ event) => move(event, bar) } }, name);
  };
  /** The button is drawn anew: the focus goes to the one that took its place. @param {Event} event @param {Bar | undefined} bar */
  const move = (event, bar) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    const [root, name] = [/** @type {ShadowRoot} */ (button.getRootNode()), button.textContent];
    if (bar !== undefined) lab.change({ query: bar.at });
    const again = [...root.querySelectorAll(".walk-queries button")].find((one) => one.textContent === name);
    if (again instanceof HTMLElement) again.focus();
  };
  return h("span", { class: "walk-queries" }, to(place - 1, "‹ previous"), to(place + 1, "next ›"));
}

/**
 * @param {Lab} lab
 * @param {Side[]} sides
 * @param {Map<number, number>} grades
 * @param {number} query
 */
function lists(lab, sides, grades, query) {
  const { view } = lab;
  const measure = view.measures[lab.measure];
  const cutoff = Math.min(measure?.cutoff ?? view.deepest, view.depth);
  let shown = Math.min(cutoff, SHOWN);
  const node = h("div", { class: sides.length > 1 ? "rankings two" : "rankings" });
  const draw = () => {
    const columns = sides.map((side, at) => {
      const against = sides[1 - at];
      const rows = side.units.slice(0, shown).map((unit, i) => row(view.units[unit] ?? "", i + 1, grades.get(unit), against && { letter: letterOf(against.config), rank: against.units.indexOf(unit) + 1, depth: view.depth }));
      const name = h("h5", {}, named(view, side.config), h("span", { class: "number" }, `${measure?.name ?? ""} ${number(side.score)}`));
      return h("div", { class: "ranking" }, name, rows.length > 0 ? h("ol", { "aria-label": `Ranking of ${letterOf(side.config)}` }, ...rows) : h("p", { class: "empty" }, "Nothing found."), missed(lab, side, grades, shown));
    });
    const more = Math.min(cutoff, Math.max(...sides.map((side) => side.units.length)));
    const all = more > shown && h("button", { type: "button", class: "quiet", on: { click: () => ((shown = more), draw()) } }, `Show ${more} ranks`);
    const bound = view.depth < view.deepest && shown >= view.depth && h("p", { class: "hint" }, `This view holds ${view.depth} ranks of each ranking; ${view.deepest} were measured.`);
    fill(node, [...columns, all, bound]);
    attribute(node, "data-query", query);
  };
  draw();
  return node;
}

/**
 * @param {string} unit
 * @param {number} rank
 * @param {number | undefined} grade
 * @param {{letter: string, rank: number, depth: number} | undefined} other
 */
function row(unit, rank, grade, other) {
  const there = other && (other.rank === 0 ? `not in ${other.letter}` : `in ${other.letter} ${other.rank}`);
  return h(
    "li",
    { class: kindOf(grade) },
    h("span", { class: "rank" }, rank),
    chip(grade),
    h("bdi", { class: "unit", title: unit }, unit),
    there !== undefined && h("span", { class: "there dim", title: other?.rank === 0 ? `not among the ${other.depth} ranks that are here` : "its rank there" }, there),
  );
}

/** @param {number | undefined} grade */
function kindOf(grade) {
  return grade === undefined ? "unjudged" : grade > 0 ? "relevant" : "judged";
}

/** @param {number | undefined} grade */
function chip(grade) {
  const told = grade === undefined ? "unjudged" : `grade ${grade}`;
  return h("span", { class: `grade ${kindOf(grade)}`, title: told }, h("span", { class: "unseen" }, `${told} `), h("span", { "aria-hidden": "true" }, grade === undefined ? "?" : String(grade)));
}

/** What is relevant and not among the ranks that are shown. @param {Lab} lab @param {Side} side @param {Map<number, number>} grades @param {number} shown */
function missed(lab, side, grades, shown) {
  const head = new Set(side.units.slice(0, shown));
  const all = [...grades].filter(([unit, grade]) => grade > 0 && !head.has(unit));
  if (all.length === 0) return h("p", { class: "hint" }, "Every relevant one is above.");
  const names = all.slice(0, NAMES).flatMap(([unit, grade], i) => {
    const rank = side.units.indexOf(unit) + 1;
    return [i > 0 && ", ", h("bdi", {}, lab.view.units[unit] ?? ""), ` (grade ${grade}${rank > 0 ? `, rank ${rank}` : ""})`];
  });
  return h("p", { class: "hint missed" }, `Relevant and not in the first ${shown}: `, ...names, all.length > NAMES && ` and ${all.length - NAMES} more`, ".");
}

/** @param {Map<number, number>} grades */
function key(grades) {
  const has = [...grades.values()].some((grade) => grade <= 0);
  return h("p", { class: "key" }, h("span", {}, chip(1), " relevant, with its grade"), has && h("span", {}, chip(0), " judged, not relevant"), h("span", {}, chip(undefined), " nobody judged it"));
}

/** @param {Lab} lab @param {Side[]} sides @param {number[]} judged */
function stairs(lab, sides, judged) {
  const { view } = lab;
  const measure = view.measures[lab.measure];
  const own = measure?.kind === "nDCG";
  const wanted = measure?.cutoff ?? view.deepest;
  const depth = Math.min(wanted, view.depth, own ? view.depth : SHOWN);
  const gain = own ? measure.gain : "linear";
  const name = `nDCG${gain === "exp" ? "(exp)" : ""}@${depth}`;
  const best = ideal(judged, depth);
  const lines = sides.map((side) => ({ letter: letterOf(side.config), grades: side.gains.slice(0, depth), value: ndcg(side.gains, judged, depth, gain) }));
  const note = own && depth < wanted ? `Drawn for the ${depth} ranks that this view holds; the score above looks at ${wanted}.` : own ? "" : `${measure?.name ?? ""} is not made of such steps; the staircase is that of ${name}.`;
  return [
    h("h4", { class: "of-stairs" }, `${name}: gain by rank`),
    h("div", { class: "stairs" }, staircase(lines, best, depth, gain), arithmetic(lines, best, depth, gain)),
    ...(note === "" ? [] : [h("p", { class: "hint" }, note)]),
  ];
}
