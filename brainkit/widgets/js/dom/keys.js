import { OWN_KEYS, attribute } from "./el.js";

const [MARK = ""] = Object.keys(OWN_KEYS);
const WRITTEN = ["text", "search", "number"];

/**
 * Keep keys for the controls they are meant for, inside JupyterLab's cells too.
 *
 * Lab leaves a key alone if the element it comes from is marked. Seen from outside a shadow root
 * that is the host, so the host has the mark while a control has the focus: the Enter of a button
 * would put the cell below into edit mode, and its "j" would choose that cell. And Lab takes
 * the Enter of every field in a cell, marked or not, so that no form would ever be sent.
 *
 * @param {Element} host
 * @param {HTMLElement} root all that the host's shadow root shows
 * @returns {() => void} cleans up
 */
export function ownKeys(host, root) {
  const release = () => attribute(host, MARK, null);
  root.addEventListener("focusin", () => attribute(host, MARK, "true"));
  root.addEventListener("focusout", release);
  root.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key !== "Enter" || event.isComposing || !(field instanceof HTMLInputElement)) return;
    if (!WRITTEN.includes(field.type)) return;
    event.preventDefault();
    if (field.form !== null) field.form.requestSubmit();
    else field.dispatchEvent(new Event("change", { bubbles: true }));
  });
  return release;
}
