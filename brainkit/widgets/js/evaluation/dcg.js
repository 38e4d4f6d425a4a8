/** nDCG as `brainkit/evaluation/measures.py` computes it: the same sums, in the same order. */

/** @typedef {"linear" | "exp"} Gain */

/** @param {number} grade @param {Gain} gain */
export function gainOf(grade, gain) {
  return gain === "exp" ? 2 ** grade - 1 : grade;
}

/**
 * The sum of gain / log2(rank + 1) down to each rank, from 0 before the first.
 *
 * @param {number[]} grades at each rank, best rank first; 0 where not judged
 * @param {Gain} gain
 * @returns {number[]} one more than there are grades
 */
export function cumulated(grades, gain) {
  const sums = [0];
  grades.forEach((grade, at) => sums.push((sums[at] ?? 0) + gainOf(grade, gain) / Math.log2(at + 2)));
  return sums;
}

/**
 * The grades of the best ranking there could be, down to a rank.
 *
 * @param {number[]} judged every grade of the query
 * @param {number} depth
 */
export function ideal(judged, depth) {
  return judged.filter((grade) => grade > 0).sort((a, b) => b - a).slice(0, depth);
}

/**
 * @param {number[]} grades at each rank
 * @param {number[]} judged every grade of the query
 * @param {number} depth ranks looked at
 * @param {Gain} gain
 */
export function ndcg(grades, judged, depth, gain) {
  const best = cumulated(ideal(judged, depth), gain).at(-1) ?? 0;
  return best > 0 ? (cumulated(grades.slice(0, depth), gain).at(-1) ?? 0) / best : 0;
}

const TERMS = 12;

/**
 * DCG with its numbers put in: `2/log2(1+1) + 1/log2(4+1)`; ranks without gain add nothing.
 *
 * @param {number[]} grades
 * @param {Gain} gain
 */
export function substituted(grades, gain) {
  const terms = grades.flatMap((grade, at) => {
    if (grade <= 0) return [];
    return [`${gain === "exp" ? `(2^${grade}-1)` : grade}/log2(${at + 1}+1)`];
  });
  const more = terms.length - TERMS;
  if (terms.length === 0) return "0";
  return terms.slice(0, TERMS).join(" + ") + (more > 0 ? ` + … (${more} more)` : "");
}
