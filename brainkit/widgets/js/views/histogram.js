import { h, s } from "../dom/el.js";

const BINS = 32;
const HEIGHT = 44;

/**
 * Where one similarity stands among those of all candidates, as a picture and in words.
 *
 * @param {number[]} values the similarity of every candidate that has one
 * @param {number} own
 * @param {number} threshold drawn when above 0
 */
export function histogram(values, own, threshold) {
  const low = Math.min(...values, own);
  const high = Math.max(...values, own);
  const span = high - low || 1;
  const counts = new Array(BINS).fill(0);
  for (const value of values) counts[Math.min(BINS - 1, Math.floor(((value - low) / span) * BINS))] += 1;
  const most = Math.max(...counts);
  const x = (/** @type {number} */ value) => ((value - low) / span) * 100;
  const bars = counts.flatMap((n, i) =>
    n === 0 ? [] : [s("rect", { x: (i * 100) / BINS + 0.3, width: 100 / BINS - 0.6, y: HEIGHT - (n / most) * HEIGHT, height: (n / most) * HEIGHT })],
  );
  const below = values.filter((value) => value < own).length;
  const survive = values.filter((value) => value >= threshold).length;
  const cutLine = threshold > low && threshold < high
    ? s("line", { class: "cut", x1: x(threshold), x2: x(threshold), y1: 0, y2: HEIGHT })
    : null;
  const words =
    `Higher than ${below} of ${values.length} candidates.` +
    (threshold > 0 ? ` ${survive} of ${values.length} reach the threshold ${threshold}.` : "");
  return h(
    "figure",
    "histogram",
    h(
      "div",
      "plot",
      s("svg", { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": words }, ...bars, cutLine),
      h("span", { class: "pin", css: { left: `${x(own)}%` } }, "▼"),
    ),
    h("div", { class: "axis", "aria-hidden": "true" }, h("span", {}, low.toFixed(3)), h("span", {}, high.toFixed(3))),
    h("figcaption", {}, words),
  );
}
