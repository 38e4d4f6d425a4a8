import { OWN_KEYS, attribute, s } from "../dom/el.js";
import { number, short } from "./words.js";

/** @typedef {import("./types.js").SweepView} SweepView */

const [LEFT, RIGHT, TOP, HEIGHT, BOTTOM] = [48, 18, 30, 210, 50];
const PAGE = 10;
const LABEL = 76; // pixels that the label of a stop needs

/**
 * The measure over the setting, with its interval and a marker that mouse and keys move from stop
 * to stop.
 *
 * @param {SweepView} view
 * @param {number} width
 * @param {(stop: number) => void} moved
 */
export function curve(view, width, moved) {
  const { stops } = view;
  const inner = width - LEFT - RIGHT;
  const x = (/** @type {number} */ stop) => across(stops[stop]?.at ?? (stop + 0.5) / stops.length);
  const across = (/** @type {number} */ share) => LEFT + share * inner;
  const [least, most] = range(view);
  const y = (/** @type {number} */ value) => TOP + ((most - value) / (most - least)) * HEIGHT;
  const base = TOP + HEIGHT;
  const marker = s("g", { class: "hand", role: "slider", tabindex: 0, "aria-label": view.setting, "aria-valuemin": 0, "aria-valuemax": stops.length - 1, ...OWN_KEYS });
  const shaft = s("line", { y1: TOP - 4, y2: base });
  const knob = s("circle", { r: 7 });
  marker.append(s("rect", { class: "hit", x: -14, width: 28, y: TOP - 8, height: HEIGHT + 16 }), shaft, knob);
  let now = 0;
  const move = (/** @type {number} */ stop) => {
    now = stop;
    const one = stops[stop];
    attribute(marker, "transform", `translate(${x(stop).toFixed(1)} 0)`);
    attribute(knob, "cy", y(one?.mean ?? 0).toFixed(1));
    attribute(marker, "aria-valuenow", stop);
    attribute(marker, "aria-valuetext", `${view.setting} ${one?.label ?? ""}: ${view.measure} ${number(one?.mean)}`);
  };
  const last = stops.length - 1;
  const go = (/** @type {number} */ stop) => moved(Math.min(last, Math.max(0, stop)));
  const nearest = (/** @type {PointerEvent} */ event) => {
    const at = event.clientX - svg.getBoundingClientRect().left;
    let found = 0;
    stops.forEach((_, stop) => (found = Math.abs(x(stop) - at) < Math.abs(x(found) - at) ? stop : found));
    return found;
  };
  const svg = s(
    "svg",
    {
      width,
      height: base + BOTTOM,
      role: "group",
      "aria-label": `${view.measure} over ${view.setting}`,
      on: {
        pointerdown: (/** @type {PointerEvent} */ event) => {
          svg.setPointerCapture(event.pointerId);
          event.preventDefault();
          marker.focus();
          go(nearest(event));
        },
        pointermove: (/** @type {PointerEvent} */ event) => void (svg.hasPointerCapture(event.pointerId) && go(nearest(event))),
        keydown: (/** @type {KeyboardEvent} */ event) => {
          const to = { ArrowRight: now + 1, ArrowUp: now + 1, ArrowLeft: now - 1, ArrowDown: now - 1, PageUp: now + PAGE, PageDown: now - PAGE, Home: 0, End: last }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          go(to);
        },
      },
    },
    ...axes(view, { x, y, across, least, most, base, width }),
    ...(view.ordered ? [s("polygon", { class: "band", points: band(view, x, y) })] : []),
    ...drawn(view, x, y, across),
    ...marks(view, x, base),
    marker,
  );
  return { node: svg, move };
}

/** The least and the most that is drawn. @param {SweepView} view */
function range(view) {
  const all = [...view.stops.flatMap((stop) => [stop.low, stop.high]), ...(view.steps?.means ?? [])];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const pad = Math.max((high - low) * 0.08, 0.005);
  return [Math.max(0, low - pad), Math.min(1, high + pad)];
}

