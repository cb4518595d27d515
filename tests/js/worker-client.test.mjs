/** X3: a worker without messages is terminated, whether its script failed silently or the browser stopped it. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { WorkerClient } from "../../runtime/ranvier_web/worker-client.js";

const OPTIONS = { base: "http://site.test/_ranvier/", entry: /** @type {any} */ ({}), frugal: true, timeout: 20_000, shared: false };

/** @type {{onmessage: Function, sent: any[], terminated: boolean}[]} */
const workers = [];

class FakeWorker {
  onmessage = () => {};
  sent = [];
  terminated = false;
  constructor() {
    workers.push(this);
  }
  postMessage(message) {
    this.sent.push(message);
  }
  terminate() {
    this.terminated = true;
  }
}

beforeEach(() => {
  workers.length = 0;
  globalThis.Worker = /** @type {any} */ (FakeWorker);
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
});

afterEach(() => {
  mock.timers.reset();
  delete globalThis.Worker;
});

test("a worker that never sends a message is terminated after ten seconds", async () => {
  const client = new WorkerClient(OPTIONS);
  assert.equal(workers[0].sent[0].kind, "ping");
  mock.timers.tick(9_999);
  assert.equal(client.failure, null);
  mock.timers.tick(1);
  await assert.rejects(client.ready, { code: "worker", message: /worker\.js/ });
  assert.ok(workers[0].terminated);
});

for (const [messages, message, failure] of [
  [[], "", { code: "fetch", message: "worker.js: the search worker could not be loaded" }],
  [[], "Unexpected token", { code: "fetch", message: /could not be loaded: Unexpected token/ }],
  [["pong"], "", { code: "fetch", message: /could not be loaded$/ }],
  [["pong"], "out of memory", { code: "engine", message: "out of memory" }],
]) {
  test(`an error of a worker after ${messages.length} messages, ${message || "without words"}, has the code ${failure.code}`, async () => {
    const client = new WorkerClient(OPTIONS);
    for (const kind of messages) workers[0].onmessage({ data: { kind } });
    workers[0].onerror({ message, preventDefault() {} });
    await assert.rejects(client.ready, failure);
    await assert.rejects(client.call("search", {}), { code: failure.code });
  });
}

test("a worker that has started may be silent for twice the timeout", async () => {
  const client = new WorkerClient(OPTIONS);
  workers[0].onmessage({ data: { kind: "pong" } });
  mock.timers.tick(39_999);
  assert.equal(client.failure, null);
  mock.timers.tick(1);
  await assert.rejects(client.ready, { code: "worker", message: /no longer responds/ });
});
