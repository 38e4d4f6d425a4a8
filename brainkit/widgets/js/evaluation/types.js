/**
 * What the views of the evaluation lab hold: JSON from `brainkit/widgets/evaluation_view.py` and
 * `sweep_view.py`. Types only.
 */

/** @typedef {{name: string, kind: string, cutoff: number | null, gain: "linear" | "exp"}} Measure */
/**
 * @typedef {object} Config
 * @property {string} name
 * @property {[string, string][]} settings what it sets otherwise than by default, its mode first
 * @property {string | null} not_run why it has no scores
 * @property {number | null} unjudged share of its first results that nobody judged
 * @property {[number | null, number | null]} ms milliseconds per query: median, 95th percentile
 */
/** @typedef {{low: number, high: number, p: number | null}} Against an interval of the mean difference, and p, corrected */
/** @typedef {{name: string, counted: boolean, values: string[], of: number[]}} Field of queries; `of`: the value of each */

/**
 * @typedef {object} EvaluationView
 * @property {number} schema
 * @property {"evaluation"} kind
 * @property {string} title
 * @property {string} dataset
 * @property {number} done queries that were run
 * @property {"source" | "chunk"} unit
 * @property {string} generation
 * @property {string[]} notes
 * @property {number} notes_left_out
 * @property {Measure[]} measures
 * @property {number} baseline
 * @property {number} unjudged_at
 * @property {Config[]} configs
 * @property {string[]} ids
 * @property {string[]} queries
 * @property {(number | null)[][][]} scores by measure, configuration, query; null was not run
 * @property {((Against | null)[] | null)[][]} against by measure, baseline, configuration
 * @property {Field[]} fields
 * @property {number} fields_left_out
 * @property {number} depth ranks of each ranking that are here
 * @property {number} deepest ranks that were measured
 * @property {string[]} units
 * @property {(number[] | null)[][]} rankings by configuration, query: places in `units`, best first
 * @property {[number, number][][]} grades by query: unit and grade, the best grade first
 */

/**
 * @typedef {object} Stop where the marker can stand
 * @property {string} label
 * @property {number | null} at on an axis from 0 to 1; null for stops in a row
 * @property {[number, number] | null} cell of two settings together: the place of each value in `axes`
 * @property {number} mean
 * @property {number} low
 * @property {number} high
 * @property {[number, number, number]} gain over the default: mean, low, high
 * @property {[number, number, number]} tally wins, ties, losses against the default
 */
/**
 * @typedef {object} Held what queries say that did not choose
 * @property {number[]} chosen the stop that each fold chose
 * @property {number} tuned
 * @property {number} default
 * @property {[number, number, number]} gain
 * @property {[number, number, number]} tally
 * @property {number} p
 * @property {boolean} beyond_noise
 * @property {boolean} enough
 * @property {string} text
 */
/**
 * @typedef {object} SweepView
 * @property {number} schema
 * @property {"sweep"} kind
 * @property {string} title
 * @property {string} setting
 * @property {string} measure
 * @property {"source" | "chunk"} unit
 * @property {string} dataset
 * @property {number} queries
 * @property {string[]} notes
 * @property {{name: string, labels: string[]}[] | null} axes of two settings together
 * @property {Stop[]} stops
 * @property {number} default
 * @property {number} best
 * @property {boolean} ordered whether the stops are numbers, ascending
 * @property {Held | null} held
 * @property {{edges: number[], means: number[], ends: [number, number], left_out: number} | null} steps
 */

export {};
