import { contenders, crossings, heightAt, linesOf, ranked } from "../answer/crossings.js";
import { place } from "../answer/format.js";
import { OWN_KEYS, attribute, fill, h, quiet, s, say, sized } from "../dom/el.js";

/** @typedef {import("../answer/crossings.js").Line} Line */
/** @typedef {import("../answer/crossings.js").Crossing} Crossing */

const TOP = 8; // the lower half shows no more ranks, however many results there are
const [LEFT, RIGHT, PAD] = [32, 32, 8];
const [SCORES, GAP, STEP] = [190, 28, 22];

/**
 * Blended scores are straight lines in alpha; below, on the same axis, the ranks that follow from
 * them. A dot is an exact crossing: choose one to see the pair and the arithmetic.
 *
 * @param {import("./state.js").State} state
 * @param {() => boolean} [isShown] it is drawn only then
 * @returns {{node: HTMLElement, stop: () => void}}
 */
export function alphaPicture(state, isShown) {
  const plot = h("div", "plot");
  const pair = h("div", { class: "pair", "aria-live": "polite" });
  const legend = h("ol", "legend");
  const hint = h("p", "hint", "Score of each contender as alpha moves, and below it the rank that follows. Dots are exact crossings.");
  const node = h("div", "alpha-picture", hint, plot, pair, legend);
  let [width, drawnFor, hand] = [0, "", 0];
  /** @type {{lines: Line[], move: () => void} | null} */
  let drawn = null;
  const draw = () => {
    const { trace, request } = state;
    if (trace === null || width === 0) return;
    const key = [width, trace.generation, request.query, request.normalize, request.similarity_threshold, request.depth, request.top_k].join();
    if (key !== drawnFor || drawn === null) {
      drawnFor = key;
      drawn = picture(state, plot, pair, width);
      hand = -1;
    }
    drawn.move();
    if (hand !== state.request.alpha) label(state, drawn.lines, legend);
    hand = state.request.alpha;
  };
  const stop = sized(plot, (now) => {
    width = now;
    draw();
  });
  state.listen(draw, isShown);
  return { node, stop };
}

/**
 * @param {import("./state.js").State} state
 * @param {HTMLElement} plot
 * @param {HTMLElement} pair
 * @param {number} width
 */
