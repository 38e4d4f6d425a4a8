import { Unknown, defineDrawing } from "../dom/drawing.js";
import base from "../base.css";
import { evaluation } from "./evaluation.js";
import own from "./lab.css";
import { Lab } from "./state.js";
import { sweep } from "./sweep.js";

/** @typedef {import("./types.js").EvaluationView | import("./types.js").SweepView} View */
/** @typedef {import("../dom/drawing.js").Drawn} Drawn */

const SCHEMA = 1;

/** @param {View} view @returns {() => Drawn} */
function maker(view) {
  if (view.schema !== SCHEMA) {
    throw new Unknown(`This output was made by another version of brainkit (view schema ${view.schema}; this page runs ${SCHEMA}). The table is what it holds; run the cell again for the live view.`);
  }
  if (view.kind === "evaluation") {
    const lab = new Lab(view);
    return () => evaluation(lab);
  }
  if (view.kind === "sweep") {
    const kept = { stop: view.best };
    return () => sweep(view, kept);
  }
  throw new Unknown("This version of brainkit does not know this kind of view; the table is what it holds.");
}

// The number in the name is the schema: outputs of two versions share a page.
defineDrawing(`brainkit-evaluation-${SCHEMA}`, base + own, maker);
