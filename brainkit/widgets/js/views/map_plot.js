import { keptWords, kindOf, neighboursOf, placeOf, QUESTION } from "../answer/map.js";
import { OWN_KEYS, attribute, fill, h, s, say } from "../dom/el.js";
import { sign } from "./map_signs.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../types.js").MapData} MapData */
/** @typedef {{x: number, y: number}} Spot */

const PAD = 16;
const REACH = 14; // CSS pixels from a point at which it is meant
const NUMBERED = 10; // results whose rank is written beside them
const [LOW, HIGH] = [220, 460];

/**
 * The picture itself. One unit is as long on both axes. A cursor that takes the focus stands on
 * what is picked; arrow keys take it to the nearest point in their direction.
 *
 * @param {State} state
 * @param {MapData} data
 * @param {number[]} kinds number of each point's sign
 * @param {number} width
 * @param {(point: number, decided?: boolean) => void} pick
 */
export function mapPlot(state, data, kinds, width, pick) {
  const { spots, height } = scaled(data, width);
  const at = (/** @type {number} */ point) => spots[point === QUESTION ? spots.length - 1 : point] ?? { x: 0, y: 0 };
  const points = data.order.map((_, i) => s("path", { ...sign(kinds[i] ?? 0), transform: moved(at(i)) }));
  const [links, rings] = [s("g", "links"), s("g", "rings")];
  const star = data.query && s("path", { ...sign("question"), transform: moved(at(QUESTION)) });
  const cursor = s("circle", { r: 10 });
  const hand = s("g", { class: "cursor", role: "button", tabindex: 0, ...OWN_KEYS, on: { keydown } }, cursor);
  const label = s("text", "over");
  const svg = s(
    "svg",
    {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      "aria-label": `Map. ${data.summary}`,
      on: {
        pointermove: (/** @type {PointerEvent} */ event) => over(nearest(event)),
        pointerleave: () => over(null),
        click: (/** @type {MouseEvent} */ event) => {
          const point = nearest(event);
          if (point === null) return;
          pick(point, true);
          hand.focus({ preventScroll: true });
        },
      },
    },
    ...points,
    links,
    rings,
    star,
    hand,
    label,
  );
  const [across, up] = data.axes;
  const node = h("div", {}, h("p", "axis-name", `↑ ${up}`), svg, h("p", "axis-name end", `${across} →`));
  /** @type {number | null} */
  let hovered = null;
  let current = QUESTION;
  let [drawnLinks, drawnRings] = [NaN, ""];

  /** @param {number | null} point */
  function over(point) {
    if (point === hovered) return;
    hovered = point;
    attribute(svg, "data-over", point !== null);
    state.point(point === null ? null : (data.order[point] ?? null));
    name();
  }

  /** Writes beside a point what it is: the one under the mouse, or that of a row under it. */
  function name() {
    const pointed = state.pointed === null ? -1 : data.order.indexOf(state.pointed);
    const point = hovered ?? (pointed >= 0 ? pointed : null);
    if (point === null) {
      say(label, "");
      return;
    }
    const spot = at(point);
    const isRight = spot.x > width / 2;
    const full = placeOf(data, point);
    say(label, point === QUESTION ? "the question" : full.slice(full.lastIndexOf("/") + 1).slice(-48));
    attribute(label, "x", spot.x + (isRight ? -12 : 12));
    attribute(label, "y", spot.y - 8);
    attribute(label, "text-anchor", isRight ? "end" : "start");
  }

  /** @param {MouseEvent} event @returns {number | null} */
  function nearest(event) {
    const box = svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return closest((spot) => Math.hypot(spot.x - x, spot.y - y), REACH);
  }

  /** @param {(spot: Spot) => number} distance @param {number} [most] */
  function closest(distance, most = Infinity) {
    /** @type {number | null} */
    let best = null;
    spots.forEach((spot, i) => {
      const away = distance(spot);
      if (away < most) [best, most] = [i === data.order.length ? QUESTION : i, away];
    });
    return best;
  }

  /** @param {KeyboardEvent} event */
  function keydown(event) {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    const from = at(current);
    if (step !== undefined) {
      const [dx = 0, dy = 0] = step;
      const next = closest(({ x, y }) => {
        const [along, aside] = [(x - from.x) * dx + (y - from.y) * dy, Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx)];
        return along > 0.5 && aside <= along ? Math.hypot(along, aside) : Infinity;
      });
      if (next !== null) pick(next);
    } else if (event.key === "Home") pick(data.query ? QUESTION : 0);
    else if (event.key === "Enter" || event.key === " ") pick(current, true);
    else return;
    event.preventDefault();
  }

  /** @param {number} picked */
  function update(picked) {
    current = picked;
    const spot = at(picked);
    attribute(hand, "transform", moved(spot));
    attribute(hand, "aria-label", spoken(data, picked));
    if (drawnLinks !== picked) {
      drawnLinks = picked;
      const { rows, kept } = neighboursOf(data, picked);
      fill(
        links,
        rows.flatMap((row, i) => {
          const there = at(row);
          const kind = kept[i] ? "kept" : "far";
          return [
            s("line", { class: kind, x1: spot.x, y1: spot.y, x2: there.x, y2: there.y }),
            s("circle", { class: kind, cx: there.x, cy: there.y, r: 6 }),
          ];
        }),
      );
    }
    const { results } = state.answer;
    const key = [state.chosen, state.pointed, ...results.map((result) => result.candidate.order)].join();
    if (drawnRings !== key) {
      drawnRings = key;
      const point = new Map(data.order.map((order, i) => [order, i]));
      fill(
        rings,
        results.flatMap(({ rank, candidate: { order } }) => {
          const i = point.get(order);
          if (i === undefined) return [];
          const isMeant = order === state.chosen || order === state.pointed;
          return [
            s(
              "g",
              { class: isMeant ? "result meant" : "result", transform: moved(at(i)) },
              s("path", { ...sign("result") }),
              (rank <= NUMBERED || isMeant) && s("text", { x: 8, y: -6 }, rank),
            ),
          ];
        }),
      );
    }
    name();
  }

  const hasFocus = () => /** @type {ShadowRoot} */ (node.getRootNode()).activeElement === hand;
  return { node, update, hasFocus, focus: () => hand.focus({ preventScroll: true }) };
}