/** @param {SweepView} view @param {{x: (stop: number) => number, y: (value: number) => number, across: (share: number) => number, least: number, most: number, base: number, width: number}} to */
function axes(view, { x, y, across, least, most, base, width }) {
  const every = Math.ceil((view.stops.length * LABEL) / Math.max(1, width - LEFT - RIGHT));
  const names =
    view.steps !== null
      ? [0, 0.25, 0.5, 0.75, 1].map((share) => ({ at: across(share), text: String(share) }))
      : view.stops.flatMap((stop, at) => (at % every === 0 ? [{ at: x(at), text: short(tick(stop.label), Math.max(9, (12 * (width - LEFT)) / view.stops.length / LABEL)) }] : []));
  return [
    ...round(least, most).flatMap((value) => [
      s("line", { class: "grid-line", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      s("text", { class: "tick", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, number(value, 2)),
    ]),
    ...names.map(({ at, text }) => s("text", { class: "tick", x: at, y: base + 30, "text-anchor": "middle" }, text)),
    s("text", { class: "tick", x: (LEFT + width - RIGHT) / 2, y: base + 46, "text-anchor": "middle" }, view.setting + counts(view)),
    s("text", { class: "tick", x: LEFT - 40, y: 12 }, view.measure),
  ];
}

const PAIRS = /^\S+ \S+(, \S+ \S+)+$/;

/** Weights as `2:1:0`, which a tick has room for. @param {string} label */
function tick(label) {
  return PAIRS.test(label) ? label.split(", ").map((pair) => pair.split(" ")[1]).join(":") : label;
}

/** What such a tick counts. @param {SweepView} view */
function counts({ stops }) {
  const label = stops[0]?.label ?? "";
  return PAIRS.test(label) ? ` ${label.split(", ").map((pair) => pair.split(" ")[0]).join(":")}` : "";
}

/** Round numbers between two, a handful. @param {number} least @param {number} most */
function round(least, most) {
  const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((one) => (most - least) / one <= 5) ?? 0.25;
  const first = Math.ceil(least / step - 1e-9);
  return Array.from({ length: Math.floor(most / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

/** @param {SweepView} view @param {(stop: number) => number} x @param {(value: number) => number} y */
function band({ stops }, x, y) {
  const upper = stops.map((stop, at) => `${x(at).toFixed(1)},${y(stop.high).toFixed(1)}`);
  const lower = stops.map((stop, at) => `${x(at).toFixed(1)},${y(stop.low).toFixed(1)}`).reverse();
  return [...upper, ...lower].join(" ");
}

/** The curve itself: steps where it is exact, else the points that were measured. @param {SweepView} view @param {(stop: number) => number} x @param {(value: number) => number} y @param {(share: number) => number} across */
function drawn({ stops, steps, ordered }, x, y, across) {
  if (steps !== null) {
    const path = steps.means.map((mean, at) => `${at === 0 ? "M" : "V"}${at === 0 ? `${across(0).toFixed(2)} ` : ""}${y(mean).toFixed(2)}H${across(steps.edges[at + 1] ?? 1).toFixed(2)}`);
    return [s("path", { class: "curve-line", d: path.join("") }), ...steps.ends.map((mean, at) => s("circle", { class: "point", cx: across(at), cy: y(mean), r: 3 }))];
  }
  const points = stops.map((stop, at) => ({ at: x(at), stop }));
  return [
    ...(ordered ? [s("polyline", { class: "curve-line", points: points.map(({ at, stop }) => `${at.toFixed(1)},${y(stop.mean).toFixed(1)}`).join(" ") })] : []),
    ...(ordered ? [] : points.map(({ at, stop }) => s("line", { class: "whisker-line", x1: at, x2: at, y1: y(stop.low), y2: y(stop.high) }))),
    ...points.map(({ at, stop }) => s("circle", { class: "point", cx: at, cy: y(stop.mean), r: 3.5 })),
  ];
}

/** The default above, the best beside it, and below what the folds chose. @param {SweepView} view @param {(stop: number) => number} x @param {number} base */
function marks(view, x, base) {
  const folds = [...new Set(view.held?.chosen ?? [])];
  return [
    s("line", { class: "usual", x1: x(view.default), x2: x(view.default), y1: TOP, y2: base }),
    s("text", { class: "mark", x: x(view.default), y: TOP - 8, "text-anchor": "middle" }, "▾"),
    s("text", { class: "mark", x: x(view.best), y: view.best === view.default ? TOP - 18 : TOP - 8, "text-anchor": "middle" }, "★"),
    ...folds.map((stop) => s("text", { class: "mark", x: x(stop), y: base + 13, "text-anchor": "middle" }, "▴")),
  ];
}
