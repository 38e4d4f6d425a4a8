import { fill, h, s, shown } from "../dom/el.js";

/** @typedef {import("../types.js").GraphStep} GraphStep */
/** @typedef {import("../types.js").GraphTrace} GraphTrace */
/** @typedef {import("../types.js").GraphEntity} GraphEntity */

/**
 * A path as a line of nodes and arrows that wraps where it must.
 *
 * @param {GraphStep[]} path
 */
export function pathSteps(path) {
  const nodes = names(path);
  return h(
    "p",
    "path",
    node(nodes[0] ?? "", "seed"),
    ...path.flatMap(([, predicate, , forward], i) => [
      h("span", "edge", forward ? `— ${predicate} →` : `← ${predicate} —`),
      node(nodes[i + 1] ?? "", i === path.length - 1 ? "end" : "via"),
    ]),
  );
}

/**
 * A path in words, each relation said as it is stored.
 *
 * @param {GraphStep[]} path
 */
export function pathSentence(path) {
  return `${path.map((step) => step.slice(0, 3).join(" ")).join("; ")}.`;
}

/** @param {GraphStep[]} path */
function names(path) {
  const first = path[0];
  if (first === undefined) return [];
  const [subject, , object, forward] = first;
  return [forward ? subject : object, ...path.map(([from, , to, ahead]) => (ahead ? to : from))];
}

/** @param {string} name @param {string} role */
function node(name, role) {
  return h("span", `node ${role}`, h("bdi", {}, name));
}

const ROW = 30;
const SHOWN_PER_HOP = 8;
const LABEL = 30;
const [INDENT, GLYPH, GAP] = [16, 6.5, 48]; // a glyph's width is an upper estimate: text isn't measured

/**
 * The walk of graph mode: what the question named, and what was reached, a column per hop. Seeds
 * are squares, entities discs, hubs that end paths rings; the chosen result's path is heavy.
 *
 * @param {import("./state.js").State} state
 * @param {() => boolean} [isShown] it is drawn only then
 */
export function graphPicture(state, isShown) {
  const node = h("div", "graph-picture");
  let key = "";
  state.listen(() => {
    const graph = state.trace?.graph ?? null;
    const path = state.selected?.candidate.path ?? [];
    const now = JSON.stringify([state.trace?.generation, state.trace?.request.query, graph?.reached, path]);
    if (now === key) return;
    key = now;
    fill(node, graph === null ? [h("p", "empty", "No graph was walked for this answer.")] : drawn(graph, path));
  }, isShown);
  return node;
}

/** @param {GraphTrace} graph @param {GraphStep[]} path */
function drawn(graph, path) {
  const linked = graph.links.filter((link) => link.entities.length > 0);
  const rejected = graph.links.filter((link) => link.entities.length === 0);
  return [
    linked.length > 0 && h("p", {}, "Named: ", ...listed(linked.map((l) => `${l.text} → ${l.entities.join(", ")}`))),
    rejected.length > 0 && h("p", "hint", "Not linked: ", ...listed(rejected.map((l) => `${l.text} (${l.reason ?? "unknown"})`))),
    ...(graph.entities.length === 0
      ? [h("p", "empty", "The question names nothing in the graph.")]
      : [
          h("div", "scroll", picture(graph, new Set(names(path)))),
          h("p", "key", node("named by the question", "seed"), node("reached", "via"), node("hub, not passed through", "hub")),
        ]),
    path.length > 0 && pathSteps(path),
    path.length > 0 && h("p", "hint", pathSentence(path)),
  ];
}

/** @param {string[]} words */
function listed(words) {
  return words.flatMap((word, i) => [i > 0 ? "; " : "", h("bdi", {}, word)]);
}

/**
 * @param {GraphTrace} graph
 * @param {Set<string>} onPath
 */
function picture(graph, onPath) {
  const farthest = Math.max(...graph.entities.map((entity) => entity.hops));
  const columns = Array.from({ length: farthest + 1 }, () => /** @type {GraphEntity[]} */ ([]));
  for (const entity of [...graph.entities].sort((a, b) => Number(onPath.has(b.name)) - Number(onPath.has(a.name)))) {
    columns[entity.hops]?.push(entity);
  }
  /** @type {Map<number, {x: number, y: number, end: number, right: number, name: string}>} */
  const places = new Map();
  let width = 0;
  const starts = columns.map((column, hop) => {
    const x = width + INDENT;
    const top = column.slice(0, SHOWN_PER_HOP);
    const ends = top.map((entity) => x + 14 + shortened(entity.name).length * GLYPH);
    const right = Math.max(x + 90, ...ends); // a column's head has room too
    top.forEach(({ id, name }, i) => places.set(id, { x, y: 34 + i * ROW, end: ends[i] ?? x, right, name }));
    width = right;
    if (hop < farthest) width += GAP;
    return x;
  });
  const height = 20 + Math.max(...columns.map((c) => Math.min(c.length, SHOWN_PER_HOP))) * ROW;
  const edges = graph.edges.flatMap((edge) => {
    const from = places.get(edge.subject);
    const to = places.get(edge.object);
    if (from === undefined || to === undefined) return [];
    const heavy = onPath.has(from.name) && onPath.has(to.name);
    const [a, b] = from.x <= to.x ? [from, to] : [to, from];
    const side = a.x === b.x;
    const [start, turn] = side ? [a.x, a.x] : [a.end, a.right]; // past the labels of its column
    const middle = side ? a.x - 2 * INDENT : (turn + b.x) / 2;
    return [
      s("path", { class: heavy ? "edge heavy" : "edge", d: `M${start} ${a.y}H${turn}C${middle} ${a.y} ${middle} ${b.y} ${b.x} ${b.y}` },
        s("title", {}, `${from.name} ${edge.predicate} ${to.name}`)),
    ];
  });
  const nodes = columns.flatMap((column) => column.slice(0, SHOWN_PER_HOP).map((entity) => disc(entity, /** @type {any} */ (places.get(entity.id)), onPath)));
  const heads = columns.map((column, hop) => {
    const hidden = column.length - SHOWN_PER_HOP;
    return s("text", { class: "hop", x: (starts[hop] ?? 0) - 6, y: 12 }, `${hop === 0 ? "named" : `hop ${hop}`}${hidden > 0 ? ` · ${hidden} more` : ""}`);
  });
  const label = `${graph.reached} entities reached in ${columns.length - 1} hops`;
  return s("svg", { class: "walk", role: "img", "aria-label": label, width, height, viewBox: `0 0 ${width} ${height}` }, ...edges, ...nodes, ...heads);
}

/** @param {GraphEntity} entity @param {{x: number, y: number}} at @param {Set<string>} onPath */
function disc(entity, at, onPath) {
  const kind = entity.hops === 0 ? "seed" : entity.hub ? "hub" : "via";
  const sign = kind === "seed"
    ? s("rect", { x: at.x - 6, y: at.y - 6, width: 12, height: 12 })
    : s("circle", { cx: at.x, cy: at.y, r: 6 });
  return s(
    "g",
    `${kind}${onPath.has(entity.name) ? " heavy" : ""}`,
    s("title", {}, `${entity.name}${entity.kinds.length > 0 ? ` (${entity.kinds.join(", ")})` : ""}`),
    sign,
    s("text", { x: at.x + 12, y: at.y + 4 }, shortened(entity.name)),
  );
}

/** @param {string} name */
function shortened(name) {
  const all = shown(name);
  return all.length > LABEL ? `${all.slice(0, LABEL - 1)}…` : all;
}