function picture(state, plot, pair, width) {
  const all = linesOf(/** @type {import("../types.js").Trace} */ (state.trace), state.request);
  const shown = Math.min(TOP, state.request.top_k);
  const lines = contenders(all, shown, 0.5);
  const found = crossings(lines);
  const most = Math.max(...lines.flatMap((line) => [line.v, line.b]), 1e-9);
  const floor = floorOf(lines, found, shown, most);
  const x = (/** @type {number} */ alpha) => LEFT + alpha * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ score) => PAD + ((most - score) / (most - floor)) * SCORES;
  const row = (/** @type {number} */ rank) => PAD + SCORES + GAP + (rank - 1) * STEP;
  const bottom = row(shown);
  const steps = intervals(found).map((alpha) => ranks(all, lines, alpha));
  const marks = found.filter((_, i) => lines.some((line) => {
    const [was = Infinity, is = Infinity] = [steps[i]?.get(line.id), steps[i + 1]?.get(line.id)];
    return was !== is && Math.min(was, is) <= shown;
  }));
  const groups = lines.map((line, i) => {
    const letter = letterOf(i);
    const level = steps.map((now) => now.get(line.id) ?? Infinity);
    const [first = Infinity, last = Infinity] = [level[0], level.at(-1)];
    const cut = (floor - line.b) / (line.v - line.b);
    const [from, to] = [line.b < floor ? cut : 0, line.v < floor ? cut : 1];
    return s(
      "g",
      { class: "line", "data-id": line.id },
      s("title", {}, `${letter} ${placeOf(state, line)}`),
      s("line", { x1: x(from), y1: y(heightAt(line, from)), x2: x(to), y2: y(heightAt(line, to)) }),
      s("path", { d: bump(level, found, shown, x, row) }),
      first <= shown && s("text", { x: LEFT - 8, y: row(first) + 4, "text-anchor": "end" }, `${first} ${letter}`),
      last <= shown && s("text", { x: width - RIGHT + 8, y: row(last) + 4 }, `${last} ${letter}`),
    );
  });
  const dots = marks.map((one, i) => dot(state, one, lines, pair, { x: x(one.alpha), y: y(heightAt(one.up, one.alpha)), first: i === 0 }));
  const cursor = s("line", { class: "cursor", y1: PAD - 4, y2: bottom + 8 });
  const axis = [0, 0.25, 0.5, 0.75, 1].map((alpha) => s("text", { class: "tick", x: x(alpha), y: bottom + 22, "text-anchor": "middle" }, String(alpha)));
  const scale = [
    ...[most, floor].map((score) => s("text", { class: "tick", x: LEFT - 6, y: y(score) + 4, "text-anchor": "end" }, score.toFixed(most < 10 ? 2 : 0))),
    s("line", { class: "base", x1: x(0), x2: x(1), y1: y(floor), y2: y(floor) }),
  ];
  const label = `Scores and ranks of ${lines.length} candidates over alpha, with ${marks.length} crossings`;
  fill(plot, [s("svg", { width, height: bottom + 26, role: "group", "aria-label": label }, ...scale, ...axis, cursor, ...groups, ...dots)]);
  fill(pair, []);
  return {
    lines,
    move: () => {
      const at = x(state.request.alpha).toFixed(1);
      attribute(cursor, "x1", at);
      attribute(cursor, "x2", at);
      const top = new Set(state.answer.results.map((result) => String(result.candidate.order)));
      for (const group of groups) {
        const id = group.dataset["id"] ?? "";
        group.classList.toggle("chosen", id === String(state.chosen));
        group.classList.toggle("top", top.has(id));
      }
    },
  };
}

/** Just below all that is ever ranked. @param {Line[]} lines @param {Crossing[]} found @param {number} shown @param {number} most */
function floorOf(lines, found, shown, most) {
  const last = [0, 1, ...found.map((one) => one.alpha)].map((at) => ranked(lines, at).slice(0, shown).reduce((_, line) => heightAt(line, at), most));
  const [least, per] = [Math.min(...last), most < 10 ? 100 : 1];
  const below = (Math.ceil((least - (most - least) / 16) * per) - 1) / per;
  return least < 0 ? below : Math.max(below, 0);
}

/**
 * A rank over alpha as a path: level between crossings, a short slope centred on each, and nothing
 * drawn below the last rank that is shown.
 *
 * @param {number[]} level rank in each interval between crossings
 * @param {Crossing[]} found
 * @param {number} shown ranks below it are not drawn
 * @param {(alpha: number) => number} x
 * @param {(rank: number) => number} row
 */
function bump(level, found, shown, x, row) {
  /** @type {string[]} */
  const path = [];
  let pen = false;
  /** @param {number} px @param {number} rank */
  const to = (px, rank) => {
    if (rank <= shown) path.push(`${pen ? "L" : "M"}${px.toFixed(1)} ${row(rank).toFixed(1)}`);
    pen = rank <= shown;
  };
  to(x(0), level[0] ?? Infinity);
  found.forEach((one, i) => {
    const [was = Infinity, is = Infinity] = [level[i], level[i + 1]];
    if (was === is) return;
    const room = Math.min(one.alpha - (found[i - 1]?.alpha ?? 0), (found[i + 1]?.alpha ?? 1) - one.alpha);
    const half = Math.min(5, (x(room) - x(0)) / 2);
    to(x(one.alpha) - half, was);
    to(x(one.alpha) + half, is);
  });
  to(x(1), level.at(-1) ?? Infinity);
  return path.join("");
}

