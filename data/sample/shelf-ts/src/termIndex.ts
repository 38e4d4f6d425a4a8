import { InvalidQuery } from "./errors.js";
import { STOP_WORDS, tokenize } from "./tokens.js";

export const K1 = 1.5;
export const B = 0.75;

/** One entry of a ranked list. `rank` counts from 1; `parts` holds the share of each term. */
export interface IndexHit {
  readonly key: string;
  readonly rank: number;
  readonly score: number;
  readonly parts: ReadonlyMap<string, number>;
}

export interface TermIndexOptions {
  /** 0 or more. Larger lets repeats of a term count for longer. */
  readonly k1?: number;
  /** 0 to 1. 0 ignores length; 1 divides by it in full. */
  readonly b?: number;
  readonly stopWords?: ReadonlySet<string>;
}

/** A small inverted index that ranks by BM25. */
export class TermIndex {
  readonly #postings = new Map<string, Map<string, number>>();
  readonly #lengths = new Map<string, number>();
  readonly #k1: number;
  readonly #b: number;
  readonly #stopWords: ReadonlySet<string>;

  constructor({ k1 = K1, b = B, stopWords = STOP_WORDS }: TermIndexOptions = {}) {
    this.#k1 = k1;
    this.#b = b;
    this.#stopWords = stopWords;
  }

  get size(): number {
    return this.#lengths.size;
  }

  /** Indexes a text under a key; an earlier text of that key is replaced in full. */
  add(key: string, text: string): void {
    this.remove(key);
    const terms = tokenize(text, this.#stopWords);
    this.#lengths.set(key, terms.length);
    for (const term of terms) {
      const keys = this.#postings.get(term) ?? new Map<string, number>();
      keys.set(key, (keys.get(key) ?? 0) + 1);
      this.#postings.set(term, keys);
    }
  }

  /** Forgets a key in every posting list; an emptied list goes too, or `idf` would see a ghost. */
  remove(key: string): void {
    if (!this.#lengths.delete(key)) return;
    for (const [term, keys] of this.#postings) {
      if (keys.delete(key) && keys.size === 0) this.#postings.delete(term);
    }
  }

  /** Returns key -> count for one term. */
  postings(term: string): ReadonlyMap<string, number> {
    return new Map(this.#postings.get(term));
  }

  /** Returns ln(1 + (N - n + 0.5) / (n + 0.5)), where n of the N texts have the term. */
  idf(term: string): number {
    const n = this.#postings.get(term)?.size ?? 0;
    return Math.log(1 + (this.size - n + 0.5) / (n + 0.5));
  }

  /**
   * Returns at most `depth` hits, best first; equal scores in key order, and no hit with score 0.
   *
   * @throws InvalidQuery if depth is below 1 or the query has no terms
   */
  search(query: string, { depth = 10 }: { readonly depth?: number } = {}): IndexHit[] {
    if (depth < 1) throw new InvalidQuery(`depth=${depth} must be 1 or more`);
    const terms = tokenize(query, this.#stopWords);
    if (terms.length === 0) {
      throw new InvalidQuery(`query="${query}" has no terms after analysis; add a content word`);
    }
    const found = new Map<string, Map<string, number>>();
    for (const term of terms) {
      for (const [key, count] of this.#postings.get(term) ?? []) {
        const parts = found.get(key) ?? new Map<string, number>();
        parts.set(term, (parts.get(term) ?? 0) + this.#termScore(term, key, count));
        found.set(key, parts);
      }
    }
    return [...found]
      .map(([key, parts]) => ({ key, parts, score: sum(parts.values()) }))
      .sort((x, y) => y.score - x.score || (x.key < y.key ? -1 : 1))
      .slice(0, depth)
      .map((hit, place) => ({ ...hit, rank: place + 1 }));
  }

  #termScore(term: string, key: string, count: number): number {
    const average = sum(this.#lengths.values()) / this.size;
    const lengthNorm = 1 - this.#b + (this.#b * (this.#lengths.get(key) ?? 0)) / average;
    return (this.idf(term) * count * (this.#k1 + 1)) / (count + this.#k1 * lengthNorm);
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
