import { OWN_KEYS, fill, h, s, say, sized } from "../dom/el.js";
import { choice } from "../views/slider.js";
import { drill } from "./drill.js";
import { mean, outcome, tally } from "./model.js";
import { counted, letterOf, named, number, short, signed, span, tallyBar } from "./words.js";

/** @typedef {import("./state.js").Lab} Lab */
/** @typedef {{at: number, value: number}} Bar */

const [LEFT, TOP, HEIGHT, BOTTOM] = [44, 18, 150, 16];
const PAGE = 10;

/**
 * Every query as a bar, by falling difference: the counts first, the mean last. Choose a bar to
 * see its two rankings.
 *
 * @param {Lab} lab
 * @param {() => boolean} isShown
 */
export function queries(lab, isShown) {
  const { view } = lab;
  const plot = h("div", { class: "plot" });
  const pointed = h("p", { class: "hint pointed" });
  const counts = h("div", { class: "counts" });
  const last = h("p", { class: "mean" });
  const below = h("section", { class: "drill" });
  const other = choice({
    name: "Compare",
    hint: "The configuration that is held against the baseline",
    choices: view.configs.flatMap((config, at) => (config.not_run === null ? [[String(at), `${letterOf(at)} ${short(config.name, 60)}`]] : [])),
    moved: (value) => lab.change({ other: Number(value) }),
  });
  const node = h("div", { class: "queries" }, view.configs.length > 1 && h("div", { class: "fields" }, other.node), counts, plot, pointed, last, below);
  let width = 0;
  const draw = () => {
    const bars = lab.bars();
    other.update(String(lab.other));
    for (const option of other.input.options) option.disabled = option.value === String(lab.baseline);
    fill(counts, lab.paired ? heading(lab, bars) : [h("span", {}, named(view, lab.other), " ", counted(bars.length, "query", "queries"), " by falling score")]);
    if (width > 0) picture(lab, bars, { plot, pointed, width });
    fill(last, ending(lab, bars));
    fill(below, bars.length === 0 ? [h("p", { class: "empty" }, "No query was run by both.")] : drill(lab, bars));
  };
  const stop = sized(plot, (now) => {
    width = now;
    if (isShown()) picture(lab, lab.bars(), { plot, pointed, width });
  });
  lab.listen(draw, isShown);
  return { node, stop };
}

/** @param {Lab} lab @param {Bar[]} bars */
function heading(lab, bars) {
  const counts = tally(bars.map((bar) => bar.value));
  const words = ["win", "tie", "loss"];
  return [
    h("span", {}, named(lab.view, lab.other), " against ", named(lab.view, lab.baseline)),
    h("span", { class: "numbers" }, ...counts.map((count, at) => h("span", { class: `count ${words[at]}` }, h("b", {}, count.toLocaleString("en")), ` ${plural(words[at] ?? "", count)}`))),
    tallyBar(counts),
  ];
}

/** @param {string} word @param {number} count */
function plural(word, count) {
  return count === 1 ? word : word === "loss" ? "losses" : `${word}s`;
}

/** @param {Lab} lab @param {Bar[]} bars */
function ending(lab, bars) {
  const all = mean(bars.map((bar) => bar.value));
  const measure = lab.view.measures[lab.measure]?.name ?? "";
  if (!lab.paired) return [`Mean ${measure} `, h("b", {}, number(all))];
  const against = lab.view.against[lab.measure]?.[lab.baseline]?.[lab.other] ?? null;
  const p = against?.p ?? null;
  return [
    `Mean difference of ${measure} `,
    h("b", {}, signed(all)),
    against !== null && ` ${span(against.low, against.high)}`,
    against !== null && `, 95 % interval; ${p === null ? "p not computed for this pair" : `p = ${number(p)}, corrected`}`,
  ];
}

/**
 * @param {Lab} lab
 * @param {Bar[]} bars
 * @param {{plot: HTMLElement, pointed: HTMLElement, width: number}} into
 */
