import { OWN_KEYS, fill, h, s } from "../dom/el.js";
import { best, differences, mean, tally } from "./model.js";
import { counted, letterOf, meter, number, signed, span, tallyBar } from "./words.js";

/** @typedef {import("./state.js").Lab} Lab */
/** @typedef {{at: number, means: (number | null)[], gain: number | null, tally: [number, number, number], against: import("./types.js").Against | null}} Row */

const [WIDTH, HEIGHT] = [96, 14]; // of an interval's picture

/**
 * Configurations x measures, and each against the baseline.
 *
 * @param {Lab} lab
 * @param {() => boolean} isShown
 */
export function configurations(lab, isShown) {
  const node = h("div", { class: "configurations" });
  lab.listen(() => fill(node, [table(lab), foot(lab)]), isShown);
  return { node, stop: () => {} };
}

/** @param {Lab} lab @returns {Row[]} */
function rows(lab) {
  const { view } = lab;
  const base = lab.scores(lab.baseline);
  return view.configs.map((_, at) => {
    const gains = at === lab.baseline ? [] : differences(lab.scores(at), base);
    return {
      at,
      means: view.measures.map((_, m) => mean(view.scores[m]?.[at] ?? [])),
      gain: mean(gains),
      tally: tally(gains),
      against: view.against[lab.measure]?.[lab.baseline]?.[at] ?? null,
    };
  });
}

/** What a column sorts by. @param {Lab} lab @param {string} column @returns {(row: Row) => number | string | null} */
function key(lab, column) {
  const config = (/** @type {Row} */ row) => lab.view.configs[row.at];
  if (column.startsWith("measure ")) return (row) => row.means[Number(column.slice(8))] ?? null;
  if (column === "gain") return (row) => row.gain;
  if (column === "wins") return (row) => (row.gain === null ? null : row.tally[0] - row.tally[2]);
  if (column === "p") return (row) => row.against?.p ?? null;
  if (column === "unjudged") return (row) => config(row)?.unjudged ?? null;
  if (column === "p50") return (row) => config(row)?.ms[0] ?? null;
  return (row) => config(row)?.name ?? "";
}

