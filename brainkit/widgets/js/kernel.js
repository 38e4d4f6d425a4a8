/**
 * What a widget model offers, of anywidget's interface.
 *
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(content: unknown) => void} send
 * @property {(event: string, callback: (content: any) => void) => void} on
 * @property {(event: string, callback: (content: any) => void) => void} off
 */

/** @typedef {{resolve: (value: any) => void, reject: (error: Error) => void}} Waiting */

/**
 * Questions to the kernel, and its answers: the other half of `hosting.py`. A reply is a message
 * with the question's id.
 *
 * @param {Model} model
 * @param {string} lost what to say once the kernel was restarted: it knows nothing of its widgets
 *     then, and what was asked will never be answered
 * @param {() => void} [losing] hears of that
 */
export function asking(model, lost, losing = () => {}) {
  /** @type {Map<string, Waiting>} */
  const waiting = new Map();
  let isLost = false;
  /** @param {string} ask @param {object} [content] @returns {Promise<any>} */
  const ask = (ask, content = {}) =>
    new Promise((resolve, reject) => {
      if (isLost) throw new Error(lost);
      const id = crypto.getRandomValues(new Uint32Array(4)).join("-");
      waiting.set(id, { resolve, reject });
      model.send({ id, ask, ...content });
    });
  /** Who waits for an answer, for the last time. @param {string} id */
  const taken = (id) => {
    const one = waiting.get(id);
    waiting.delete(id);
    return one;
  };
  /** @param {{id?: string, reply?: unknown, error?: string}} content */
  const heard = ({ id = "", reply, error }) => {
    const one = taken(id);
    if (error === undefined) one?.resolve(reply);
    else one?.reject(new Error(error));
  };
  const lose = () => {
    isLost = true;
    for (const id of [...waiting.keys()]) heard({ id, error: lost });
    losing();
  };
  model.on("msg:custom", heard);
  model.on("comm_live_update", lose);
  const stop = () => {
    model.off("msg:custom", heard);
    model.off("comm_live_update", lose);
  };
  return { ask, taken, stop };
}

/**
 * Hide what a widget left in the notebook for when there is no kernel (`reopened.py`).
 *
 * @param {string | undefined} name
 * @returns {() => void} shows it again
 */
export function hideLeft(name) {
  if (name === undefined || !/^\w+$/.test(name)) return () => {};
  const rule = new CSSStyleSheet();
  rule.replaceSync(`.brainkit-left[data-of="${name}"] { display: none; }`);
  document.adoptedStyleSheets.push(rule);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== rule);
  };
}
