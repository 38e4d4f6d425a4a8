import { h } from "../dom/el.js";
import { general } from "../answer/format.js";
import { RETRIEVERS, retrieversFor } from "../fuse/fuse.js";
import { swatch } from "./bar.js";
import { choice, numberField, slider } from "./slider.js";
import { alphaGuide } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../types.js").Request} Request */

/**
 * @param {State} state
 */
export function alphaSlider(state) {
  const alpha = slider({
    name: "alpha",
    hint: "Weight of the vector side. Moving it up trusts meaning more and words less.",
    min: 0,
    max: 1,
    step: 0.01,
    ends: ["keywords", "meaning"],
    shown: (value) => `${value.toFixed(2)} · ${alphaGuide(value)}`,
    moved: (value, settled) => state.change({ alpha: value }, settled),
  });
  alpha.node.classList.add("wide");
  state.listen(() => alpha.update(state.request.alpha));
  return alpha.node;
}

const LOG_STEPS = 300; // from 1 to 1,000: a hundred steps per factor of ten

/**
 * RRF's k, on a log scale: the difference of 1 and 10 is as large as that of 100 and 1,000.
 *
 * @param {State} state
 */
export function rrfSlider(state) {
  const k = slider({
    name: "rrf_k",
    hint: "Larger flattens the lead of top ranks, so agreement between retrievers counts more.",
    min: 0,
    max: LOG_STEPS,
    step: 1,
    ends: ["top ranks rule", "agreement rules"],
    shown: () => general(state.request.rrf_k),
    moved: (value, settled) => state.change({ rrf_k: Math.round(10 ** (value / 100)) }, settled),
  });
  k.node.classList.add("wide");
  state.listen(() => {
    const at = Math.round(Math.log10(state.request.rrf_k) * 100);
    // While it is dragged, several steps may round to one k: the handle stays under the hand.
    const here = Math.round(10 ** (Number(k.input.value) / 100));
    k.update(here === state.request.rrf_k ? Number(k.input.value) : at);
  });
  return k.node;
}

/**
 * @param {State} state
 */
function weightSliders(state) {
  const sliders = RETRIEVERS.map((name) => ({
    name,
    weight: slider({
      name,
      sign: swatch(name),
      hint: "Weight of this retriever's vote; 0 leaves it out.",
      min: 0,
      max: 3,
      step: 0.1,
      shown: (value) => general(value),
      moved: (value, settled) => {
        const weights = { ...state.request.weights, [name]: value };
        if (RETRIEVERS.some((one) => weights[one] > 0)) state.change({ weights }, settled);
        else state.tell(); // one retriever has to count: the slider goes back
      },
    }),
  }));
  state.listen(() => {
    for (const { name, weight } of sliders) {
      weight.update(state.request.weights[name]);
      const reason = state.trace?.lists[name]?.hits.length === 0 ? state.trace.lists[name]?.reason : null;
      weight.node.classList.toggle("idle", Boolean(reason));
      weight.node.title = reason ? `${name}: ${reason}.` : "Weight of this retriever's vote; 0 leaves it out.";
    }
  });
  return h("div", { class: "weights", role: "group", "aria-label": "Weights" }, ...sliders.map((one) => one.weight.node));
}

/**
 * Every setting that fusion can change; those that the mode does not read are hidden.
 *
 * @param {State} state
 */
export function settings(state) {
  const hybrid = h("div", "fusion", alphaSlider(state));
  const multi = h("div", "fusion", rrfSlider(state), weightSliders(state));
  /**
   * @template T
   * @param {(options: any) => {node: HTMLElement, update: (value: T) => void}} make
   * @param {keyof Request} name
   * @param {object} options
   * @param {(value: any) => T} [shown] the setting as the field has it
   * @param {(value: T) => unknown} [meant] and back
   */
  const field = (make, name, options, shown = (value) => value, meant = (value) => value) => {
    const { node, update } = make({ name, moved: (/** @type {T} */ value) => state.change({ [name]: meant(value) }), ...options });
    state.listen(() => update(shown(state.request[name])));
    return node;
  };
  const topK = field(numberField, "top_k", { hint: "Results returned; it never changes their order.", min: 1, max: 50, step: 1 });
  const depth = field(
    numberField,
    "depth",
    { hint: "Hits that count from each retriever. Deeper finds more agreement.", min: 1, max: 1000, step: 1 },
    undefined,
    (value) => Math.max(value, state.request.top_k),
  );
  const normalize = field(choice, "normalize", {
    hint: "How each side's scores are brought to 0-1 before the blend.",
    choices: [["max", "max"], ["minmax", "minmax"], ["none", "none"]],
  });
  const threshold = field(numberField, "similarity_threshold", {
    hint: "Least cosine similarity of a vector hit; other scores ignore it.",
    min: 0,
    max: 1,
    step: 0.01,
  });
  const collapse = field(choice, "collapse", {
    hint: "Fold chunks that overlap, or keep the best of each source.",
    choices: [["none", "none"], ["overlap", "overlapping"], ["source", "same source"]],
  });
  const rerank = field(
    choice,
    "rerank",
    { hint: "Let a model read the question with each of the best, and order those.", choices: [["", "off"], ["on", "on"]] },
    (is) => (is ? "on" : ""),
    Boolean,
  );
  const node = h(
    "div",
    "settings",
    hybrid,
    multi,
    h("div", "fields", topK, depth, normalize, threshold, collapse, rerank),
  );
  state.listen(() => {
    const { request } = state;
    hybrid.hidden = normalize.hidden = request.mode !== "hybrid";
    multi.hidden = request.mode !== "multi";
    threshold.hidden = !retrieversFor(request).includes("vector");
  });
  return node;
}
