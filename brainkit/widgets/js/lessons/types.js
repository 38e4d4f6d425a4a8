/**
 * What the pictures of the lessons are drawn from; `brainkit/lessons/pictures.py` makes it.
 *
 * @typedef {object} Bm25View
 * @property {number} schema
 * @property {"lesson-bm25"} kind
 * @property {string} question
 * @property {number} k1 as the picture begins
 * @property {number} b
 * @property {number} average mean number of terms per chunk
 * @property {{term: string, idf: number}[]} terms of the question, each once
 * @property {{name: string, length: number, counts: number[]}[]} chunks in tie order; a count for
 *   each term, times how often the question has it
 *
 * @typedef {object} VectorsView
 * @property {number} schema
 * @property {"lesson-vectors"} kind
 * @property {number} asked direction of the question's vector, in degrees
 * @property {{name: string, angle: number}[]} vectors
 *
 * @typedef {{node: HTMLElement, stop: () => void}} Drawn
 */

export {};
