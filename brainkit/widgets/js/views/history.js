/**
 * Earlier questions under the arrow keys, as in a shell: up is older, down newer, and below the
 * newest is what was being written. Elsewhere in a text of several words the keys keep their use.
 *
 * @param {import("./state.js").State} state
 * @param {HTMLInputElement} input
 */
export function history(state, input) {
  let [at, draft] = [-1, ""];
  input.addEventListener("input", () => void (at = -1));
  input.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const past = state.view.history ?? [];
    if (step === undefined || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (at === -1) {
      draft = input.value;
      if (step > 0 && past[0] === draft) at = 0; // it is on the page already
    }
    at = Math.max(-1, Math.min(past.length - 1, at + step));
    input.value = past[at] ?? draft;
    input.setSelectionRange(input.value.length, input.value.length);
  });
}
