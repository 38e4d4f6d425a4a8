/**
 * The only ways to make elements. Data becomes text nodes and plain attributes, never markup: no
 * string is parsed as HTML anywhere in this front end, and no attribute is a link or a handler.
 */

const SVG = "http://www.w3.org/2000/svg";

/** Keeps JupyterLab's shortcuts off a control: arrow keys work in Lab's command mode, too. */
export const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };

/** @typedef {Node | string | number | null | false} Child */
/**
 * `css` sets properties one by one, which a page without inline styles allows; `on` adds listeners;
 * all else are attributes: true sets an empty one, false and null leave it out.
 *
 * @typedef {{css?: Record<string, string>, on?: Record<string, (event: any) => void>} &
 *   Record<string, string | number | boolean | null | object> | string} Props a text is the class
 */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/**
 * A button that looks like a link.
 *
 * @param {(() => void) | null} click
 * @param {...Child} children
 */
export function quiet(click, ...children) {
  return h("button", { type: "button", class: "quiet", on: click === null ? {} : { click } }, ...children);
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {Props} props
 * @param {Child[]} children
 * @returns {E}
 */
function filled(element, props, children) {
  const { css, on, ...attributes } = /** @type {Exclude<Props, string>} */ (typeof props === "string" ? { class: props } : props);
  for (const [name, value] of Object.entries(attributes)) attribute(element, name, value);
  for (const [name, value] of Object.entries(css ?? {})) element.style.setProperty(name, value);
  for (const [name, listener] of Object.entries(on ?? {})) element.addEventListener(name, listener);
  fill(element, children);
  return element;
}

/**
 * Replace what an element holds.
 *
 * @param {Element} element
 * @param {Child[]} children
 */
export function fill(element, children) {
  const nodes = [];
  for (const child of children) {
    if (child === null || child === false) continue;
    nodes.push(child instanceof Node ? child : shown(String(child)));
  }
  element.replaceChildren(...nodes);
}

/**
 * Set an element's text, touching the page only if it changed.
 *
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  const safe = shown(text);
  if (element.textContent !== safe) element.textContent = safe;
}

/**
 * Set or remove an attribute, touching the page only if it changed.
 *
 * @param {Element} element
 * @param {string} name
 * @param {unknown} value
 */
export function attribute(element, name, value) {
  if (value === false || value === null || value === undefined) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : shown(String(value));
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/**
 * Text of the same length that a page shows and does not obey: control characters get their
 * picture; halves of characters and marks that reorder a line are replaced. As `markup.terminal`.
 *
 * @param {string} text
 */
export function shown(text) {
  return text
    .replace(/[\x00-\x08\x0b-\x1f]/g, (char) => String.fromCharCode(0x2400 + char.charCodeAt(0)))
    .replace(/\x7f/g, "\u2421")
    .replace(/[\x80-\x9f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu, "\ufffd");
}

/** What draws for a width, to be called where frames come too late. @type {Set<() => void>} */
export const widths = new Set();

/**
 * Draw into an element for the width it has, and again when that changes.
 *
 * @param {HTMLElement} element
 * @param {(width: number) => void} draw
 * @returns {() => void} stops watching
 */
export function sized(element, draw) {
  let width = 0;
  const look = () => {
    const now = Math.round(element.clientWidth);
    if (now > 0 && now !== width) draw((width = now));
  };
  const watch = new ResizeObserver(look);
  watch.observe(element);
  widths.add(look);
  return () => {
    watch.disconnect();
    widths.delete(look);
  };
}
