import { h, s } from "../dom/el.js";
import { cumulated, substituted } from "./dcg.js";
import { number } from "./words.js";

/** @typedef {import("./dcg.js").Gain} Gain */
/** @typedef {{letter: string, grades: number[], value: number}} Line */

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [380, 190, 34, 92, 10, 36];
const APART = 14;

/**
 * The cumulated gain by rank: a step up at each relevant rank, lower the later it comes. The
 * ideal's is the highest there could be.
 *
 * @param {Line[]} lines the baseline's and the other's
 * @param {number[]} best grades of the ideal ranking
 * @param {number} depth
 * @param {Gain} gain
 */
export function staircase(lines, best, depth, gain) {
  const all = [
    { kind: "ideal", name: "ideal", sums: padded(best, depth, gain) },
    ...lines.map((line, at) => ({ kind: at === 0 && lines.length > 1 ? "base" : "other", name: line.letter, sums: padded(line.grades, depth, gain) })),
  ];
  const most = Math.max(all[0]?.sums.at(-1) ?? 0, 1e-9);
  const x = (/** @type {number} */ rank) => LEFT + (rank / (depth + 0.5)) * (WIDTH - LEFT - RIGHT);
  const y = (/** @type {number} */ sum) => TOP + (1 - sum / most) * (HEIGHT - TOP - BOTTOM);
  const ends = placed(all.map(({ sums }) => y(sums.at(-1) ?? 0)));
  const every = Math.ceil(depth / 10);
  const ranks = Array.from({ length: depth }, (_, i) => i + 1).filter((rank) => rank === 1 || rank % every === 0);
  return s(
    "svg",
    { class: "staircase", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": all.map(({ name, sums }) => `${name}: DCG ${number(sums.at(-1))}`).join(", ") },
    s("line", { class: "zero", x1: LEFT, x2: WIDTH - RIGHT, y1: y(0), y2: y(0) }),
    ...ranks.map((rank) => s("text", { class: "tick", x: x(rank), y: y(0) + 14, "text-anchor": "middle" }, rank)),
    s("text", { class: "tick", x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, "rank"),
    ...[0, most].map((sum) => s("text", { class: "tick", x: LEFT - 6, y: y(sum) + 4, "text-anchor": "end" }, number(sum, 2))),
    ...all.map(({ kind, sums }) => s("path", { class: kind, d: steps(sums, x, y, depth) })),
    ...all.map(({ kind, name, sums }, at) => s("text", { class: `end ${kind}`, x: WIDTH - RIGHT + 6, y: (ends[at] ?? 0) + 4 }, `${name} ${number(sums.at(-1))}`)),
  );
}

/** @param {number[]} grades @param {number} depth @param {Gain} gain */
function padded(grades, depth, gain) {
  const sums = cumulated(grades.slice(0, depth), gain);
  while (sums.length <= depth) sums.push(sums.at(-1) ?? 0);
  return sums;
}

/** @param {number[]} sums @param {(rank: number) => number} x @param {(sum: number) => number} y @param {number} depth */
function steps(sums, x, y, depth) {
  const path = [`M${x(0).toFixed(1)} ${y(0).toFixed(1)}`];
  for (let rank = 1; rank <= depth; rank++) path.push(`H${x(rank).toFixed(1)}V${y(sums[rank] ?? 0).toFixed(1)}`);
  return `${path.join("")}H${x(depth + 0.5).toFixed(1)}`;
}

/** Heights of labels, moved apart where they would lie on each other. @param {number[]} wanted */
function placed(wanted) {
  const order = wanted.map((y, at) => ({ y, at })).sort((a, b) => a.y - b.y || a.at - b.at);
  const found = [...wanted];
  let floor = -Infinity;
  for (const one of order) {
    found[one.at] = floor = Math.max(one.y, floor + APART);
  }
  const over = Math.max(0, floor - (HEIGHT - BOTTOM));
  return found.map((y) => y - over);
}

/**
 * nDCG with its numbers put in.
 *
 * @param {Line[]} lines
 * @param {number[]} best
 * @param {number} depth
 * @param {Gain} gain
 */
export function arithmetic(lines, best, depth, gain) {
  const top = cumulated(best, gain).at(-1) ?? 0;
  const rows = lines.flatMap((line) => {
    const sum = cumulated(line.grades, gain).at(-1) ?? 0;
    return [
      h("dt", {}, line.letter),
      h("dd", {}, h("code", {}, `DCG = ${substituted(line.grades, gain)} = ${number(sum)}`), h("code", {}, top > 0 ? `nDCG = ${number(sum)} / ${number(top)} = ${number(line.value)}` : "nDCG = 0: nothing is relevant")),
    ];
  });
  return h("dl", { class: "sums" }, ...rows, h("dt", {}, "ideal"), h("dd", {}, h("code", {}, `DCG = ${substituted(best, gain)} = ${number(top)}`)), h("dt", {}), h("dd", { class: "hint" }, `gain / log2(rank + 1), summed over the first ${depth}; gain is ${gain === "exp" ? "2^grade - 1" : "the grade"}`));
}
