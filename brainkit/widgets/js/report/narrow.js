/**
 * Filters without a kernel: of the chunks that an answer found, those that pass. The words and globs
 * mean what they do in `brainkit/filters.py`; what the trace does not hold they cannot find.
 */

/** @typedef {import("../types.js").Trace} Trace */
/** @typedef {import("../types.js").Candidate} Candidate */
/** @typedef {import("../types.js").Retriever} Retriever */
/** @typedef {{source_types: string[] | null, languages: string[] | null, file_paths: string[] | null}} Filters */

export const FILTERS = /** @type {const} */ (["source_types", "languages", "file_paths"]);

/**
 * A trace of the candidates that pass, as if nothing else had been found.
 *
 * @param {Trace} trace
 * @param {Filters} filters
 * @returns {Trace} the same one if the filters are those it was made with
 */
export function narrowed(trace, filters) {
  const own = { source_types: filters.source_types, languages: filters.languages, file_paths: filters.file_paths };
  if (FILTERS.every((name) => JSON.stringify(own[name]) === JSON.stringify(trace.request[name]))) return trace;
  const candidates = trace.candidates.filter(passes(trace, own));
  const kept = new Set(candidates.map((one) => one.order));
  /** @type {Trace["lists"]} */
  const lists = {};
  for (const [name, list] of /** @type {[Retriever, import("../types.js").Ranked][]} */ (Object.entries(trace.lists))) {
    const hits = list.hits.filter(([order]) => kept.has(order));
    const reason = hits.length === 0 && list.hits.length > 0 ? "none of what it found passes the filters" : list.reason;
    lists[name] = { ...list, hits, reason };
  }
  const message =
    `The filters look at the ${trace.candidates.length} candidates of this answer, of which ${candidates.length} pass; ` +
    "a query with them searches the whole brain and can find more.";
  return {
    ...trace,
    request: { ...trace.request, ...own },
    candidates,
    lists,
    notices: [...trace.notices, { kind: "narrowed", message }],
  };
}

/**
 * @param {Trace} trace
 * @param {Filters} filters
 * @returns {(candidate: Candidate) => boolean}
 */
export function passes(trace, { source_types, languages, file_paths }) {
  // What the trace's own globs let through needs no second look.
  const asked = JSON.stringify(file_paths) === JSON.stringify(trace.request.file_paths);
  const keeps = file_paths === null || asked ? () => true : pathFilter(file_paths);
  return ({ source_type, language, source }) =>
    (source_types === null || source_types.includes(source_type)) &&
    (languages === null || (language !== null && languages.includes(language))) &&
    keeps(source);
}

/**
 * Gitignore-style globs over a source with or without its label; the last that matches decides.
 *
 * @param {string[]} globs
 * @returns {(source: string) => boolean}
 */
function pathFilter(globs) {
  const patterns = globs.map((glob) => ({ include: !glob.startsWith("!"), pattern: compiled(glob.replace(/^!/, "")) }));
  return (source) => {
    const relative = source.slice(source.indexOf("/") + 1);
    let kept = false;
    for (const { include, pattern } of patterns) {
      if (pattern.test(source) || pattern.test(relative)) kept = include;
    }
    return kept;
  };
}

/** @param {string} glob */
function compiled(glob) {
  const isFolder = glob.endsWith("/");
  const bare = glob.replace(/^\/|\/$/g, "");
  const anchored = glob.startsWith("/") || bare.includes("/");
  let out = anchored ? "" : "(?:.*/)?";
  for (let at = 0; at < bare.length; at += 1) {
    const rest = bare.slice(at);
    const set = /^\[(!?)([^\]/]+)\]/.exec(rest);
    if (rest.startsWith("**/")) [out, at] = [`${out}(?:.*/)?`, at + 2];
    else if (rest.startsWith("**")) [out, at] = [`${out}.*`, at + 1];
    else if (rest[0] === "*") out += "[^/]*";
    else if (rest[0] === "?") out += "[^/]";
    else if (set !== null) [out, at] = [`${out}[${set[1] ? "^" : ""}${(set[2] ?? "").replace(/[\\^[]/g, "\\$&")}]`, at + set[0].length - 1];
    else out += (rest[0] ?? "").replace(/[.+^${}()|[\]\\]/g, "\\$&");
  }
  return new RegExp(`^${out}${isFolder ? "/.*" : "(?:/.*)?"}$`, "s");
}
