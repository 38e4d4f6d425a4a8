import { h, widths } from "./dom/el.js";
import { PIECES, SCHEMA } from "./index.js";
import { drawChart } from "./report/charts.js";
import { filteredAnswer } from "./report/filters.js";
import { isMoved, read, written } from "./report/link.js";
import { Live } from "./report/live.js";
import { unpacked } from "./report/unpack.js";

PIECES["answer"] = filteredAnswer;

/** @template T @param {() => T} make @returns {() => T} */
const once = (make) => {
  /** @type {T | undefined} */
  let made;
  return () => (made ??= make());
};
/** @param {Element | null} script */
const json = (script) => JSON.parse(script?.textContent ?? "null");
const shared = once(() => json(document.querySelector("script[type='application/json'][data-holds=shared]")));

/** What was moved, by the view's number. @type {Map<number, import("./report/link.js").Moved>} */
let moved = read(location.hash);

/** @type {Live[]} by number, from 1 */
const views = [...document.querySelectorAll("div[data-view]")].map(
  (element, at) =>
    new Live(
      /** @type {HTMLElement} */ (element),
      () => unpacked(json(element.querySelector("script[type='application/json']")), shared()),
      (now) => {
        if (isMoved(now) === isMoved(moved.get(at + 1)) && !isMoved(now)) return;
        moved.set(at + 1, now);
        const hash = written(moved);
        if (hash !== (location.hash || "#")) history.replaceState(null, "", hash);
      },
    ),
);
for (const [at, view] of views.entries()) view.moved = moved.get(at + 1);

/** What waits to be drawn until it comes near. @type {Map<Element, () => void>} */
const waiting = new Map();
views.forEach((view) => waiting.set(view.element, () => view.draw()));
for (const chart of document.querySelectorAll("div[data-chart]")) {
  waiting.set(chart, () => drawChart(/** @type {HTMLElement} */ (chart)));
}
/** @param {Element} element */
const draw = (element) => {
  const make = waiting.get(element);
  if (make === undefined) return;
  waiting.delete(element);
  near.unobserve(element);
  try {
    make();
  } catch {
    // Data of others can be anything; the table or the note is still there.
    element.shadowRoot?.replaceChildren(h("slot"));
  }
};
const near = new IntersectionObserver(
  (entries) => entries.filter((one) => one.isIntersecting).forEach((one) => draw(one.target)),
  { rootMargin: "100% 0px" },
);
for (const element of waiting.keys()) near.observe(element);

addEventListener("beforeprint", () => {
  [...waiting.keys()].forEach(draw);
  for (const look of widths) look(); // no frame comes before the paper
});
addEventListener("hashchange", () => {
  if (!location.hash.startsWith("#view=")) return;
  moved = read(location.hash);
  views.forEach((view, at) => {
    if (isMoved(view.moved) || moved.has(at + 1)) view.move(moved.get(at + 1));
  });
  arrive();
});

/** Go to the first view that a link is about. */
function arrive() {
  const first = views.find((_, at) => moved.has(at + 1));
  if (first === undefined) return;
  draw(first.element);
  first.element.scrollIntoView({ block: "start" });
}
arrive();

/** @type {NodeListOf<HTMLDetailsElement>} */
const code = document.querySelectorAll("details.code");
const fold = document.querySelector("button[data-folds]");
if (fold instanceof HTMLButtonElement) {
  const name = () => ([...code].some((one) => one.open) ? "Fold all code" : "Show all code");
  fold.hidden = code.length === 0;
  fold.textContent = name();
  fold.addEventListener("click", () => {
    const open = ![...code].some((one) => one.open);
    for (const one of code) one.open = open;
  });
  for (const one of code) one.addEventListener("toggle", () => (fold.textContent = name()));
}
document.documentElement.dataset["brainkit"] = String(SCHEMA); // all is in its place
