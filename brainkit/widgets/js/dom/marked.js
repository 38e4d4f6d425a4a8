import { h, shown } from "./el.js";

/**
 * A text with its marks as `<mark>` elements.
 *
 * @param {string} text
 * @param {number[]} marks start, end, start, ... in UTF-16, ascending
 * @param {number} [from] only this part of the text
 * @param {number} [to]
 * @returns {(Node | string)[]}
 */
export function marked(text, marks, from = 0, to = text.length) {
  /** @type {(Node | string)[]} */
  const parts = [];
  let at = from;
  for (let i = 0; i + 1 < marks.length; i += 2) {
    const start = Math.max(marks[i] ?? 0, at);
    const end = Math.min(marks[i + 1] ?? 0, to);
    if (start >= end) continue;
    parts.push(shown(text.slice(at, start)), h("mark", {}, text.slice(start, end)));
    at = end;
  }
  parts.push(shown(text.slice(at, to)));
  return parts;
}

const LONG = 400; // characters that four lines may hold; more would be cut by height

/**
 * The stretch of a text to show first: the lines in which most marks begin, the earliest of equals,
 * and no blank line first. Of longer lines the part with most marks, from a word's start.
 *
 * @param {string} text
 * @param {number[]} marks
 * @param {number} lines
 * @returns {{from: number, to: number, total: number}} offsets, and the number of lines
 */
export function excerpt(text, marks, lines) {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  const begins = marks.filter((_, i) => i % 2 === 0);
  const total = starts.length;
  let best = fullest(starts.slice(0, Math.max(1, total - lines + 1)), begins, (_, i) => starts[i + lines] ?? text.length);
  while (best + lines < total && text.slice(starts[best], starts[best + 1]).trim() === "") best += 1;
  const from = starts[best] ?? 0;
  const to = starts[best + lines] === undefined ? text.length : (starts[best + lines] ?? 0) - 1;
  if (to - from <= LONG) return { from, to, total };
  const words = [from, ...begins.filter((at) => at > from + LONG / 2 && at < to).map((at) => wordBefore(text, at - 60))];
  const start = words[fullest(words, begins, (at) => Math.min(to, at + LONG))] ?? from;
  return { from: start, to: Math.min(to, start + 2 * LONG), total };
}

/**
 * Which of the stretches from `starts` to `end(start)` holds most; the first of equals.
 *
 * @param {number[]} starts
 * @param {number[]} begins
 * @param {(start: number, index: number) => number} end
 */
function fullest(starts, begins, end) {
  let [best, most] = [0, -1];
  starts.forEach((start, i) => {
    const stop = end(start, i);
    const held = begins.filter((at) => at >= start && at < stop).length;
    if (held > most) [best, most] = [i, held];
  });
  return best;
}

/** @param {string} text @param {number} at */
function wordBefore(text, at) {
  const space = text.slice(Math.max(0, at), at + 60).search(/\s/);
  return Math.max(0, at) + (space < 0 ? 0 : space + 1);
}
