import { OWN_KEYS, attribute, fill, h, s, say, sized } from "../dom/el.js";
import { TERMS } from "./curves.js";

/** @typedef {import("./types.js").VectorsView} VectorsView */
/** @typedef {import("./types.js").Drawn} Drawn */

const WIDEST = 420;
const EDGE = 34;
const APART = 7;
const STEPS = { ArrowRight: -1, ArrowDown: -1, ArrowLeft: 1, ArrowUp: 1, PageUp: 15, PageDown: -15 };

/**
 * Unit vectors to turn by mouse or keys, and the cosine of each with the question's. The shadow of
 * a vector on the question's line is as long as its cosine; they lie side by side, as on the line
 * itself the longest would hide the others.
 *
 * @param {VectorsView} view
 * @returns {() => Drawn}
 */
export function vectors(view) {
  const kept = [{ name: "question", angle: view.asked }, ...view.vectors.map((one) => ({ ...one }))];
  const first = kept.map((one) => one.angle);
  return () => draw(kept, first);
}

/**
 * @param {{name: string, angle: number}[]} kept the question first
 * @param {number[]} first the angles to go back to
 * @returns {Drawn}
 */
function draw(kept, first) {
  let half = 0;
  const plot = h("div", "plane");
  const list = h("ol", "scores");
  const told = h("p", { class: "unseen", role: "status" });
  const back = h("button", { type: "button", on: { click: () => kept.forEach((_, i) => turn(i, first[i] ?? 0)) } }, "Reset");
  /** @type {{line: SVGElement, tip: SVGElement, name: SVGElement, drop: SVGElement, shadow: SVGElement}[]} */
  let parts = [];
  let axis = s("line");

  const radius = () => half - EDGE;
  const asked = () => kept[0]?.angle ?? 0;
  const place = (/** @type {number} */ angle, /** @type {number} */ r) => {
    const at = (angle * Math.PI) / 180;
    return { x: half + Math.cos(at) * r, y: half - Math.sin(at) * r };
  };

  /** @param {number} i @param {number} angle */
  function turn(i, angle) {
    const one = kept[i];
    if (one === undefined) return;
    one.angle = within(angle);
    update();
  }

  /** @param {number} i @param {PointerEvent} event */
  function follow(i, event) {
    const box = plot.querySelector("svg")?.getBoundingClientRect();
    if (box === undefined) return;
    const [right, up] = [event.clientX - box.left - half, half - (event.clientY - box.top)];
    if (right !== 0 || up !== 0) turn(i, Math.round((Math.atan2(up, right) * 180) / Math.PI));
  }

  /** @param {number} i */
  function handle(i) {
    const tip = s(
      "g",
      {
        class: `hand ${i === 0 ? "question" : `t${(i - 1) % TERMS}`}`,
        role: "slider",
        tabindex: 0,
        "aria-label": i === 0 ? "question" : `chunk ${kept[i]?.name}`,
        "aria-valuemin": -180,
        "aria-valuemax": 180,
        ...OWN_KEYS,
        on: {
          pointerdown: (/** @type {PointerEvent} */ event) => {
            tip.setPointerCapture(event.pointerId);
            event.preventDefault();
            tip.focus();
          },
          pointermove: (/** @type {PointerEvent} */ event) => void (tip.hasPointerCapture(event.pointerId) && follow(i, event)),
          keydown: (/** @type {KeyboardEvent} */ event) => {
            const by = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
            if (by === undefined && event.key !== "Home") return;
            event.preventDefault();
            turn(i, by === undefined ? (first[i] ?? 0) : Math.round((kept[i]?.angle ?? 0) + by));
          },
        },
      },
      s("circle", { class: "hit", r: 16 }),
      i === 0 ? s("rect", { x: -6, y: -6, width: 12, height: 12 }) : s("circle", { r: 7 }),
    );
    return tip;
  }

  function redraw() {
    const centre = half;
    axis = s("line", { class: "axis" });
    parts = kept.map((_, i) => ({
      line: s("line", { class: `vector ${i === 0 ? "question" : `t${(i - 1) % TERMS}`}`, x1: centre, y1: centre }),
      tip: handle(i),
      name: s("text", { class: "named", "text-anchor": "middle" }),
      drop: s("line", { class: "drop" }),
      shadow: s("line", { class: `shadow t${(i - 1 + TERMS) % TERMS}` }),
    }));
    const svg = s(
      "svg",
      { width: 2 * half, height: 2 * half, role: "group", "aria-label": "Unit vectors" },
      s("circle", { class: "unit", cx: centre, cy: centre, r: radius() }),
      axis,
      ...parts.slice(1).flatMap(({ drop, shadow }) => [drop, shadow]),
      ...parts.map(({ line }) => line),
      ...parts.flatMap(({ name, tip }) => [name, tip]),
    );
    fill(plot, [svg]);
  }

  function update() {
    if (half > 0) draws();
    const scored = kept.slice(1).map((one, i) => ({ ...one, i, cosine: cosine(one.angle, asked()) }));
    scored.sort((one, other) => other.cosine - one.cosine || one.i - other.i);
    fill(list, scored.map(row));
    say(told, scored.map((one) => `${one.name} ${one.cosine.toFixed(3)}`).join(", "));
    back.disabled = kept.every((one, i) => one.angle === first[i]);
  }

  function draws() {
    const [tail, head] = [place(asked() + 180, radius()), place(asked(), radius())];
    move(axis, tail, head);
    kept.forEach(({ name, angle }, i) => {
      const part = parts[i];
      if (part === undefined) return;
      const tip = place(angle, radius());
      const value = cosine(angle, asked());
      const foot = place(asked(), radius() * value);
      attribute(part.line, "x2", tip.x.toFixed(1));
      attribute(part.line, "y2", tip.y.toFixed(1));
      attribute(part.tip, "transform", `translate(${tip.x.toFixed(1)} ${tip.y.toFixed(1)})`);
      attribute(part.tip, "aria-valuenow", Math.round(angle));
      attribute(part.tip, "aria-valuetext", i === 0 ? `${Math.round(angle)} degrees` : `${Math.round(angle)} degrees, cosine ${value.toFixed(3)}`);
      const label = place(angle, radius() + 22);
      attribute(part.name, "x", label.x.toFixed(1));
      attribute(part.name, "y", (label.y + 4).toFixed(1));
      say(part.name, i === 0 ? "q" : name);
      if (i === 0) return;
      move(part.drop, tip, foot);
      const beside = place(asked() - 90, APART * i);
      const [across, down] = [beside.x - half, beside.y - half];
      move(part.shadow, beside, { x: foot.x + across, y: foot.y + down });
    });
  }

  /** @param {{name: string, i: number, cosine: number}} one @param {number} at */
  function row(one, at) {
    const share = Math.abs(one.cosine) * 50;
    return h(
      "li",
      { class: one.cosine > 0 ? "score-row" : "score-row idle" },
      h("span", "rank", one.cosine > 0 ? `${at + 1}` : "–"),
      h("bdi", "chunk-name", one.name),
      h("span", { class: "stack middle", "aria-hidden": "true" }, h("span", { class: `t${one.i % TERMS}`, css: { left: `${one.cosine < 0 ? 50 - share : 50}%`, width: `${share}%` } })),
      h("span", "number", one.cosine.toFixed(3)),
    );
  }

  const holder = h("div", "plane-holder", plot);
  const stop = sized(holder, (width) => {
    half = Math.min(WIDEST, width) / 2;
    redraw();
    update();
  });
  update();
  const hint = h("p", "hint", "Drag a vector, or turn it with the arrow keys. A chunk with a cosine of 0 or less is no hit.");
  const node = h("section", { class: "lesson side", "aria-label": "Unit vectors and their cosines" }, holder, h("div", "beside", list, hint, back, told));
  return { node, stop };
}

/** @param {number} one @param {number} other in degrees */
function cosine(one, other) {
  const value = Math.cos(((one - other) * Math.PI) / 180);
  return Math.abs(value) < 1e-12 ? 0 : value;
}

/** The same direction, from -180 to 180. @param {number} angle */
function within(angle) {
  return angle > 180 ? angle - 360 : angle < -180 ? angle + 360 : angle;
}

/** @param {SVGElement} line @param {{x: number, y: number}} from @param {{x: number, y: number}} to */
function move(line, from, to) {
  attribute(line, "x1", from.x.toFixed(1));
  attribute(line, "y1", from.y.toFixed(1));
  attribute(line, "x2", to.x.toFixed(1));
  attribute(line, "y2", to.y.toFixed(1));
}
