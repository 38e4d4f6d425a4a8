import { OWN_KEYS, fill, h } from "../dom/el.js";
import { choice } from "../views/slider.js";
import { sets } from "./model.js";
import { counted, letterOf, meter, named } from "./words.js";

/** @typedef {import("./state.js").Lab} Lab */
/** @typedef {{by: number[], pairs: [number, number][]}} Found */

const SETS = 40;
const LISTED = 100;
const DEPTHS = [1, 3, 5, 10, 20, 50, 100];

/**
 * Which configurations find the same relevant units: a row per combination, the largest first.
 *
 * @param {Lab} lab
 * @param {() => boolean} isShown
 */
export function overlap(lab, isShown) {
  const { view } = lab;
  const depths = DEPTHS.filter((depth) => depth <= view.depth);
  const within = choice({
    name: "Within rank",
    hint: "Down to which rank a unit counts as found",
    choices: depths.map((depth) => [String(depth), String(depth)]),
    moved: (value) => lab.change({ depth: Number(value), set: null }),
  });
  const body = h("div", { class: "sets-body" });
  const node = h("div", { class: "overlap" }, h("div", { class: "fields" }, within.node), body);
  lab.listen(() => {
    within.update(String(lab.depth));
    fill(body, drawn(lab));
  }, isShown);
  return { node, stop: () => {} };
}

/** @param {Lab} lab */
function drawn(lab) {
  const { view } = lab;
  const ran = view.configs.flatMap((config, at) => (config.not_run === null ? [at] : []));
  const all = sets(view, lab.depth);
  const total = all.reduce((sum, set) => sum + set.pairs.length, 0);
  const most = all[0]?.pairs.length ?? 1;
  const own = all.filter((set) => set.by.length === 1).reduce((sum, set) => sum + set.pairs.length, 0);
  const none = all.find((set) => set.by.length === 0)?.pairs.length ?? 0;
  const shown = all.slice(0, SETS);
  return [
    h("p", {}, h("b", {}, counted(total, "relevant pair")), ` of query and ${view.unit}: ${own.toLocaleString("en")} found by one configuration alone, ${none.toLocaleString("en")} by none, within rank ${lab.depth}.`),
    h("ul", { class: "members" }, ...ran.map((at) => h("li", {}, named(view, at)))),
    h("ul", { class: "sets", "aria-label": "Combinations of configurations" }, ...shown.map((set) => row(lab, set, ran, most))),
    all.length > SETS && h("p", { class: "hint" }, `${all.length - SETS} smaller combinations are not shown.`),
  ];
}

/** @param {Lab} lab @param {Found} set @param {number[]} ran @param {number} most */
function row(lab, set, ran, most) {
  const { view } = lab;
  const key = set.by.join();
  const open = lab.set === key;
  const names = set.by.map((at) => view.configs[at]?.name ?? "");
  const told = names.length === 0 ? "by none" : names.length === 1 ? `only ${letterOf(set.by[0] ?? 0)}` : names.length === ran.length ? "by all" : "";
  const dots = ran.map((at) => h("span", { class: set.by.includes(at) ? "dot in" : "dot out" }, letterOf(at)));
  const label = names.length === 0 ? " found by none" : ` found by ${names.length === 1 ? "only " : ""}${names.join(" and ")}`;
  const button = h(
    "button",
    { type: "button", "aria-expanded": String(open), "data-set": key, ...OWN_KEYS, on: { click: (/** @type {Event} */ event) => press(lab, event, open ? null : key) } },
    h("span", { class: "dots", "aria-hidden": "true" }, ...dots),
    h("span", { class: "number" }, set.pairs.length.toLocaleString("en")),
    h("span", { class: "unseen" }, label),
    meter(set.pairs.length / most, set.by.length === 1 ? "top" : "plain"),
    h("span", { class: "dim", "aria-hidden": "true" }, told),
  );
  return h("li", {}, button, open && listed(lab, set));
}

/** Open or close, and keep the focus on the row's new button. @param {Lab} lab @param {Event} event @param {string | null} set */
function press(lab, event, set) {
  const button = /** @type {HTMLElement} */ (event.currentTarget);
  const [root, key] = [/** @type {ShadowRoot} */ (button.getRootNode()), button.dataset["set"]];
  lab.change({ set });
  for (const one of root.querySelectorAll(".sets button")) if (one instanceof HTMLElement && one.dataset["set"] === key) one.focus();
}

/** @param {Lab} lab @param {Found} set */
function listed(lab, set) {
  const { view } = lab;
  const items = set.pairs.slice(0, LISTED).map(([query, unit]) => {
    const grade = new Map(view.grades[query]).get(unit) ?? 0;
    const ranks = set.by.map((at) => `${letterOf(at)} ${(view.rankings[at]?.[query]?.indexOf(unit) ?? -1) + 1}`).join(", ");
    const show = () => lab.change({ query, tab: "queries" });
    return h(
      "li",
      {},
      h("button", { type: "button", class: "quiet", title: "Show this query", ...OWN_KEYS, on: { click: show } }, h("bdi", { dir: "auto" }, view.queries[query] ?? "")),
      h("span", { class: "dim" }, h("bdi", {}, view.units[unit] ?? ""), `, grade ${grade}${ranks === "" ? "" : `; rank ${ranks}`}`),
    );
  });
  const more = set.pairs.length - items.length;
  return h("div", { class: "pairs" }, h("ul", {}, ...items), more > 0 && h("p", { class: "hint" }, `${counted(more, "pair")} more; evaluation.found_only_by(${lab.depth}) has those of one configuration.`));
}
