/** What the scores of queries say together, pure: the twin of `experiment.py` and `significance.py`. */

/** @typedef {import("./types.js").EvaluationView} EvaluationView */
/** @typedef {(number | null)[]} Values one per query; null was not run */

const EPSILON = 1e-12;

/** @param {Values} values @returns {number | null} over those that were run */
export function mean(values) {
  let [sum, count] = [0, 0];
  for (const value of values) {
    if (value === null) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? null : sum / count;
}

/**
 * @param {EvaluationView} view
 * @param {number} measure
 * @param {number} config
 * @returns {Values}
 */
export function scores(view, measure, config) {
  return view.scores[measure]?.[config] ?? [];
}

/**
 * Each query's score less that of the baseline, where both were run.
 *
 * @param {Values} values
 * @param {Values} base
 * @returns {Values}
 */
export function differences(values, base) {
  return values.map((value, at) => {
    const other = base[at] ?? null;
    return value === null || other === null ? null : value - other;
  });
}

/** @param {number} difference @returns {"win" | "tie" | "loss"} */
export function outcome(difference) {
  return difference > EPSILON ? "win" : difference < -EPSILON ? "loss" : "tie";
}

/** @param {Values} all differences @returns {[wins: number, ties: number, losses: number]} */
export function tally(all) {
  const count = { win: 0, tie: 0, loss: 0 };
  for (const one of all) if (one !== null) count[outcome(one)] += 1;
  return [count.win, count.tie, count.loss];
}

/** The places of the largest values; none where all are missing. @param {Values} values */
export function best(values) {
  const top = values.reduce((/** @type {number} */ most, value) => (value !== null && value > most ? value : most), -Infinity);
  return new Set(values.flatMap((value, at) => (value !== null && value >= top - EPSILON ? [at] : [])));
}

/** Queries by falling value, equals in their order; those that were not run are left out. @param {Values} values */
export function sorted(values) {
  const known = values.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
  return known.sort((a, b) => b.value - a.value || a.at - b.at);
}

/**
 * Queries by the value of a field.
 *
 * @param {import("./types.js").Field} field
 * @returns {{value: string, queries: number[]}[]}
 */
export function groups(field) {
  const found = field.values.map((value) => ({ value, queries: /** @type {number[]} */ ([]) }));
  field.of.forEach((value, query) => found[value]?.queries.push(query));
  return found;
}

/**
 * The relevant units by who has them down to a rank: the twin of `Evaluation.found_only_by`.
 *
 * @param {EvaluationView} view
 * @param {number} depth
 * @returns {{by: number[], pairs: [query: number, unit: number][]}[]} most pairs first; `by` names configurations
 */
export function sets(view, depth) {
  const ran = view.configs.flatMap((_, at) => (view.rankings[at]?.some((one) => one !== null) ? [at] : []));
  /** @type {Map<string, {by: number[], pairs: [number, number][]}>} */
  const found = new Map();
  view.grades.forEach((grades, query) => {
    const heads = ran.map((at) => new Set(view.rankings[at]?.[query]?.slice(0, depth)));
    for (const [unit, grade] of grades) {
      if (grade <= 0) continue;
      const by = ran.filter((_, i) => heads[i]?.has(unit));
      const key = by.join();
      const set = found.get(key) ?? { by, pairs: [] };
      set.pairs.push([query, unit]);
      found.set(key, set);
    }
  });
  return [...found.values()].sort((a, b) => b.pairs.length - a.pairs.length || a.by.length - b.by.length || (a.by.join() < b.by.join() ? -1 : 1));
}
