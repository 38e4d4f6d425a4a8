import assert from "node:assert/strict";
import { test } from "node:test";

import { Catalogue } from "../src/catalogue.js";
import { InvalidQuery, InvalidRecord, RecordNotFound } from "../src/errors.js";
import { normalizeIsbn } from "../src/records.js";

function small(): Catalogue {
  return new Catalogue([
    { isbn: "9780306406157", title: "Thermal Physics of Kettles", year: 1998 },
    {
      isbn: "9780000000002",
      title: "Letters from the Lighthouse",
      year: 2011,
      summary: "A keeper writes about storms, physics and tea.",
    },
    { isbn: "9780000000019", title: "The Café at the End of the Stacks" },
  ]);
}

test("search filters before the cut to topK", () => {
  const results = small().search("physics", { topK: 1, keep: (record) => record.year === 2011 });
  assert.deepEqual(
    results.map((result) => [result.rank, result.record.title]),
    [[1, "Letters from the Lighthouse"]],
  );
});

test("search finds accented titles without accents", () => {
  assert.equal(small().search("cafe")[0]?.record.isbn, "9780000000019");
});

test("search refuses topK zero", () => {
  assert.throws(() => small().search("physics", { topK: 0 }), InvalidQuery);
});

test("remove forgets record and index entry", () => {
  const catalogue = small();
  catalogue.remove("978-0-306-40615-7");
  assert.equal(catalogue.search("physics").length, 1);
  assert.throws(() => catalogue.get("9780306406157"), RecordNotFound);
});

test("normalizeIsbn names the right last digit", () => {
  assert.equal(normalizeIsbn("978-0-306-40615-7"), "9780306406157");
  assert.throws(() => normalizeIsbn("9780306406151"), /should end in 7/);
  assert.throws(() => normalizeIsbn("978030640615"), InvalidRecord);
});