function picture(lab, bars, { plot, pointed, width }) {
  const { view } = lab;
  const focused = plot.matches(":focus-within");
  const values = bars.map((bar) => bar.value);
  const most = Math.max(...values, lab.paired ? 0 : 1, 1e-9);
  const least = Math.min(...values, 0);
  const step = (width - LEFT) / Math.max(1, bars.length);
  const y = (/** @type {number} */ value) => TOP + ((most - value) / (most - least)) * HEIGHT;
  const looked = lab.looked;
  const chosen = Math.max(0, bars.findIndex((bar) => bar.at === looked));
  const gap = Math.min(2, step * 0.2);
  const options = bars.map((bar, i) => {
    const kind = lab.paired ? outcome(bar.value) : "plain";
    const [top, bottom] = [Math.min(y(bar.value), y(0)), Math.max(y(bar.value), y(0))];
    return s("rect", {
      role: "option",
      class: kind,
      "aria-selected": i === chosen ? "true" : "false",
      "aria-label": `${short(view.queries[bar.at] ?? "", 120)}: ${lab.paired ? signed(bar.value) : number(bar.value)}`,
      tabindex: i === chosen ? 0 : -1,
      x: (LEFT + i * step).toFixed(2),
      width: Math.max(0.4, step - gap).toFixed(2),
      y: (bottom - top < 2 ? top - 1 : top).toFixed(2),
      height: Math.max(2, bottom - top).toFixed(2),
    });
  });
  const at = (/** @type {PointerEvent} */ event) => Math.floor((event.clientX - plot.getBoundingClientRect().left - LEFT) / step);
  const choose = (/** @type {number} */ i) => {
    const bar = bars[Math.min(bars.length - 1, Math.max(0, i))];
    if (bar !== undefined) lab.change({ query: bar.at });
  };
  const tell = (/** @type {number} */ i) => {
    const bar = bars[i];
    say(pointed, bar === undefined ? hint(lab, bars) : `${i + 1} of ${bars.length}: ${lab.paired ? signed(bar.value) : number(bar.value)}, ${short(view.queries[bar.at] ?? "", 140)}`);
  };
  const box = s("g", { role: "listbox", "aria-label": label(lab, bars), "aria-orientation": "horizontal" }, ...options);
  const mark = bars.length > 0 && s("path", { class: "marker", d: `M${(LEFT + (chosen + 0.5) * step).toFixed(1)} ${TOP + HEIGHT + 4}l5 8h-10z` });
  const ticks = [most, 0, least].filter((value, i, all) => i === 1 || Math.abs(y(value) - y(0)) > 12 || all.length === 1);
  const middle = mean(values) ?? 0;
  const svg = s(
    "svg",
    {
      width,
      height: TOP + HEIGHT + BOTTOM,
      role: "group",
      "aria-label": "Differences by query",
      on: {
        click: (/** @type {PointerEvent} */ event) => at(event) >= 0 && choose(at(event)),
        pointermove: (/** @type {PointerEvent} */ event) => tell(at(event)),
        pointerleave: () => tell(-1),
        keydown: (/** @type {KeyboardEvent} */ event) => {
          const to = { ArrowRight: chosen + 1, ArrowLeft: chosen - 1, PageDown: chosen + PAGE, PageUp: chosen - PAGE, Home: 0, End: bars.length - 1 }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          choose(to);
        },
      },
      ...OWN_KEYS,
    },
    ...ticks.map((value) => s("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, lab.paired ? signed(value, 2) : number(value, 2))),
    box,
    s("line", { class: "zero", x1: LEFT, x2: width, y1: y(0), y2: y(0) }),
    bars.length > 1 && s("line", { class: "middle", x1: LEFT, x2: width, y1: y(middle), y2: y(middle) }),
    bars.length > 1 && s("text", { class: "tick", x: width, y: y(middle) - 4, "text-anchor": "end" }, "mean"),
    mark,
  );
  fill(plot, [svg]);
  tell(-1);
  if (focused) options[chosen]?.focus();
}

/** @param {Lab} lab @param {Bar[]} bars */
function label(lab, bars) {
  const what = lab.paired ? `difference of ${letterOf(lab.other)} from ${letterOf(lab.baseline)}` : "score";
  return `${counted(bars.length, "query", "queries")} by falling ${what}`;
}

/** @param {Lab} lab @param {Bar[]} bars */
function hint(lab, bars) {
  const missing = lab.view.queries.length - bars.length;
  const left = missing > 0 ? ` ${counted(missing, "query was", "queries were")} not run and not counted.` : "";
  const side = lab.paired ? `Up: ${letterOf(lab.other)} is better, down: ${letterOf(lab.baseline)} is. ` : "";
  return `${side}Choose a bar, or use the arrow keys.${left}`;
}

