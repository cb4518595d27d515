/** B4: the transferred bytes of the engine. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Transfer } from "../../runtime/ranvier_web/boot/transfer.js";

const of = (size, headers = {}) => new Response(new Uint8Array(size), { headers });
const bytes = async (response) => new Uint8Array(await response.arrayBuffer()).length;

test("sizes are those of the compressed response", async () => {
  const transfer = new Transfer(() => {});
  transfer.expect("a", 400);
  transfer.expect("b", 600);
  assert.deepEqual(transfer.progress, { stage: "engine", loaded: 0, total: 1000, received: 0, expected: 0 }, "no response yet");
  const a = transfer.countBytes("a", of(400, { "content-encoding": "br", "content-length": "100" }));
  const b = transfer.countBytes("b", of(600, { "content-encoding": "br", "content-length": "200" }));
  assert.equal(await bytes(a), 400);
  assert.deepEqual(transfer.progress, { stage: "engine", loaded: 400, total: 1000, received: 100, expected: 300 });
  assert.equal(await bytes(b), 600);
  assert.deepEqual(transfer.progress, { stage: "engine", loaded: 1000, total: 1000, received: 300, expected: 300 });
});

test("part of a file counts in proportion to the compressed size", async () => {
  const transfer = new Transfer(() => {});
  transfer.expect("a", 400);
  const { readable, writable } = new TransformStream();
  const writer = writable.getWriter();
  const response = new Response(readable, { headers: { "content-encoding": "gzip", "content-length": "200" } });
  const reader = transfer.countBytes("a", response).body.getReader();
  void writer.write(new Uint8Array(100));
  assert.equal((await reader.read()).value.length, 100);
  const { loaded, received, expected } = transfer.progress;
  assert.deepEqual([loaded, received, expected], [100, 50, 200]);
});

test("the size of a response compressed on the fly is known at its end", async (t) => {
  const transfer = new Transfer(() => {});
  transfer.expect("a", 400);
  const response = of(400, { "content-encoding": "gzip" });
  Object.defineProperty(response, "url", { value: "https://x.example/a" });
  const counted = transfer.countBytes("a", response);
  const { received, expected } = transfer.progress;
  assert.deepEqual([received, expected], [0, 0]);
  await bytes(counted);
  t.mock.method(performance, "getEntriesByName", (url) => (url === "https://x.example/a" ? [{ encodedBodySize: 120 }] : []));
  assert.deepEqual(transfer.progress, { stage: "engine", loaded: 400, total: 400, received: 120, expected: 120 });
});

test("an uncompressed response has the size of the file", async () => {
  const transfer = new Transfer(() => {});
  transfer.expect("a", 400);
  await bytes(transfer.countBytes("a", of(400)));
  assert.deepEqual(transfer.progress, { stage: "engine", loaded: 400, total: 400, received: 400, expected: 400 });
});

test("a retry counts from zero", async () => {
  const transfer = new Transfer(() => {});
  transfer.expect("a", 400);
  await bytes(transfer.countBytes("a", of(300, { "content-length": "300" })));
  transfer.countBytes("a", of(400, { "content-length": "400" }));
  const { loaded, expected } = transfer.progress;
  assert.deepEqual([loaded, expected], [0, 400]);
});

test("reports ten times a second and at the end of a file", async (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const reports = [];
  const transfer = new Transfer(({ loaded }) => reports.push(loaded));
  transfer.expect("a", 400);
  const { readable, writable } = new TransformStream();
  const writer = writable.getWriter();
  const reader = transfer.countBytes("a", new Response(readable)).body.getReader();
  for (const at of [0, 50, 100, 120]) {
    now = at;
    void writer.write(new Uint8Array(100));
    await reader.read();
  }
  assert.deepEqual(reports, [100, 300, 400]);
});
