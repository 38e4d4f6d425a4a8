import assert from "node:assert/strict";
import { test } from "node:test";

import { InvalidQuery } from "../src/errors.js";
import { TermIndex } from "../src/termIndex.js";

const CHUNKS = {
  c1: "sign the session key",
  c2: "session expired, new session",
  c3: "retry after the server is unavailable",
  c4: "the key opens the old shelf behind the front desk",
};

function fourChunks(): TermIndex {
  const index = new TermIndex({ stopWords: new Set() });
  for (const [key, text] of Object.entries(CHUNKS)) index.add(key, text);
  return index;
}

test("idf of a term in half of the chunks is ln 2", () => {
  // 1 + (4 - 2 + 0.5) / (2 + 0.5) = 2
  assert.equal(fourChunks().idf("session"), Math.log(2));
});

test("search gives the scores computed by hand", () => {
  const hits = fourChunks().search("session key");
  assert.deepEqual(
    hits.map((hit) => [hit.key, hit.rank, hit.score.toFixed(4)]),
    [
      ["c1", 1, "1.6309"],
      ["c2", 2, "1.1090"],
      ["c4", 3, "0.5332"],
    ],
  );
});

test("search breaks ties by key, at the cut too", () => {
  const index = new TermIndex();
  for (const key of ["b", "a", "c"]) index.add(key, "kettle");
  assert.deepEqual(
    index.search("kettle", { depth: 2 }).map((hit) => hit.key),
    ["a", "b"],
  );
});

test("search refuses a query of stop words", () => {
  assert.throws(() => new TermIndex().search("the of and"), InvalidQuery);
});

test("remove leaves no trace", () => {
  const index = fourChunks();
  index.remove("c2");
  assert.equal(index.size, 3);
  assert.equal(index.postings("expired").size, 0);
  index.add("c2", CHUNKS.c2);
  assert.deepEqual(index.search("session key"), fourChunks().search("session key"));
});