/**
 * A crossing that can be chosen. One of them is a tab stop, and arrow keys go from one to the next.
 *
 * @param {import("./state.js").State} state
 * @param {Crossing} one
 * @param {Line[]} lines
 * @param {HTMLElement} pair
 * @param {{x: number, y: number, first: boolean}} at
 */
function dot(state, one, lines, pair, at) {
  const [up, down] = [letterOf(lines.indexOf(one.up)), letterOf(lines.indexOf(one.down))];
  const show = () => {
    const [i, j] = [one.up, one.down];
    const rise = j.b - i.b;
    fill(pair, [
      h("b", {}, `${up} passes ${down} at alpha ${one.alpha.toFixed(4)}`),
      h("code", {}, `(${j.b.toFixed(4)} - ${i.b.toFixed(4)}) / ((${i.v.toFixed(4)} - ${j.v.toFixed(4)}) + ${rise.toFixed(4)})`),
      quiet(() => state.change({ alpha: one.alpha }), "Go there"),
    ]);
  };
  return s(
    "g",
    {
      class: "dot",
      role: "button",
      tabindex: at.first ? 0 : -1,
      ...OWN_KEYS,
      "aria-label": `${up} passes ${down} at alpha ${one.alpha.toFixed(3)}`,
      on: {
        click: show,
        keydown: (/** @type {KeyboardEvent} */ event) => {
          const me = /** @type {SVGGElement} */ (event.currentTarget);
          const step = { ArrowRight: me.nextElementSibling, ArrowLeft: me.previousElementSibling }[event.key];
          if (event.key === "Enter" || event.key === " ") show();
          else if (step instanceof SVGGElement && step.classList.contains("dot")) {
            attribute(me, "tabindex", -1);
            attribute(step, "tabindex", 0);
            step.focus();
          } else return;
          event.preventDefault();
        },
      },
    },
    s("circle", { class: "hit", cx: at.x, cy: at.y, r: 9 }),
    s("circle", { cx: at.x, cy: at.y, r: 2.6 }),
  );
}

/** Midpoints between crossings: ranks don't change inside. @param {Crossing[]} found */
function intervals(found) {
  const borders = [0, ...found.map((one) => one.alpha), 1];
  return borders.slice(1).map((end, i) => ((borders[i] ?? 0) + end) / 2);
}

/** @param {Line[]} all @param {Line[]} lines @param {number} alpha */
function ranks(all, lines, alpha) {
  return new Map(
    lines.map((line) => {
      const own = heightAt(line, alpha);
      let rank = 1;
      for (const other of all) {
        const height = heightAt(other, alpha);
        if (height > own || (height === own && other.id < line.id)) rank += 1;
      }
      return [line.id, rank];
    }),
  );
}

/** @param {import("./state.js").State} state @param {Line[]} lines @param {HTMLElement} legend */
function label(state, lines, legend) {
  const letters = new Map(lines.map((line, i) => [line.id, letterOf(i)]));
  const now = ranked(lines, state.request.alpha);
  if (legend.childElementCount !== now.length) {
    fill(legend, now.map(() => h("li", {}, quiet(null))));
  }
  now.forEach((line, i) => {
    const button = /** @type {HTMLButtonElement} */ (legend.children[i]?.firstElementChild);
    const full = placeOf(state, line);
    say(button, `${letters.get(line.id)} ${full.slice(full.lastIndexOf("/") + 1)}`);
    attribute(button, "title", full);
    button.onclick = () => state.choose(line.id);
  });
}

/** @param {import("./state.js").State} state @param {Line} line */
function placeOf(state, line) {
  const candidate = state.trace?.candidates.find((one) => one.order === line.id);
  return candidate === undefined ? "" : place(candidate);
}

/** @param {number} i */
function letterOf(i) {
  return i < 26 ? String.fromCharCode(65 + i) : `${String.fromCharCode(64 + Math.floor(i / 26))}${String.fromCharCode(65 + (i % 26))}`;
}
