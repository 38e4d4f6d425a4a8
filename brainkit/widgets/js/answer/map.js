/** @typedef {import("../types.js").MapData} MapData */

/** Stands for the question where a point is meant. */
export const QUESTION = -1;

/** How many categories have a colour and shape of their own; the rest are "other". */
export const MOST = 8;

/**
 * What points are told apart by: the most frequent first, and what is beyond the signs together.
 *
 * @param {MapData} data
 * @param {MapData["color"]} by
 */
export function categories(data, by) {
  const valueOf = data.files.map(([source, kind]) => (by === "file" ? source : kind));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const file of data.file) {
    const value = valueOf[file] ?? "";
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const shown = sorted.slice(0, MOST);
  const rest = sorted.slice(MOST);
  const number = new Map(shown.map(([value], i) => [value, i]));
  const names = shown.map(([value]) => value);
  const sizes = shown.map(([, count]) => count);
  if (rest.length > 0) {
    names.push(`other (${rest.length})`);
    sizes.push(rest.reduce((sum, [, count]) => sum + count, 0));
  }
  return { names, counts: sizes, of: data.file.map((file) => number.get(valueOf[file] ?? "") ?? MOST) };
}

/**
 * @param {MapData} data
 * @param {number} point
 */
export function neighboursOf(data, point) {
  const [near, at] = point === QUESTION ? [data.query?.near, 0] : [data.near, point];
  const rows = near?.rows[at] ?? [];
  const bits = near?.kept[at] ?? 0;
  return { rows, similar: near?.similar[at] ?? [], kept: rows.map((_, i) => ((bits >> i) & 1) === 1) };
}

/** @param {MapData} data @param {number} point */
export function keptWords(data, point) {
  const { kept } = neighboursOf(data, point);
  const whose = point === QUESTION ? "the question’s" : "its";
  return `${kept.filter(Boolean).length} of ${whose} ${kept.length} nearest neighbours in all dimensions are near here too.`;
}

/** @param {MapData} data @param {number} point */
export function placeOf(data, point) {
  if (point === QUESTION) return data.query?.text ?? "";
  const [start, end] = data.lines[point] ?? [0, 0];
  return `${data.files[data.file[point] ?? -1]?.[0]}:${start === end ? start : `${start}-${end}`}`;
}

/** @param {MapData} data @param {number} point */
export function kindOf(data, point) {
  return data.files[data.file[point] ?? -1]?.[1] ?? "";
}
