/** Base of all errors that shelf raises on purpose. */
export class ShelfError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** A setting is out of its range. */
export class ConfigError extends ShelfError {}

/** A record has no title, or an ISBN whose check digit is wrong. */
export class InvalidRecord extends ShelfError {}

/** A search has no terms left after analysis, or asks for fewer than one hit. */
export class InvalidQuery extends ShelfError {}

/** No record of the catalogue has the ISBN asked for. */
export class RecordNotFound extends ShelfError {}

/** A session token was changed, or signed with another secret. */
export class SignatureError extends ShelfError {}

/** A session token is genuine but too old. */
export class SessionExpired extends SignatureError {}

/** No usable answer arrived. */
export class TransportError extends ShelfError {}

/** The server answered 429 or 503 and may say when to come back. */
export class ServerBusy extends TransportError {
  constructor(
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}
