import { general, lines } from "../answer/format.js";
import { fill, h } from "../dom/el.js";
import { bar, swatch } from "./bar.js";

/**
 * Votes by rank: a stacked bar per result, with the arithmetic of each vote.
 *
 * @param {import("./state.js").State} state
 * @param {() => boolean} [isShown] it is drawn only then
 * @returns {HTMLElement}
 */
export function rrfChart(state, isShown) {
  const node = h("div", "rrf-chart");
  state.listen(() => {
    const { request, answer } = state;
    if (request.mode !== "multi") {
      fill(node, [h("p", "empty", "Votes are counted in multi mode.")]);
      return;
    }
    const best = answer.results[0]?.score ?? 0;
    fill(node, [
      h("p", "hint", ...facts(request.rrf_k, request.weights)),
      h(
        "ol",
        {},
        ...answer.results.slice(0, 12).map((result) => {
          const { candidate } = result;
          const slash = candidate.source.lastIndexOf("/") + 1;
          return h(
            "li",
            { class: result.candidate.order === state.chosen ? "chosen" : null },
            h("span", "rank", result.rank),
            h("span", "name", h("bdi", {}, candidate.source.slice(slash)), `:${lines(candidate)}`),
            h("span", "n", result.score.toFixed(6)),
            bar(result.fused.parts, best),
            h("span", "votes", ...result.fused.parts.map(([name, vote]) =>
              h("span", "chip", swatch(name), `${general(request.weights[name])}/(${general(request.rrf_k)}+${result.ranks[name]}) = ${vote.toFixed(6)}`))),
          );
        }),
      ),
    ]);
  }, isShown);
  return node;
}

/** @param {number} k @param {Record<string, number>} weights */
function facts(k, weights) {
  const tenth = ((k + 1) / (k + 10)) * 100;
  const words = [`At k = ${general(k)} a tenth place is worth ${tenth.toFixed(0)} % of a first.`];
  if (new Set(Object.values(weights).filter((w) => w > 0)).size === 1) {
    words.push(` A chunk at rank n of two lists beats the first of one list while n < ${general(k + 2)}.`);
  }
  return words;
}