/** Rows in the chosen order; what has no value stays last. @param {Lab} lab @param {Row[]} all */
function ordered(lab, all) {
  if (lab.order === null) return all;
  const { column, falling } = lab.order;
  const of = key(lab, column);
  const sign = falling ? -1 : 1;
  return [...all].sort((a, b) => {
    const [x, y] = [of(a), of(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || a.at - b.at;
    return (x < y ? -1 : x > y ? 1 : 0) * sign || a.at - b.at;
  });
}

/** @param {Lab} lab */
function table(lab) {
  const { view } = lab;
  const all = rows(lab);
  const tops = view.measures.map((_, m) => best(all.map((row) => row.means[m] ?? null)));
  const most = Math.max(1e-9, ...all.flatMap(({ against }) => (against === null ? [] : [Math.abs(against.low), Math.abs(against.high)])));
  const many = view.configs.length > 1;
  const heads = [
    header(lab, "name", "Configuration", "name", false),
    ...view.measures.map((one, m) => header(lab, `measure ${m}`, one.name, m === lab.measure ? "n chosen" : "n rest", true)),
    ...(many ? [header(lab, "gain", `Difference, 95 % interval`, "n", true), header(lab, "wins", "Win / tie / loss", "n", true), header(lab, "p", "p", "n", false)] : []),
    header(lab, "unjudged", `Unjudged@${view.unjudged_at}`, "n", true),
    header(lab, "p50", "p50 / p95 ms", "n", false),
  ];
  const body = ordered(lab, all).map((row) => line(lab, row, { tops, most, many }));
  const caption = h("caption", { class: "unseen" }, `Configurations of ${view.dataset}, compared by ${view.measures[lab.measure]?.name ?? ""} with ${view.configs[lab.baseline]?.name ?? ""}`);
  const scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of configurations", ...OWN_KEYS });
  scroll.append(h("table", { class: "grid" }, caption, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...body)));
  return scroll;
}

/** @param {Lab} lab @param {string} column @param {string} title @param {string} kind @param {boolean} falling whether the largest comes first */
function header(lab, column, title, kind, falling) {
  const now = lab.order?.column === column ? lab.order : null;
  const next = now === null ? { column, falling } : now.falling === falling ? { column, falling: !falling } : null;
  const sign = now === null ? "" : now.falling ? " ▼" : " ▲";
  const sort = now === null ? null : now.falling ? "descending" : "ascending";
  const button = h("button", { type: "button", class: "sort", title: "Sort", ...OWN_KEYS, on: { click: (/** @type {Event} */ event) => press(lab, event, next) } }, `${title}${sign}`);
  return h("th", { scope: "col", class: kind, "aria-sort": sort, "data-column": column }, button);
}

/** Sort, and keep the focus on the column's new button. @param {Lab} lab @param {Event} event @param {Lab["order"]} order */
function press(lab, event, order) {
  const button = /** @type {HTMLElement} */ (event.currentTarget);
  const root = /** @type {ShadowRoot} */ (button.getRootNode());
  const column = button.parentElement?.dataset["column"] ?? "";
  lab.change({ order });
  for (const head of root.querySelectorAll("th")) if (head.dataset["column"] === column) head.querySelector("button")?.focus();
}

/** @param {Lab} lab @param {Row} row @param {{tops: Set<number>[], most: number, many: boolean}} all */
function line(lab, row, { tops, most, many }) {
  const { view } = lab;
  const config = view.configs[row.at];
  const base = row.at === lab.baseline;
  const settings = (config?.settings ?? []).map(([name, value]) => `${name} ${value}`).join(", ");
  const ran = row.means.some((value) => value !== null);
  const title = [h("b", { class: "letter" }, letterOf(row.at)), h("bdi", { title: config?.name ?? "" }, config?.name ?? "")];
  const open = () => lab.change({ other: row.at, tab: "queries" });
  const name = h(
    "th",
    { scope: "row", class: "name" },
    base || !ran || !many
      ? h("span", { class: "config" }, ...title)
      : h("button", { type: "button", class: "config", title: "Query by query", ...OWN_KEYS, on: { click: open } }, ...title),
    h("span", { class: "set dim" }, h("bdi", {}, base && many ? `baseline; ${settings}` : settings)),
  );
  if (!ran) {
    const reason = config?.not_run ?? "no query was run";
    return h("tr", { class: "idle" }, name, h("td", { colspan: view.measures.length + (many ? 5 : 2) }, h("b", {}, "not run"), " ", h("bdi", { class: "dim" }, reason)));
  }
  const asked = view.scores[0]?.[row.at]?.filter((value) => value !== null).length ?? 0;
  const cells = row.means.map((value, m) => {
    const top = many && tops[m]?.has(row.at);
    return h(
      "td",
      { class: `n ${m === lab.measure ? "chosen" : "rest"}${top ? " top" : ""}` },
      h("span", { class: "value" }, top && h("span", { class: "star", title: "best of this column" }, "★", h("span", { class: "unseen" }, "best ")), number(value)),
      meter(value, top ? "top" : "plain"),
      m === lab.measure && asked < view.queries.length && h("span", { class: "dim" }, `${asked} of ${view.queries.length} run`),
    );
  });
  return h("tr", { class: base && many ? "base" : "" }, name, ...cells, ...(many ? compared(row, base, most) : []), ...cost(config));
}

/** @param {Row} row @param {boolean} base @param {number} most */
function compared(row, base, most) {
  if (base) return [h("td", { class: "dim", colspan: 3 }, "what the others are compared with")];
  const { against } = row;
  return [
    h("td", { class: "n gain" }, h("span", { class: "value" }, against !== null && whisker(row.gain ?? 0, against, most), signed(row.gain)), against !== null && h("span", { class: "dim" }, span(against.low, against.high))),
    h("td", { class: "n" }, h("span", { class: "value" }, row.tally.join(" / ")), tallyBar(row.tally)),
    h("td", { class: "n" }, against?.p === null || against === null ? h("span", { class: "dim", title: "not tested against this baseline" }, "–") : number(against.p)),
  ];
}

/** @param {import("./types.js").Config | undefined} config */
function cost(config) {
  return [
    h("td", { class: "n" }, config?.unjudged === null || config === undefined ? "–" : `${number(config.unjudged * 100, 0)} %`),
    h("td", { class: "n" }, `${number(config?.ms[0], 0)} / ${number(config?.ms[1], 0)}`),
  ];
}

/** An interval around its mean, on an axis that all rows share; decoration beside numbers. @param {number} gain @param {import("./types.js").Against} one @param {number} most */
function whisker(gain, one, most) {
  const x = (/** @type {number} */ value) => 4 + ((value + most) / (2 * most)) * (WIDTH - 8);
  const mid = HEIGHT / 2;
  return s(
    "svg",
    { class: "whisker", width: WIDTH, height: HEIGHT, "aria-hidden": "true" },
    s("line", { class: "zero", x1: x(0), x2: x(0), y1: 0, y2: HEIGHT }),
    s("line", { class: "span", x1: x(one.low), x2: x(one.high), y1: mid, y2: mid }),
    s("circle", { cx: x(gain), cy: mid, r: 3 }),
  );
}

/** @param {Lab} lab */
function foot({ view }) {
  const many = view.configs.length > 1;
  const told = many ? "★ best of a column. Intervals: 95 %, bootstrap over queries. p: paired randomisation test, corrected by Holm; – was not computed. " : "";
  return h("p", { class: "hint" }, `${told}Unjudged: share of the first ${counted(view.unjudged_at, "result")} that nobody judged. Milliseconds of a query: median and 95th percentile.`);
}
