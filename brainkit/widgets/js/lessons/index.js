import { Unknown, defineDrawing } from "../dom/drawing.js";
import base from "../base.css";
import { bm25 } from "./bm25.js";
import own from "./lessons.css";
import { vectors } from "./vectors.js";

/** @typedef {import("./types.js").Bm25View | import("./types.js").VectorsView} View */

const SCHEMA = 1;

/** @param {View} view @returns {() => import("./types.js").Drawn} */
function maker(view) {
  if (view.schema !== SCHEMA) {
    throw new Unknown(`This output was made by another version of brainkit (view schema ${view.schema}; this page runs ${SCHEMA}). The table is what it holds; run the cell again for the live view.`);
  }
  if (view.kind === "lesson-bm25") return bm25(view);
  if (view.kind === "lesson-vectors") return vectors(view);
  throw new Unknown("This version of brainkit does not know this kind of view; the table is what it holds.");
}

defineDrawing(`brainkit-lesson-${SCHEMA}`, base + own, maker);
