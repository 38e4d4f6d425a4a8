import { OWN_KEYS, attribute, h, say } from "../dom/el.js";

/**
 * A labelled range input with its value beside it.
 *
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.hint what moving it does
 * @param {number} options.min
 * @param {number} options.max
 * @param {number} options.step
 * @param {[string, string]} [options.ends] words under both ends
 * @param {Node} [options.sign] stands before the name
 * @param {(value: number) => string} options.shown
 * @param {(value: number, settled: boolean) => void} options.moved
 */
export function slider(options) {
  const input = h("input", {
    type: "range",
    min: options.min,
    max: options.max,
    step: options.step,
    "aria-label": options.name,
    ...OWN_KEYS,
    on: {
      input: () => options.moved(Number(input.value), false),
      change: () => options.moved(Number(input.value), true),
    },
  });
  const value = h("output", "value");
  const ends = options.ends;
  const node = h(
    "label",
    { class: "slider", title: options.hint },
    h("span", "name", options.sign ?? null, options.name),
    h(
      "span",
      "track",
      input,
      ends !== undefined && h("span", { class: "ends", "aria-hidden": "true" }, h("span", {}, ends[0]), h("span", {}, ends[1])),
    ),
    value,
  );
  /** @param {number} number */
  const update = (number) => {
    if (Number(input.value) !== number) input.value = String(number);
    const text = options.shown(number);
    say(value, text);
    attribute(input, "aria-valuetext", text);
    const share = (number - options.min) / (options.max - options.min);
    input.style.setProperty("--at", `${Math.min(1, Math.max(0, share)) * 100}%`);
  };
  return { node, input, update };
}

/**
 * A labelled number field.
 *
 * @param {{name: string, hint: string, min: number, max: number, step: number, moved: (value: number) => void}} options
 */
export function numberField(options) {
  const input = h("input", {
    type: "number",
    min: options.min,
    max: options.max,
    step: options.step,
    "aria-label": options.name,
    ...OWN_KEYS,
    on: {
      change: () => {
        const value = Number(input.value);
        const inside = Math.min(options.max, Math.max(options.min, value));
        if (input.value !== "" && Number.isFinite(inside)) {
          options.moved(options.step === 1 ? Math.round(inside) : inside);
        }
      },
    },
  });
  const node = h("label", { class: "field", title: options.hint }, h("span", "name", options.name), input);
  /** @param {number} number */
  const update = (number) => {
    if (Number(input.value) !== number || input.value === "") input.value = String(number);
  };
  return { node, input, update };
}

/**
 * A labelled choice.
 *
 * @param {{name: string, hint: string, choices: [string, string][], moved: (value: string) => void}} options
 */
export function choice(options) {
  const input = h(
    "select",
    {
      "aria-label": options.name,
      ...OWN_KEYS,
      on: { change: () => options.moved(input.value) },
    },
    ...options.choices.map(([value, text]) => h("option", { value }, text)),
  );
  const node = h("label", { class: "field", title: options.hint }, h("span", "name", options.name), input);
  /** @param {string} value */
  const update = (value) => {
    if (input.value !== value) input.value = value;
  };
  return { node, input, update };
}