/** @param {Spot} spot */
function moved({ x, y }) {
  return `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
}

/** @param {MapData} data @param {number} picked */
function spoken(data, picked) {
  const what = picked === QUESTION ? `The question: ${placeOf(data, picked)}` : `${placeOf(data, picked)}, ${kindOf(data, picked)}`;
  return `${what}. ${keptWords(data, picked)} Arrow keys go to the next point, Home to the question.`;
}

/**
 * Where each point is drawn, the question last: as large as the width allows, one scale for both
 * axes.
 *
 * @param {MapData} data
 * @param {number} width
 */
function scaled({ places, query }, width) {
  const all = query === null ? places : [...places, query.place];
  const range = (/** @type {0 | 1} */ axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (const place of all) {
      low = Math.min(low, place[axis]);
      high = Math.max(high, place[axis]);
    }
    return { middle: (low + high) / 2, span: high - low };
  };
  const [x, y] = [range(0), range(1)];
  const wide = Math.max(1, width - 2 * PAD);
  const height = Math.min(HIGH, Math.max(LOW, x.span > 0 ? (wide * y.span) / x.span + 2 * PAD : LOW));
  const scale = Math.min(x.span > 0 ? wide / x.span : Infinity, y.span > 0 ? (height - 2 * PAD) / y.span : Infinity);
  const unit = Number.isFinite(scale) ? scale : 1;
  const spots = all.map(([px, py]) => ({ x: width / 2 + (px - x.middle) * unit, y: height / 2 - (py - y.middle) * unit }));
  return { spots, height };
}
