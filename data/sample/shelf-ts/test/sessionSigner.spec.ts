import assert from "node:assert/strict";
import { test } from "node:test";

import { ConfigError, SessionExpired, SignatureError } from "../src/errors.js";
import { SessionSigner } from "../src/sessionSigner.js";

const SECRET = Buffer.from("0123456789abcdef");

test("sign gives the same token as the Python client", () => {
  const signer = new SessionSigner(SECRET, { lifetimeSeconds: 60, clock: () => 1000 });
  assert.equal(signer.sign("ada"), "ada.1060.0tJ8ugbZI5umRoVrij-KYlMOXxPagjyCDRFe7POtq6s");
});

test("verify refuses a changed reader and another secret", () => {
  const signer = new SessionSigner(SECRET);
  const token = signer.sign("ada");
  assert.equal(signer.verify(token), "ada");
  assert.throws(() => signer.verify(token.replace("ada", "eve")), SignatureError);
  const other = new SessionSigner(Buffer.from("fedcba9876543210"));
  assert.throws(() => other.verify(token), SignatureError);
});

test("verify refuses an expired session", () => {
  let now = 1000;
  const signer = new SessionSigner(SECRET, { lifetimeSeconds: 60, clock: () => now });
  const token = signer.sign("ada");
  now = 1059;
  assert.equal(signer.verify(token), "ada");
  now = 1060;
  assert.throws(() => signer.verify(token), SessionExpired);
});

test("malformed tokens, names and secrets are refused", () => {
  const signer = new SessionSigner(SECRET);
  for (const token of ["", "ada", "ada.99999999999", "..."]) {
    assert.throws(() => signer.verify(token), SignatureError);
  }
  assert.throws(() => signer.sign("ada.b"), SignatureError);
  assert.throws(() => new SessionSigner(Buffer.from("short")), ConfigError);
});
