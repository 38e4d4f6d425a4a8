import { s } from "../dom/el.js";

/** Paths of about equal area around the origin, so that colour is never all that tells. */
const SHAPES = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  "M-3.6-3.6h7.2v7.2h-7.2z",
  "M0-4.8L4.5 3.6H-4.5z",
  "M0-5L5 0L0 5L-5 0z",
  "M-1.6-4.6h3.2v3h3v3.2h-3v3h-3.2v-3h-3v-3.2h3z",
  "M0 4.8L4.5-3.6H-4.5z",
  "M-4.4-2.3L-2.3-4.4L0-2.1L2.3-4.4L4.4-2.3L2.1 0L4.4 2.3L2.3 4.4L0 2.1L-2.3 4.4L-4.4 2.3L-2.1 0z",
  "M0-4.7L4.5-1.5L2.8 3.8H-2.8L-4.5-1.5z",
];
const OTHER = "M-2.2 0a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0";
const STAR = "M0-10L2.6-3.6L9.5-3.1L4.2 1.4L5.9 8.1L0 4.4L-5.9 8.1L-4.2 1.4L-9.5-3.1L-2.6-3.6z";

/**
 * The outline and class of a sign.
 *
 * @param {number | "question" | "result"} sign
 * @returns {{class: string, d: string}}
 */
export function sign(sign) {
  if (sign === "question") return { class: "star", d: STAR };
  if (sign === "result") return { class: "ring", d: "M-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0" };
  return { class: `c${sign}`, d: SHAPES[sign] ?? OTHER };
}

/** A sign by itself, for the legend. @param {number | "question" | "result"} which */
export function shape(which) {
  return s("svg", { class: "sign", viewBox: "-10 -10 20 20", width: 16, height: 16, "aria-hidden": "true" }, s("path", { ...sign(which) }));
}
