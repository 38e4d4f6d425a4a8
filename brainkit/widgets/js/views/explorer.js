import { quiet, say } from "../dom/el.js";
import { answer } from "./answer.js";
import { filterBar } from "./filter_bar.js";
import { graphSettings } from "./graph_settings.js";
import { history } from "./history.js";

/**
 * An answer with what only a kernel can serve: other questions, filters, the walk, a saved page.
 *
 * @param {import("./state.js").State} state
 */
export function explorer(state) {
  return answer(state, {
    asked: (input) => history(state, input),
    settings: [graphSettings(state), filterBar(state)],
    foot: [saveButton(state)],
  });
}

/** @param {import("./state.js").State} state */
function saveButton(state) {
  const name = "Save as HTML";
  const button = quiet(null, name);
  button.addEventListener("click", async () => {
    try {
      say(button, `Saved as ${await state.host.save?.()}`);
    } catch (error) {
      state.fail(error);
    }
  });
  button.addEventListener("blur", () => say(button, name));
  state.listen(() => {
    button.hidden = state.trace === null;
  });
  return button;
}
