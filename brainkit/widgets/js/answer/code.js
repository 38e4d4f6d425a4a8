/** @typedef {import("../types.js").Request} Request */

/**
 * The Python call that gives this answer.
 *
 * @param {Request} request
 */
export function pythonCall(request) {
  const settings = told(request).map((n) => `${n}=${python(request[n])}`);
  return `brain.query(${[python(request.query), ...settings].join(", ")})`;
}

/**
 * The Python call that gives this comparison: what differs in a and b, what is common after them.
 *
 * @param {Request} a
 * @param {Request} b
 */
export function compareCall(a, b) {
  const names = [...new Set([...told(a), ...told(b)])];
  const differing = names.filter((n) => python(a[n]) !== python(b[n]));
  const own = [a, b].map((request) => {
    const mine = differing.filter((n) => told(request).includes(n));
    return python(Object.fromEntries(mine.map((n) => [n, request[n]])));
  });
  const common = names.filter((n) => !differing.includes(n)).map((n) => `${n}=${python(a[n])}`);
  return `brain.compare(${[python(a.query), `a=${own[0]}`, `b=${own[1]}`, ...common].join(", ")})`;
}

/**
 * The settings that decide about an answer, or differ from the default.
 *
 * @param {Request} request
 */
function told(request) {
  const { mode, bm25_k1, bm25_b } = request;
  /** @type {(keyof Request)[]} */
  const names = ["mode", "top_k", "depth"];
  if (mode === "hybrid") names.push("alpha", "normalize");
  if (mode === "multi") names.push("rrf_k", "weights");
  if (/graph|multi/.test(mode)) names.push("traversal_depth", "graph_scorer");
  if (/[bm]/.test(mode)) { // bm25, hybrid, multi
    if (bm25_k1 - 1.5) names.push("bm25_k1");
    if (bm25_b - 0.75) names.push("bm25_b");
  }
  if (request.similarity_threshold > 0) names.push("similarity_threshold");
  if (request.collapse !== "none") names.push("collapse");
  const fields = /** @type {(keyof Request)[]} */ (Object.keys(request));
  names.push(...fields.filter((name) => /types|languages|paths/.test(name)));
  if (request.rerank) names.push("rerank", "rerank_depth");
  if (request.filter_stage !== "pre") names.push("filter_stage");
  return names.filter((name) => request[name] != null);
}

/**
 * JSON's strings, numbers and lists are Python's too, once true, false and null are named.
 *
 * @param {unknown} value
 * @returns {string}
 */
function python(value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${python(one)}`).join(", ")}}`;
  }
  return JSON.stringify(value);
}
