/** What the labelling view is given by `brainkit/widgets/labelling.py`. Types only. */

/**
 * A chunk to grade; `content` names it. There is nothing here of scores, ranks or who found it.
 *
 * @typedef {object} ItemPage
 * @property {number} question
 * @property {string} content
 * @property {number} number its place in the question's pool, from 1
 * @property {string} source
 * @property {string} lines
 * @property {string} about
 * @property {string} source_type
 * @property {string | null} language
 * @property {string} text
 * @property {string[]} also other places of the same text
 * @property {number | null} grade
 * @property {boolean} is_skipped
 * @property {string} note
 */

/** @typedef {{question: number, content: null}} EmptyPage a question for which nothing was found */

/**
 * Behind the last chunk.
 *
 * @typedef {object} EndPage
 * @property {null} question
 * @property {number[]} grades how many chunks have each grade
 * @property {number} skipped
 * @property {number} open
 * @property {string} file where the labels are
 * @property {string[]} agreement with each other labeller
 */

/**
 * @typedef {object} Shown
 * @property {string} labeller
 * @property {[name: string, meaning: string][]} grades
 * @property {[query: string, seen: number, total: number][]} questions
 * @property {ItemPage | EmptyPage | EndPage} page
 * @property {string} said what was saved last
 * @property {string | null} error
 */

/**
 * What can be done, by a key or a click.
 *
 * @typedef {{do: "grade", grade: number | null} | {do: "undo"} | {do: "note"} | {do: "help"} |
 *   {do: "go", to: "next" | "previous" | "open" | "skipped" | "end" | number} |
 *   {do: "scroll", pages: number, lines: number}} Action
 */

export {};
