/**
 * What a reader moved, as the end of an address, and back:
 * `#view=2&mode=multi&weights=1,0.5,0&view=5&b.alpha=0.3`.
 *
 * An address is written by anyone, so whatever is not a setting in its range is left out.
 */
import { MODES } from "../views/words.js";

/** @typedef {import("../types.js").Request} Request */
/** @typedef {{a: Partial<Request>, b: Partial<Request>, selected: string | null}} Moved what differs from what the file shows: side A or the answer, side B, and the chosen chunk */

const RETRIEVERS = /** @type {const} */ (["vector", "bm25", "graph"]);

/** @param {number} least @param {number} most @param {boolean} [whole] */
const number = (least, most, whole = false) => ({
  write: String,
  /** @param {string} text */
  read(text) {
    const value = text.trim() === "" ? NaN : Number(text);
    return value >= least && value <= most && (!whole || Number.isInteger(value)) ? value : undefined;
  },
});
/** @param {string[]} allowed */
const word = (...allowed) => ({
  write: String,
  /** @param {string} text */
  read: (text) => (allowed.includes(text) ? text : undefined),
});
const words = {
  /** @param {any} list */
  write: (list) => (list ?? []).map(encodeURIComponent).join(),
  /** @param {string} text */
  read(text) {
    try {
      return text === "" ? null : text.split(",").map(decodeURIComponent);
    } catch {
      return undefined;
    }
  },
};
const weights = {
  /** @param {any} given */
  write: (given) => RETRIEVERS.map((name) => given[name]).join(),
  /** @param {string} text */
  read(text) {
    const given = text.split(",").map(number(0, 1e6).read);
    const fine = given.length === 3 && given.every((one) => one !== undefined) && given.some((one) => one !== 0);
    return fine ? Object.fromEntries(RETRIEVERS.map((name, at) => [name, given[at]])) : undefined;
  },
};

/** @type {[keyof Request, {write: (value: any) => string, read: (text: string) => any}][]} */
const FIELDS = [
  ["mode", word(...Object.keys(MODES))],
  ["top_k", number(1, 50, true)],
  ["depth", number(1, 1000, true)],
  ["alpha", number(0, 1)],
  ["normalize", word("max", "minmax", "none")],
  ["rrf_k", number(1, 1e9)],
  ["weights", weights],
  ["similarity_threshold", number(0, 1)],
  ["collapse", word("none", "overlap", "source")],
  ["source_types", words],
  ["languages", words],
  ["file_paths", words],
];

/**
 * The settings in which one request differs from another.
 *
 * @param {Request} from
 * @param {Request} to
 * @returns {Partial<Request>}
 */
export function difference(from, to) {
  const changed = FIELDS.filter(([name]) => JSON.stringify(from[name]) !== JSON.stringify(to[name]));
  return Object.fromEntries(changed.map(([name]) => [name, to[name]]));
}

/** @param {Moved | undefined} moved */
export function isMoved(moved) {
  return moved !== undefined && (moved.selected !== null || Object.keys(moved.a).length + Object.keys(moved.b).length > 0);
}

/**
 * @param {Map<number, Moved>} views by number, from 1
 * @returns {string} with its `#`; only that where nothing was moved
 */
export function written(views) {
  const parts = [...views].filter(([, moved]) => isMoved(moved)).sort(([x], [y]) => x - y);
  return `#${parts.flatMap(([at, { a, b, selected }]) => [
    `view=${at}`,
    ...settings("", a),
    ...settings("b.", b),
    ...(selected === null ? [] : [`selected=${encodeURIComponent(selected)}`]),
  ]).join("&")}`;
}

/** @param {string} prefix @param {Partial<Request>} given */
function settings(prefix, given) {
  return FIELDS.flatMap(([name, { write }]) => (name in given ? [`${prefix}${name}=${write(given[name])}`] : []));
}

/**
 * @param {string} hash
 * @returns {Map<number, Moved>}
 */
export function read(hash) {
  /** @type {Map<number, Moved>} */
  const views = new Map();
  /** @type {Moved | null} */
  let now = null;
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [key = "", ...rest] = part.split("=");
    const text = rest.join("=");
    if (key === "view" && /^\d{1,6}$/.test(text)) {
      now = { a: {}, b: {}, selected: null };
      views.set(Number(text), now);
    } else if (now !== null && key === "selected") {
      now.selected = words.read(text)?.[0] ?? null;
    } else if (now !== null) {
      const side = key.startsWith("b.") ? now.b : now.a;
      const field = FIELDS.find(([name]) => name === key.replace(/^b\./, ""));
      const value = field?.[1].read(text);
      if (field !== undefined && value !== undefined) Object.assign(side, { [field[0]]: value });
    }
  }
  return views;
}
