import { createHmac, timingSafeEqual } from "node:crypto";

import { ConfigError, SessionExpired, SignatureError } from "./errors.js";

export const MIN_SECRET_BYTES = 16;
export const SESSION_LIFETIME_SECONDS = 3600;

export interface SignerOptions {
  readonly lifetimeSeconds?: number;
  /** Returns the time in seconds. */
  readonly clock?: () => number;
}

/** Makes and checks tokens of the form `reader.expiry.signature`, as the Python client does. */
export class SessionSigner {
  readonly #secret: Uint8Array;
  readonly #lifetimeSeconds: number;
  readonly #clock: () => number;

  constructor(
    secret: Uint8Array,
    {
      lifetimeSeconds = SESSION_LIFETIME_SECONDS,
      clock = () => Date.now() / 1000,
    }: SignerOptions = {},
  ) {
    if (secret.length < MIN_SECRET_BYTES) {
      throw new ConfigError(
        `the secret has ${secret.length} bytes; give ${MIN_SECRET_BYTES} or more`,
      );
    }
    this.#secret = secret;
    this.#lifetimeSeconds = lifetimeSeconds;
    this.#clock = clock;
  }

  /** Returns a token for this reader. The name must not contain a dot, which separates the parts. */
  sign(reader: string): string {
    if (reader === "" || reader.includes(".")) {
      throw new SignatureError(`reader="${reader}" must be non-empty and without a dot`);
    }
    const payload = `${reader}.${Math.floor(this.#clock()) + this.#lifetimeSeconds}`;
    return `${payload}.${this.#signature(payload)}`;
  }

  /** Returns the reader's name. The signature is checked first, then the expiry. */
  verify(token: string): string {
    const cut = token.lastIndexOf(".");
    const payload = token.slice(0, Math.max(0, cut));
    const given = Buffer.from(token.slice(cut + 1));
    const right = Buffer.from(this.#signature(payload));
    if (given.length !== right.length || !timingSafeEqual(given, right)) {
      throw new SignatureError("the session token does not carry our signature");
    }
    const [reader = "", expiry = ""] = payload.split(".");
    if (Number(expiry) <= this.#clock()) {
      throw new SessionExpired(`the session of "${reader}" expired; sign in again`);
    }
    return reader;
  }

  #signature(payload: string): string {
    return createHmac("sha256", this.#secret).update(payload).digest("base64url");
  }
}
