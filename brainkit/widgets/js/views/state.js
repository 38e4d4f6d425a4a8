import { UNREAD } from "../answer/notices.js";
import { missing, resultsOf } from "../answer/results.js";

/** @typedef {import("../types.js").Request} Request */
/** @typedef {import("../types.js").View} View */
/** @typedef {import("../types.js").Result} Result */

/**
 * What a view shows, and the only way to change it. Pieces read it and listen; a change that the
 * trace can answer is drawn before `change` returns, any other goes to the kernel if there is one.
 */
export class State {
  /**
   * @param {View} view
   * @param {import("../types.js").Host} host
   */
  constructor(view, host) {
    this.view = view;
    this.host = host;
    this.request = view.request;
    this.trace = view.trace;
    /** @type {import("../types.js").Answer} */
    this.answer = { results: [], candidates: 0, notices: [] };
    /** Rank of each result before the last change, by order. @type {Map<number, number>} */
    this.before = new Map();
    /** Results before the last change that are none any more. @type {Result[]} */
    this.gone = [];
    /** Order of the candidate that is explained. @type {number | null} */
    this.chosen = null;
    /** Whether someone chose it, rather than it being the first. */
    this.wasChosen = false;
    /** Order of the candidate under the mouse, in the list or on the map. @type {number | null} */
    this.pointed = null;
    /** @type {string | null} */
    this.error = view.error;
    /** Why the last change could not be made. @type {string | null} */
    this.refused = null;
    this.busy = false;
    /** Counts what was settled here while a question may be on its way. */
    this.nth = 0;
    this.labels = { ...view.labels };
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    /** @type {Result[] | null} */
    this.baseline = null;
    /** @type {Request | null} */
    this.pending = null;
    this.stopped = false;
    this.refuse();
    this.explain(view.selected);
  }

  /** The result that is explained, or null. */
  get selected() {
    return this.answer.results.find((result) => result.candidate.order === this.chosen) ?? null;
  }

  /**
   * Call now and after every change, but only while what it draws is shown.
   *
   * @param {() => void} listener
   * @param {() => boolean} [isShown]
   */
  listen(listener, isShown = () => true) {
    const draw = () => {
      if (isShown()) listener();
    };
    this.listeners.add(draw);
    draw();
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  /**
   * Why a change cannot be made here, or null: without a kernel only what the trace holds.
   *
   * @param {Partial<Request>} change
   */
  refusal(change) {
    if (this.host.query !== undefined || this.trace === null) return null;
    return missing(this.trace, { ...this.request, ...change });
  }

  /**
   * @param {Partial<Request>} change
   * @param {boolean} [settled] false while a slider is dragged: marks then stay against its start
   */
  change(change, settled = true) {
    const next = { ...this.request, ...change };
    next.depth = Math.max(next.depth, next.top_k);
    this.refused = this.refusal(next);
    if (this.refused !== null) {
      this.tell();
      return;
    }
    this.baseline ??= this.answer.results;
    this.request = next;
    this.host.changed?.(next, settled);
    if (this.trace !== null && missing(this.trace, next) === null) {
      this.error = null;
      this.pending = null;
      this.nth += 1; // what is being asked is not what is wanted any more
      this.refuse();
      this.tell();
      const { notices } = this.answer;
      if (settled && this.host.query && notices.some((one) => one.kind === UNREAD)) void this.ask(next);
    } else if (settled || this.trace === null) {
      void this.ask(next);
    }
    if (settled) this.baseline = null;
  }

  /** Fuse the trace under the present settings. */
  refuse() {
    if (this.trace === null) return;
    this.answer = resultsOf(this.trace, this.request);
    const baseline = this.baseline ?? [];
    this.before = new Map(baseline.map((result) => [result.candidate.order, result.rank]));
    const here = new Set(this.answer.results.map((result) => result.candidate.order));
    this.gone = baseline.filter((result) => !here.has(result.candidate.order));
    if (!this.wasChosen || !here.has(this.chosen ?? -1)) this.explain(null);
  }

  /** @param {string | null} chunkId of the result that is explained; any other is the best, as it changes */
  explain(chunkId) {
    const { results } = this.answer;
    const named = results.find((r) => r.candidate.chunk_id === chunkId);
    this.wasChosen = named !== undefined;
    this.chosen = (named ?? results[0])?.candidate.order ?? null;
  }

  /**
   * Ask the kernel: one question in flight, and the newest of those that came meanwhile after it.
   *
   * @param {Request} request
   */
  async ask(request) {
    const query = this.host.query;
    if (query === undefined) {
      this.tell();
      return;
    }
    this.pending = request;
    if (this.busy) return;
    this.busy = true;
    this.error = null;
    this.tell();
    while (this.pending !== null && !this.stopped) {
      const asked = this.pending;
      const turn = this.nth;
      this.pending = null;
      try {
        const patch = await query(asked);
        if (this.pending === null && turn === this.nth && !this.stopped) this.receive({ error: null, ...patch });
      } catch (error) {
        if (this.pending === null && turn === this.nth) this.error = error instanceof Error ? error.message : String(error);
      }
    }
    this.busy = false;
    if (!this.stopped) this.tell();
  }

  /**
   * Take what came from outside: an answer, or a setting made in Python.
   *
   * @param {Partial<View>} patch
   */
  receive(patch) {
    const sameQuestion = patch.request === undefined || patch.request.query === this.request.query;
    this.baseline = sameQuestion ? this.answer.results : [];
    Object.assign(this.view, patch);
    if (patch.request !== undefined) this.request = patch.request;
    if (patch.trace !== undefined) this.trace = patch.trace;
    if (patch.labels !== undefined) this.labels = { ...patch.labels };
    if (patch.error !== undefined) this.error = patch.error;
    this.refused = null;
    if (this.trace !== null && missing(this.trace, this.request) === null) this.refuse();
    this.baseline = null;
    if (patch.selected !== undefined) this.explain(patch.selected);
    this.tell();
  }

  /** @param {number | null} order */
  choose(order) {
    this.chosen = order;
    this.wasChosen = true;
    this.host.selected?.(this.selected?.candidate.chunk_id ?? null);
    this.tell();
  }

  /** @param {number | null} order */
  point(order) {
    if (order === this.pointed || !this.view.map) return; // no other piece shows it
    this.pointed = order;
    this.tell();
  }

  /**
   * @param {string} chunkId
   * @param {number | null} grade
   */
  async label(chunkId, grade) {
    try {
      await this.host.label?.(chunkId, grade);
      if (grade === null) delete this.labels[chunkId];
      else this.labels[chunkId] = grade;
      this.tell();
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {unknown} error */
  fail(error) {
    this.error = error instanceof Error ? error.message : String(error);
    this.tell();
  }

  stop() {
    this.stopped = true;
    this.listeners.clear();
  }
}
