import { answer } from "../views/answer.js";
import { filterBar } from "../views/filter_bar.js";
import { narrowed, passes } from "./narrow.js";

/** @typedef {import("../types.js").Request} Request */
/** @typedef {import("../views/state.js").State} State */

/**
 * An answer with filters over what it found. They change the trace that is fused, so that every
 * other setting goes on working under them.
 *
 * @param {State} state
 */
export function filteredAnswer(state) {
  const whole = state.trace;
  if (whole === null) return answer(state);
  const asked = state.request;
  state.trace = narrowed(whole, asked);
  state.refuse();
  state.view.choices = { source_types: counted(whole, "source_type"), languages: counted(whole, "language") };
  /** @param {Partial<Request>} change */
  const change = (change) => {
    const given = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value ?? whole.request[/** @type {keyof Request} */ (name)]]));
    const request = { ...state.request, ...given };
    state.receive({ trace: narrowed(whole, request), request });
    state.host.changed?.(request, true);
  };
  const host = {
    ...state.host,
    /** @param {Request} request @returns {Promise<[number, number]>} */
    count: async (request) => [whole.candidates.filter(passes(whole, request)).length, whole.candidates.length],
  };
  const bar = filterBar(Object.create(state, { change: { value: change }, host: { value: host } }), "candidate");
  // Of globs that the question came with no other can be a part.
  const paths = bar.querySelector(".paths")?.parentElement;
  if (paths && whole.request.file_paths !== null) paths.hidden = true;
  return answer(state, { settings: [bar] });
}

/**
 * @param {import("../types.js").Trace} trace
 * @param {"source_type" | "language"} name
 * @returns {[string, number][]} the words that candidates have, by name, and how many have each
 */
function counted({ candidates }, name) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const one of candidates) {
    const word = one[name];
    if (word !== null) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].sort(([x], [y]) => (x < y ? -1 : 1));
}
