import kernel from "./kernel.css";
import { PIECES, render, SCHEMA } from "./index.js";
import { asking, hideLeft } from "./kernel.js";
import { explorer } from "./views/explorer.js";
import { filterBar } from "./views/filter_bar.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Host} Host */
/** @typedef {import("./types.js").Request} Request */

/** @typedef {import("./kernel.js").Model} Model */

Object.assign(PIECES, { explorer, "filter-bar": filterBar });

/** Synced traits, and what a view calls them. @type {[string, keyof View | null][]} */
const TRAITS = [
  ["_view", null],
  ["_request", "request"],
  ["_choices", "choices"],
  ["selected", "selected"],
  ["labels", "labels"],
  ["history", "history"],
  ["error", "error"],
];

const LOST = "The kernel that answered here was restarted or is gone: run the cell again to ask.";

/**
 * A model as a view's host. A query is answered by new values of traits, which all views of the
 * model hear; `_answered` holds the ids of the queries that they settle.
 *
 * @param {Model} model
 * @returns {{host: Host, stop: () => void}}
 */
export function connect(model) {
  const { ask: request, taken, stop: unask } = asking(model, LOST);
  /** @type {Set<(patch: Partial<View>) => void>} */
  const listeners = new Set();
  /** @type {Set<string>} */
  const changed = new Set();
  let [mine, alive] = [false, true];

  // One message of the kernel changes several traits: what they make together is drawn once.
  const flush = () => {
    const names = new Set(changed);
    changed.clear();
    if (!alive) return;
    const answered = names.has("_answered") ? model.get("_answered").map(taken).filter(Boolean) : [];
    if (answered.length > 0) {
      for (const one of answered) one.resolve(patchOf(model, () => true));
    } else {
      const patch = patchOf(model, (name) => names.has(name));
      for (const listener of listeners) listener(patch);
    }
  };
  /** @param {string} name */
  const hear = (name) => () => {
    if (mine) return;
    if (changed.size === 0) queueMicrotask(flush);
    changed.add(name);
  };
  /** @type {[string, (content: any) => void][]} */
  const events = ["_answered", ...TRAITS.map(([name]) => name)].map((name) => [`change:${name}`, hear(name)]);
  for (const [event, callback] of events) model.on(event, callback);

  /** @param {string} name @param {unknown} value */
  const set = (name, value) => {
    mine = true;
    model.set(name, value);
    mine = false;
    model.save_changes();
  };
  const asksQueries = model.get("_kind") === "explorer";
  /** @type {Host} */
  const host = {
    changed: (now) => set("_request", now),
    selected: (chunkId) => set("selected", chunkId),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ...(model.get("_counts") && { count: (now) => request("count", { request: now }) }),
    ...(asksQueries && {
      query: (now) => (now.query === "" ? Promise.resolve({ request: now }) : request("query", { request: now })),
      open: (chunkId) => request("open", { chunk_id: chunkId }),
      label: (chunkId, grade) => request("label", { chunk_id: chunkId, grade }),
      save: () => request("save", {}),
    }),
  };
  const stop = () => {
    alive = false;
    unask();
    for (const [event, callback] of events) model.off(event, callback);
  };
  return { host, stop };
}

/**
 * What traits say of a view.
 *
 * @param {Model} model
 * @param {(name: string) => boolean} wanted
 * @returns {Partial<View>}
 */
function patchOf(model, wanted) {
  /** @type {Record<string, unknown>} */
  const patch = {};
  for (const [name, field] of TRAITS) {
    const value = wanted(name) ? model.get(name) : undefined;
    if (value === undefined) continue;
    if (field === null) Object.assign(patch, "trace" in value ? value : { trace: null });
    else patch[field] = value;
  }
  return patch;
}

/** @type {CSSStyleSheet | null} */
let sheet = null;

export default {
  /** @param {{model: Model, el: HTMLElement}} place */
  render({ model, el }) {
    const { host, stop } = connect(model);
    const blank = { schema: SCHEMA, kind: model.get("_kind"), trace: null, timings_ms: {}, query_time_ms: null };
    const clean = render(el, /** @type {View} */ ({ ...blank, ...patchOf(model, () => true) }), host);
    if (sheet === null) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(kernel);
    }
    el.shadowRoot?.adoptedStyleSheets.push(sheet);
    const show = hideLeft(model.get("_name"));
    return () => {
      stop();
      clean();
      show();
    };
  },
};
