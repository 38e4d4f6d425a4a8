import { InvalidQuery, InvalidRecord, RecordNotFound } from "./errors.js";
import { type BookRecord, normalizeIsbn, searchableText } from "./records.js";
import { TermIndex } from "./termIndex.js";

/** A record with its place in the answer. `rank` counts from 1. */
export interface SearchResult {
  readonly record: BookRecord;
  readonly rank: number;
  readonly score: number;
}

export interface SearchOptions {
  /** How many results to return, default 5. */
  readonly topK?: number;
  /** Filters before the cut to `topK`: a narrow filter must not starve the answer. */
  readonly keep?: (record: BookRecord) => boolean;
}

/** Records by ISBN and an index over their text, kept in step by `add` and `remove`. */
export class Catalogue {
  readonly #records = new Map<string, BookRecord>();
  readonly #index = new TermIndex();

  constructor(records: Iterable<BookRecord> = []) {
    for (const record of records) this.add(record);
  }

  get size(): number {
    return this.#records.size;
  }

  /** Adds a record, or replaces the one with the same ISBN. */
  add(record: BookRecord): void {
    const isbn = normalizeIsbn(record.isbn);
    if (record.title.trim() === "") {
      throw new InvalidRecord(`the record with isbn=${isbn} has no title`);
    }
    this.#records.set(isbn, { ...record, isbn });
    this.#index.add(isbn, searchableText(record));
  }

  /** @throws RecordNotFound if there is none with this ISBN */
  remove(isbn: string): void {
    const record = this.get(isbn);
    this.#records.delete(record.isbn);
    this.#index.remove(record.isbn);
  }

  /** @throws RecordNotFound if there is none with this ISBN, with or without hyphens */
  get(isbn: string): BookRecord {
    const key = normalizeIsbn(isbn);
    const record = this.#records.get(key);
    if (record === undefined) throw new RecordNotFound(`no record has isbn=${key}`);
    return record;
  }

  /** Returns at most `topK` results, best first. */
  search(query: string, { topK = 5, keep = () => true }: SearchOptions = {}): SearchResult[] {
    if (topK < 1) throw new InvalidQuery(`topK=${topK} must be 1 or more`);
    return this.#index
      .search(query, { depth: Math.max(1, this.size) })
      .map((hit) => ({ record: this.get(hit.key), score: hit.score }))
      .filter((found) => keep(found.record))
      .slice(0, topK)
      .map((found, place) => ({ ...found, rank: place + 1 }));
  }
}
