import { attribute, fill, h, say } from "../dom/el.js";
import { choice } from "../views/slider.js";
import { tabs } from "../views/tabs.js";
import { configurations } from "./configs.js";
import { fields } from "./fields.js";
import { overlap } from "./overlap.js";
import { queries } from "./queries.js";
import { counted, letterOf, short } from "./words.js";

/** @typedef {import("./state.js").Lab} Lab */
/** @typedef {{node: HTMLElement, stop: () => void}} Drawn */

/**
 * An evaluation: the measure and the baseline above, four views of the same scores below.
 *
 * @param {Lab} lab
 * @returns {Drawn}
 */
export function evaluation(lab) {
  const { view } = lab;
  const shown = (/** @type {string} */ name) => () => lab.tab === name;
  const many = view.configs.length > 1;
  /** @type {(() => void)[]} */
  const ends = [];
  /** @param {(lab: Lab, isShown: () => boolean) => Drawn} make @param {string} name */
  const made = (make, name) => {
    const drawn = make(lab, shown(name));
    ends.push(drawn.stop);
    return drawn.node;
  };
  if (view.queries.length === 0) {
    return { node: h("div", { class: "lab" }, head(lab), h("p", { class: "empty" }, "No queries: there is nothing to compare.")), stop: () => lab.stop() };
  }
  const bar = tabs(
    [
      { name: "configurations", title: "Configurations", node: made(configurations, "configurations"), offered: () => true },
      { name: "queries", title: "Query by query", node: made(queries, "queries"), offered: () => true },
      { name: "fields", title: "By field", node: made(fields, "fields"), offered: () => view.fields.length > 0 },
      { name: "overlap", title: "Overlap", node: made(overlap, "overlap"), offered: () => many },
    ],
    (name) => lab.change({ tab: name }),
  );
  attribute(/** @type {Element} */ (bar.node.querySelector("[role=tablist]")), "aria-label", "Views of this evaluation");
  // A configuration's button opens another tab; the bar follows the state, and keeps what was open.
  const follow = () => {
    if (!bar.isOpen(lab.tab)) bar.node.querySelectorAll("button")[["configurations", "queries", "fields", "overlap"].indexOf(lab.tab)]?.click();
  };
  const node = h("div", { class: "lab" }, head(lab), notes(lab), controls(lab), bar.node);
  lab.watching.push({ draw: follow, isShown: () => !bar.isOpen(lab.tab), stale: true });
  lab.change({});
  return {
    node,
    stop: () => {
      lab.stop();
      for (const end of ends) end();
    },
  };
}

/** @param {Lab} lab */
function head({ view }) {
  const facts = [counted(view.queries.length, "query", "queries"), view.done < view.queries.length && `${view.done.toLocaleString("en")} run`, `rankings of ${view.unit}s`, view.generation];
  return h("header", {}, h("h3", { class: "query" }, h("bdi", {}, view.dataset)), h("span", { class: "dim" }, h("bdi", {}, facts.filter(Boolean).join(", "))));
}

/** @param {Lab} lab */
function notes({ view }) {
  if (view.notes.length === 0) return h("div", { class: "notices" });
  const items = view.notes.map((note) => h("p", { class: "notice" }, h("bdi", {}, note)));
  const more = view.notes_left_out > 0 && h("p", { class: "hint" }, `${view.notes_left_out} more notes are not in this view.`);
  if (items.length < 3) return h("div", { class: "notices" }, ...items, more);
  return h("details", {}, h("summary", {}, `${view.notes.length + view.notes_left_out} notes`), h("div", { class: "notices" }, ...items, more));
}

/** @param {Lab} lab */
function controls(lab) {
  const { view } = lab;
  const measure = choice({
    name: "Measure",
    hint: "By what configurations are compared",
    choices: view.measures.map((one, at) => [String(at), one.name]),
    moved: (value) => lab.change({ measure: Number(value) }),
  });
  const baseline = choice({
    name: "Baseline",
    hint: "What the others are compared with",
    choices: view.configs.flatMap((config, at) => (config.not_run === null || at === lab.baseline ? [[String(at), `${letterOf(at)} ${short(config.name, 60)}`]] : [])),
    moved: (value) => lab.change({ baseline: Number(value) }),
  });
  const own = h("p", { class: "hint" });
  lab.listen(() => {
    measure.update(String(lab.measure));
    baseline.update(String(lab.baseline));
    const moved = lab.baseline !== view.baseline;
    say(own, moved ? `p-values are there against ${short(view.configs[view.baseline]?.name ?? "", 60)} only: brainkit.evaluate(…, baseline=…) tests against another.` : "");
    own.hidden = !moved;
  });
  const node = h("div", { class: "fields" });
  fill(node, [measure.node, view.configs.length > 1 && baseline.node]);
  return h("div", { class: "controls" }, node, own);
}
