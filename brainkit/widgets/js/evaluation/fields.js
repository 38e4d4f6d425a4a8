import { OWN_KEYS, fill, h } from "../dom/el.js";
import { choice } from "../views/slider.js";
import { best, groups, mean } from "./model.js";
import { letterOf, meter, named, number } from "./words.js";

/** @typedef {import("./state.js").Lab} Lab */

/**
 * The chosen measure by what is known of the queries.
 *
 * @param {Lab} lab
 * @param {() => boolean} isShown
 */
export function fields(lab, isShown) {
  const { view } = lab;
  const by = choice({
    name: "Field",
    hint: "By what the queries are told apart",
    choices: view.fields.map((field, at) => [String(at), field.counted ? `${field.name} (counted)` : field.name]),
    moved: (value) => lab.change({ field: Number(value) }),
  });
  const body = h("div");
  const node = h("div", { class: "by-field" }, h("div", { class: "fields" }, by.node), body);
  lab.listen(() => {
    by.update(String(lab.field));
    fill(body, [table(lab), foot(lab)]);
  }, isShown);
  return { node, stop: () => {} };
}

/** @param {Lab} lab */
function table(lab) {
  const { view } = lab;
  const field = view.fields[lab.field];
  if (field === undefined) return h("p", { class: "empty" }, "No fields.");
  const ran = view.configs.flatMap((config, at) => (config.not_run === null ? [at] : []));
  const heads = ran.map((at) => h("th", { scope: "col", class: "n" }, named(view, at)));
  const rows = groups(field).map(({ value, queries }) => {
    const means = ran.map((at) => mean(queries.map((query) => lab.scores(at)[query] ?? null)));
    const tops = ran.length > 1 ? best(means) : new Set();
    const cells = means.map((one, i) =>
      h("td", { class: `n${tops.has(i) ? " top" : ""}` }, h("span", { class: "value" }, tops.has(i) && h("span", { class: "star" }, "★", h("span", { class: "unseen" }, "best ")), number(one)), meter(one, tops.has(i) ? "top" : "plain")),
    );
    return h("tr", {}, h("th", { scope: "row", class: "name" }, h("bdi", { title: value }, value)), h("td", { class: "n" }, queries.length.toLocaleString("en")), ...cells);
  });
  const caption = h("caption", { class: "unseen" }, `${view.measures[lab.measure]?.name ?? ""} by ${field.name}`);
  const scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `${view.measures[lab.measure]?.name ?? ""} by ${field.name}`, ...OWN_KEYS });
  scroll.append(h("table", { class: "grid" }, caption, h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "name" }, h("bdi", {}, field.name)), h("th", { scope: "col", class: "n" }, "queries"), ...heads)), h("tbody", {}, ...rows)));
  return scroll;
}

/** @param {Lab} lab */
function foot({ view, baseline, measure }) {
  const left = view.fields_left_out > 0 ? ` ${view.fields_left_out} fields with too many values, or of a single query, are not offered.` : "";
  return h("p", { class: "hint" }, `Mean ${view.measures[measure]?.name ?? ""} of each group; ★ the best. ${letterOf(baseline)} is the baseline. Small groups differ by luck.${left}`);
}
