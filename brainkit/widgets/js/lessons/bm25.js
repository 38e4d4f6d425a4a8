import { fill, h, s, say, sized } from "../dom/el.js";
import { general } from "../answer/format.js";
import { slider } from "../views/slider.js";
import { TERMS, curves, shape } from "./curves.js";
import { ranked } from "./score.js";

/** @typedef {import("./types.js").Bm25View} Bm25View */
/** @typedef {import("./types.js").Drawn} Drawn */
/** @typedef {import("./score.js").Setting} Setting */
/** @typedef {import("./score.js").Scored} Scored */

const K1_MAX = 5;
const SHOWN = 8;

/**
 * BM25 under the hand: sliders for k1 and b, the curves, and the ranking with its arithmetic. What
 * was before the hand moved stays as a shadow.
 *
 * @param {Bm25View} view
 * @returns {() => Drawn}
 */
export function bm25(view) {
  /** @type {{now: Setting, before: Setting | null, moving: boolean, chosen: number | null}} */
  const kept = { now: { k1: view.k1, b: view.b }, before: null, moving: false, chosen: null };
  return () => draw(view, kept);
}

/**
 * @param {Bm25View} view
 * @param {{now: Setting, before: Setting | null, moving: boolean, chosen: number | null}} kept
 * @returns {Drawn}
 */
function draw(view, kept) {
  let width = 0;
  const plot = h("div", "plot");
  const list = h("ol", "scores");
  const sum = h("p", "arithmetic");
  const told = h("p", { class: "unseen", role: "status" });
  const k1 = knob("k1", "How slowly repeats lose their worth; 0 counts presence only.", Math.max(K1_MAX, view.k1), 0.05, ["presence", "repeats"]);
  const b = knob("b", "How much a chunk's length counts.", 1, 0.01, ["not at all", "in full"]);
  const back = h("button", { type: "button", on: { click: () => move({ k1: view.k1, b: view.b }, true) } }, "Reset");

  /** @param {"k1" | "b"} name @param {string} hint @param {number} max @param {number} step @param {[string, string]} ends */
  function knob(name, hint, max, step, ends) {
    return slider({ name, hint, min: 0, max, step, ends, shown: general, moved: (value, settled) => move({ ...kept.now, [name]: value }, settled) });
  }

  /** @param {Setting} setting @param {boolean} settled */
  function move(setting, settled) {
    if (!kept.moving) kept.before = kept.now;
    kept.moving = !settled;
    kept.now = setting;
    update();
    if (settled) say(told, summary(ranked(view, setting)));
  }

  function update() {
    const { now, before } = kept;
    const scored = ranked(view, now);
    const earlier = before === null ? null : new Map(ranked(view, before).map((one) => [one.at, one]));
    k1.update(now.k1);
    b.update(now.b);
    back.disabled = now.k1 === view.k1 && now.b === view.b;
    if (width > 0) fill(plot, [curves(view, now, before, width)]);
    const best = Math.max(scored[0]?.score ?? 0, ...(earlier ? [...earlier.values()].map((one) => one.score) : []));
    const chosen = scored.find((one) => one.at === kept.chosen) ?? scored[0];
    fillKeepingFocus(list, scored.slice(0, SHOWN).map((one) => row(one, earlier?.get(one.at), best, one === chosen)));
    fill(sum, chosen === undefined ? [] : arithmetic(view, now, chosen));
  }

  /** @param {Scored} one @param {Scored | undefined} earlier @param {number} best @param {boolean} chosen */
  function row(one, earlier, best, chosen) {
    const moved = earlier === undefined ? 0 : earlier.rank - one.rank;
    const sign = moved > 0 ? `▲ ${moved}` : moved < 0 ? `▼ ${-moved}` : "";
    const share = (/** @type {number} */ value) => `${best > 0 ? ((value / best) * 100).toFixed(2) : 0}%`;
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "score-row",
          "aria-pressed": String(chosen),
          "data-chunk": one.at,
          on: {
            click: () => {
              kept.chosen = one.at;
              update();
            },
          },
        },
        h("span", "rank", `${one.rank}`),
        h("span", { class: "moved", "aria-label": moved === 0 ? null : `${moved > 0 ? "up" : "down"} ${Math.abs(moved)}` }, sign),
        h("bdi", "chunk-name", one.name),
        h(
          "span",
          { class: "stack", "aria-hidden": "true" },
          ...one.parts.map((part, i) => h("span", { class: `t${i % TERMS}`, css: { width: share(part) } })),
          earlier !== undefined && h("span", { class: "was", css: { left: share(earlier.score) } }),
        ),
        h("span", "number", one.score.toFixed(4)),
      ),
    );
  }

  const stop = sized(plot, (now) => {
    width = now;
    update();
  });
  const node = h(
    "section",
    { class: "lesson", "aria-label": `BM25 of ${view.question}` },
    h("h3", {}, view.question),
    h("div", "knobs", k1.node, b.node, back),
    h("div", { class: "key", "aria-hidden": "true" }, ...view.terms.map(({ term, idf }, i) => h("span", {}, sign(i), ` ${term}, idf ${idf.toFixed(4)}`))),
    plot,
    list,
    view.chunks.length > SHOWN && h("p", "hint", `The best ${SHOWN} of ${view.chunks.length} chunks.`),
    sum,
    told,
  );
  update();
  return { node, stop };
}

/** @param {number} i */
function sign(i) {
  return s("svg", { class: "sign", width: 16, height: 16, viewBox: "-8 -8 16 16" }, s("path", { class: `mark t${i % TERMS}`, d: shape(i) }));
}

/** @param {Scored[]} scored */
function summary(scored) {
  return scored.slice(0, SHOWN).map((one) => `${one.rank}. ${one.name} ${one.score.toFixed(4)}`).join(", ");
}

/** The score of a chunk with its numbers put in. @param {Bm25View} view @param {Setting} now @param {Scored} one */
function arithmetic(view, { k1, b }, one) {
  const chunk = view.chunks[one.at];
  if (chunk === undefined) return [];
  const lines = view.terms.flatMap(({ term, idf }, i) => {
    const f = chunk.counts[i] ?? 0;
    if (f === 0) return [];
    const below = `(${f} + ${general(k1)} * (1 - ${general(b)} + ${general(b)} * ${chunk.length} / ${view.average.toFixed(2)}))`;
    return [h("span", "line", `${term}: ${idf.toFixed(4)} * ${f} * ${general(k1 + 1)} / ${below} = ${(one.parts[i] ?? 0).toFixed(4)}`)];
  });
  return [h("b", {}, `${one.name}: ${one.score.toFixed(4)}`), ...lines];
}

/** Replace rows without taking the focus from the one that was chosen. @param {HTMLElement} list @param {HTMLElement[]} rows */
function fillKeepingFocus(list, rows) {
  const root = /** @type {ShadowRoot | Document} */ (list.getRootNode());
  const held = list.contains(root.activeElement ?? null) ? root.activeElement?.getAttribute("data-chunk") : null;
  fill(list, rows);
  if (held !== null && held !== undefined) /** @type {HTMLElement | null} */ (list.querySelector(`[data-chunk="${held}"]`))?.focus();
}
