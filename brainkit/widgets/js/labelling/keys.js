/** @typedef {import("./types.js").Action} Action */

/** @type {Record<string, Action>} */
const ACTIONS = {
  s: { do: "grade", grade: null },
  u: { do: "undo" },
  n: { do: "note" },
  "?": { do: "help" },
  ArrowRight: { do: "go", to: "next" },
  ArrowLeft: { do: "go", to: "previous" },
  ArrowDown: { do: "scroll", pages: 0, lines: 3 },
  ArrowUp: { do: "scroll", pages: 0, lines: -3 },
  PageDown: { do: "scroll", pages: 1, lines: 0 },
  PageUp: { do: "scroll", pages: -1, lines: 0 },
  " ": { do: "scroll", pages: 1, lines: 0 },
};
const OWN_USE = "input, select, textarea";
const PRESSED_BY = [" ", "Enter"];

/**
 * What a key does here; null where it is none of ours. A key that is held down grades one chunk.
 *
 * @param {KeyboardEvent} event
 * @returns {Action | null}
 */
export function actionOf(event) {
  const { key, code, target, repeat } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return null;
  if (target instanceof Element && target.matches(OWN_USE)) return null;
  if (target instanceof HTMLButtonElement && PRESSED_BY.includes(key)) return null;
  const action = graded(key, code, event.shiftKey) ?? ACTIONS[key.length === 1 ? key.toLowerCase() : key] ?? null;
  return repeat && action?.do !== "scroll" && action?.do !== "go" ? null : action;
}

/**
 * Digits, also where a keyboard has them on the shifted side only.
 *
 * @param {string} key @param {string} code @param {boolean} shifted
 * @returns {Action | null}
 */
function graded(key, code, shifted) {
  const digit = /^[0-3]$/.test(key) ? key : shifted ? undefined : /^Digit([0-3])$/.exec(code)?.[1];
  return digit === undefined ? null : { do: "grade", grade: Number(digit) };
}
