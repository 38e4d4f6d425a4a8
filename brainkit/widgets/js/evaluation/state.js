import { outcome, differences, scores, sorted } from "./model.js";

/** @typedef {import("./types.js").EvaluationView} EvaluationView */

/** What an evaluation shows now: everything that a hand can change, and who wants to know. */
export class Lab {
  /** @param {EvaluationView} view */
  constructor(view) {
    this.view = view;
    this.measure = 0;
    this.baseline = view.baseline;
    this.other = this.first(view.baseline);
    /** @type {number | null} */
    this.query = null;
    this.field = 0;
    this.depth = Math.min(10, view.depth);
    /** @type {string | null} which set of the overlap is open */
    this.set = null;
    /** @type {{column: string, falling: boolean} | null} */
    this.order = null;
    this.tab = "configurations";
    /** @type {{draw: () => void, isShown: () => boolean, stale: boolean}[]} */
    this.watching = [];
  }

  /** Whether there are two to compare. */
  get paired() {
    return this.other !== this.baseline;
  }

  /** The first configuration that was run, besides one; that one itself if it is alone. @param {number} but */
  first(but) {
    const at = this.view.configs.findIndex((config, i) => i !== but && config.not_run === null);
    return at < 0 ? but : at;
  }

  /** The chosen measure of a configuration, per query. @param {number} at */
  scores(at) {
    return scores(this.view, this.measure, at);
  }

  /** What the bars show: the other's gain over the baseline; of a single configuration its score. */
  bars() {
    const own = this.scores(this.other);
    return sorted(this.paired ? differences(own, this.scores(this.baseline)) : own);
  }

  /** The query to look at: the chosen one, else that of the largest difference. */
  get looked() {
    const bars = this.bars();
    if (bars.some((bar) => bar.at === this.query)) return this.query;
    if (!this.paired) return bars.at(-1)?.at ?? null;
    const most = bars.reduce((/** @type {{at: number, value: number} | null} */ top, bar) => (top !== null && Math.abs(top.value) >= Math.abs(bar.value) ? top : bar), null);
    return most === null || outcome(most.value) === "tie" ? (bars[0]?.at ?? null) : most.at;
  }

  /**
   * Draw now and after every change, while it can be seen.
   *
   * @param {() => void} draw
   * @param {() => boolean} [isShown]
   */
  listen(draw, isShown = () => true) {
    const one = { draw, isShown, stale: true };
    this.watching.push(one);
    refresh(one);
  }

  /** @param {Partial<Pick<Lab, "measure" | "baseline" | "other" | "query" | "field" | "depth" | "set" | "order" | "tab">>} to */
  change(to) {
    Object.assign(this, to);
    if (to.baseline !== undefined && this.other === this.baseline) this.other = this.first(this.baseline);
    for (const one of this.watching) one.stale = one.stale || Object.keys(to).some((name) => name !== "tab");
    this.watching.forEach(refresh);
  }

  stop() {
    this.watching = [];
  }
}

/** @param {{draw: () => void, isShown: () => boolean, stale: boolean}} one */
function refresh(one) {
  if (!one.stale || !one.isShown()) return;
  one.stale = false;
  one.draw();
}
