export { Catalogue, type SearchOptions, type SearchResult } from "./catalogue.js";
export * from "./errors.js";
export { type BookRecord, normalizeIsbn } from "./records.js";
export { MAX_RETRIES, retryWithBackoff } from "./retry.js";
export { SessionSigner } from "./sessionSigner.js";
export { type ClientOptions, ShelfClient } from "./shelfClient.js";
export { TermIndex } from "./termIndex.js";
