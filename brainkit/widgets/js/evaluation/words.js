import { fixed } from "../answer/format.js";
import { h } from "../dom/el.js";

/** @typedef {import("./types.js").EvaluationView} EvaluationView */

/** @param {number | null | undefined} value @param {number} [digits] */
export function number(value, digits = 4) {
  return value === null || value === undefined ? "–" : fixed(value, digits);
}

/** @param {number | null | undefined} value @param {number} [digits] with its sign; no sign for what rounds to 0 */
export function signed(value, digits = 4) {
  const text = number(value, digits);
  if (value === null || value === undefined) return text;
  const zero = fixed(0, digits);
  return text === zero || text === `-${zero}` ? zero : value > 0 ? `+${text}` : text;
}

/** @param {number} low @param {number} high @param {(value: number) => string} [as] */
export function span(low, high, as = (value) => signed(value)) {
  return `[${as(low)}, ${as(high)}]`;
}

/** @param {number} count @param {string} noun @param {string} [plural] */
export function counted(count, noun, plural = `${noun}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}

/** A configuration's letter, by which pictures name it. @param {number} at @returns {string} */
export function letterOf(at) {
  return at < 26 ? String.fromCharCode(65 + at) : `${letterOf(Math.floor(at / 26) - 1)}${letterOf(at % 26)}`;
}

/** @param {EvaluationView} view @param {number} at */
export function named(view, at) {
  const name = view.configs[at]?.name ?? "";
  return h("span", { class: "config" }, h("b", { class: "letter" }, letterOf(at)), h("bdi", { title: name }, name));
}

/** @param {string} text @param {number} [most] */
export function short(text, most = 90) {
  const one = text.replace(/\s+/g, " ").trim();
  return one.length <= most ? one : `${one.slice(0, most - 1)}…`;
}

/**
 * A bar as long as its share; decoration beside a number.
 *
 * @param {number | null} share from 0 to 1
 * @param {string} [kind]
 */
export function meter(share, kind = "plain") {
  const width = `${(Math.min(1, Math.max(0, share ?? 0)) * 100).toFixed(2)}%`;
  return h("span", { class: `meter ${kind}`, "aria-hidden": "true" }, h("span", { css: { width } }));
}

/**
 * Wins, ties and losses as one bar; decoration beside the numbers.
 *
 * @param {[number, number, number]} tally
 */
export function tallyBar(tally) {
  const all = tally[0] + tally[1] + tally[2] || 1;
  const kinds = ["win", "tie", "loss"];
  const parts = tally.map((count, at) => h("span", { class: kinds[at] ?? "", css: { width: `${((count / all) * 100).toFixed(2)}%` } }));
  return h("span", { class: "tally-bar", "aria-hidden": "true" }, ...parts);
}
