import { lines, place } from "../answer/format.js";
import { attribute, h, say } from "../dom/el.js";
import { excerpt } from "../dom/marked.js";

/** @typedef {import("../answer/compare.js").Compared} Compared */
/** @typedef {import("../types.js").Result} Result */

export const ROW = 46; // CSS pixels: all rows are equally high, so that lines meet them

/**
 * One side's results, a line or two each, with where the other side has them. Rows are changed and
 * not made anew, so that focus stays.
 *
 * @param {number} at 0 for A, 1 for B
 * @param {(id: string) => void} choose
 */
export function standingList(at, choose) {
  const list = h("ol", "standings");
  const empty = h("p", "empty", "No results under these settings.");
  /** @type {ReturnType<typeof standingRow>[]} */
  const rows = [];
  /**
   * @param {Compared[]} all
   * @param {Result[]} results
   * @param {string | null} chosen
   */
  const update = (all, results, chosen) => {
    const byId = new Map(all.map((row) => [row.id, row]));
    while (rows.length > results.length) rows.pop()?.node.remove();
    results.forEach((result, i) => {
      const row = (rows[i] ??= standingRow(at, choose));
      if (row.node.parentElement === null) list.append(row.node);
      const one = byId.get(result.candidate.chunk_id);
      if (one !== undefined) row.update(one, result, one.id === chosen);
    });
    empty.hidden = results.length > 0;
  };
  return { node: h("div", {}, list, empty), update };
}

/** @param {number} at @param {(id: string) => void} choose */
function standingRow(at, choose) {
  let id = "";
  const [rank, file, folder] = [h("span", "rank"), h("bdi", "file"), h("bdi", "folder")];
  const [score, badge, text] = [h("span", "number"), h("span", "badge"), h("span", { class: "begin", dir: "auto" })];
  const button = h(
    "button",
    { type: "button", on: { click: () => choose(id) } },
    rank,
    h("span", "where", file, folder),
    score,
    h("span", "below", badge, text),
  );
  const node = h("li", {}, button);
  /** @param {Compared} row @param {Result} result @param {boolean} isChosen */
  const update = (row, result, isChosen) => {
    const { candidate } = result;
    const slash = candidate.source.lastIndexOf("/") + 1;
    say(rank, String(result.rank));
    say(score, result.score.toFixed(4));
    say(badge, words(row, at));
    attribute(badge, "data-where", row.where === "both" ? "both" : "only");
    attribute(button, "aria-pressed", String(isChosen));
    if (id === row.id) return;
    id = row.id;
    attribute(button, "title", place(candidate));
    say(file, `${candidate.source.slice(slash)}:${lines(candidate)}`);
    say(folder, candidate.source.slice(0, slash));
    say(text, beginning(candidate));
  };
  return { node, update };
}

/** @type {WeakMap<import("../types.js").Candidate, string>} */
const beginnings = new WeakMap();

/**
 * One line of a chunk, from where its first terms are; found once, as sliders ask all the time.
 *
 * @param {import("../types.js").Candidate} candidate
 */
function beginning(candidate) {
  let line = beginnings.get(candidate);
  if (line === undefined) {
    const { from } = excerpt(candidate.text, candidate.marks, 1);
    line = candidate.text.slice(from, from + 160).replace(/\s+/g, " ");
    beginnings.set(candidate, line);
  }
  return line;
}

/**
 * Where the other side has it, and in B's list how far it moved.
 *
 * @param {Compared} row
 * @param {number} at
 */
function words({ where, ranks, move }, at) {
  const [there, rank] = at === 0 ? ["B", ranks[1]] : ["A", ranks[0]];
  if (where !== "both") return rank === null ? `only here` : `only here · ${rank} in ${there}`;
  const up = move ?? 0;
  const mark = at === 0 ? "" : up > 0 ? `▲${up} · ` : up < 0 ? `▼${-up} · ` : "";
  return `${mark}shared · ${rank} in ${there}`;
}
