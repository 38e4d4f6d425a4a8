import type { SearchResult } from "./catalogue.js";
import {
  InvalidQuery,
  RecordNotFound,
  ServerBusy,
  type ShelfError,
  SignatureError,
  TransportError,
} from "./errors.js";
import { type BookRecord, normalizeIsbn } from "./records.js";
import { type RetryOptions, retryWithBackoff } from "./retry.js";
import type { SessionSigner } from "./sessionSigner.js";

export interface ClientOptions extends RetryOptions {
  readonly signer: SessionSigner;
  readonly baseUrl?: string;
  readonly timeoutSeconds?: number;
}

/** Searches a remote catalogue on behalf of one reader. */
export class ShelfClient {
  readonly #options: ClientOptions;

  constructor(
    readonly reader: string,
    options: ClientOptions,
  ) {
    this.#options = options;
  }

  /** Resolves to at most `topK` results, best first. */
  async search(
    query: string,
    { topK = 5 }: { readonly topK?: number } = {},
  ): Promise<SearchResult[]> {
    const fields = new URLSearchParams({ q: query, top_k: String(topK) });
    return (await this.#get(`/search?${fields}`)) as SearchResult[];
  }

  /** Resolves to one record, or rejects with RecordNotFound. */
  async fetch(isbn: string): Promise<BookRecord> {
    return (await this.#get(`/records/${normalizeIsbn(isbn)}`)) as BookRecord;
  }

  #get(path: string): Promise<unknown> {
    return retryWithBackoff(() => this.#getOnce(path), this.#options);
  }

  async #getOnce(path: string): Promise<unknown> {
    const { signer, baseUrl = "http://127.0.0.1:8080", timeoutSeconds = 10 } = this.#options;
    const headers = { Authorization: `Bearer ${signer.sign(this.reader)}` };
    let response: Response;
    let body: unknown;
    try {
      const signal = AbortSignal.timeout(timeoutSeconds * 1000);
      response = await fetch(baseUrl + path, { headers, signal });
      body = await response.json();
    } catch (error) {
      throw new TransportError(`no answer from ${baseUrl}: ${String(error)}`);
    }
    if (response.ok) return body;
    throw errorFor(response, body);
  }
}

function errorFor(response: Response, body: unknown): ShelfError {
  const message =
    typeof body === "object" && body !== null && "error" in body
      ? String(body.error)
      : `the server answered ${response.status}`;
  switch (response.status) {
    case 400:
      return new InvalidQuery(message);
    case 401:
      return new SignatureError(message);
    case 404:
      return new RecordNotFound(message);
    case 429:
    case 503:
      return new ServerBusy(message, retryAfter(response));
    default:
      return new TransportError(message);
  }
}

function retryAfter(response: Response): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}
