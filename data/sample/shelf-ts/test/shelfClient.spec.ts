import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { Catalogue } from "../src/catalogue.js";
import { InvalidQuery, TransportError } from "../src/errors.js";
import { backoffDelays, retryWithBackoff } from "../src/retry.js";
import { SessionSigner } from "../src/sessionSigner.js";
import { ShelfClient } from "../src/shelfClient.js";

const signer = new SessionSigner(Buffer.from("the stacks are closed on Mondays"));
const catalogue = new Catalogue([{ isbn: "9780306406157", title: "Thermal Physics of Kettles" }]);

async function withServer(
  listener: RequestListener,
  run: (client: ShelfClient, waits: number[]) => Promise<void>,
): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  const waits: number[] = [];
  const client = new ShelfClient("ada", {
    signer,
    baseUrl: `http://127.0.0.1:${port}`,
    maxRetries: 2,
    sleep: async (seconds) => waits.push(seconds),
  });
  try {
    await run(client, waits);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const answer: RequestListener = (request, response) => {
  const token = (request.headers.authorization ?? "").replace("Bearer ", "");
  assert.equal(signer.verify(token), "ada");
  const url = new URL(request.url ?? "", "http://127.0.0.1");
  try {
    response.end(JSON.stringify(catalogue.search(url.searchParams.get("q") ?? "")));
  } catch (error) {
    response.statusCode = 400;
    response.end(JSON.stringify({ error: (error as Error).message }));
  }
};

test("search equals the catalogue's own answer", () =>
  withServer(answer, async (client) => {
    assert.deepEqual(await client.search("kettles"), catalogue.search("kettles"));
  }));

test("a bad query is reported and not repeated", () =>
  withServer(answer, async (client, waits) => {
    await assert.rejects(client.search("the of and"), InvalidQuery);
    assert.deepEqual(waits, []);
  }));

test("a busy server is asked again after the wait it names", () => {
  let busy = 2;
  const listener: RequestListener = (request, response) => {
    if (busy-- > 0) {
      response.writeHead(503, { "Retry-After": "5" }).end("{}");
    } else {
      answer(request, response);
    }
  };
  return withServer(listener, async (client, waits) => {
    assert.equal((await client.search("kettles")).length, 1);
    assert.deepEqual(waits, [5, 5]);
  });
});

test("backoffDelays doubles up to the cap", () => {
  assert.deepEqual(backoffDelays(6), [1, 2, 4, 8, 16, 30]);
});

test("retryWithBackoff gives up with the last error", async () => {
  let calls = 0;
  const call = async (): Promise<never> => {
    throw new TransportError(`try ${calls++}`);
  };
  await assert.rejects(retryWithBackoff(call, { maxRetries: 2, sleep: async () => {} }), /try 2/);
  assert.equal(calls, 3);
});
