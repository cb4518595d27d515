/** X3: every module that fetches follows one retry policy: two attempts, the second without the browser's cache. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { EngineFiles } from "../../runtime/ranvier_web/boot/engine-files.js";
import { readEntry } from "../../runtime/ranvier_web/entry.js";
import { Lists } from "../../runtime/ranvier_web/instant/lists.js";
import { fetchWorker } from "../../runtime/ranvier_web/start-worker.js";
import { FileSource } from "../../runtime/ranvier_web/store/file-source.js";
import { withRetry } from "../../runtime/ranvier_web/store/retry.js";

const BASE = "https://x.example/_ranvier/";
const TIMEOUT = 30; // ms
const ENTRY = { engine: "engine-0/", engineFiles: { "python_stdlib.wasm": [1, "sha256-x"] } };

/** Each caller of the policy with the cache mode of its first attempt. @type {[string, RequestCache, () => Promise<unknown>][]} */
const CALLERS = [
  ["the entry file", "no-cache", () => readEntry(new URL(BASE), TIMEOUT)],
  ["the worker's script", "default", () => fetchWorker(TIMEOUT)],
  ["a file of the index", "default", () => new FileSource(BASE, undefined, TIMEOUT).fetchFile("index/a.bin")],
  ["a file of the engine", "default", () => new EngineFiles(/** @type {any} */ ({ base: BASE, entry: ENTRY, timeout: TIMEOUT })).fetchBytes("python_stdlib.wasm")],
  ["a list", "default", () => new Lists(BASE, "lists/0123456789abcdef01234567.bin", (...request) => fetch(...request)).root()],
];

/** @type {Record<string, () => Promise<Response>>} */
const FAULTS = {
  "a missing file": async () => new Response("", { status: 404 }),
  "a server error": async () => new Response("", { status: 500 }),
  "a broken connection": async () => Promise.reject(new TypeError("Failed to fetch")),
};

for (const [name, first, request] of CALLERS) {
  for (const [fault, answer] of Object.entries(FAULTS)) {
    test(`${name} is requested twice after ${fault}`, async (t) => {
      const fetching = t.mock.method(globalThis, "fetch", answer);
      await assert.rejects(request());
      assert.deepEqual(fetching.mock.calls.map(({ arguments: [, init] }) => init?.cache), [first, "reload"]);
    });
  }
}

test("an entry file whose copy in the cache is damaged is fetched again", async (t) => {
  const fetching = t.mock.method(globalThis, "fetch", async (_, { cache }) => new Response(cache === "reload" ? '{"format": 10}' : '{"format":'));
  assert.deepEqual(await readEntry(new URL(BASE), TIMEOUT), { format: 10 });
  assert.equal(fetching.mock.callCount(), 2);
});

test("a download that stalls is not repeated", async (t) => {
  for (const [name, , request] of CALLERS.slice(0, 4)) { // lists have the timeout of their caller
    const fetching = t.mock.method(globalThis, "fetch", () => new Promise(() => {}));
    await assert.rejects(request(), /no data/, name);
    assert.equal(fetching.mock.callCount(), 1, name);
  }
});

test("there is no second attempt after an abort, after success, or for a request that skips the cache", async () => {
  /** @type {[Parameters<typeof withRetry>[1], boolean, string[]][]} */
  const cases = [
    [{ signal: AbortSignal.abort() }, true, ["default"]],
    [{ cache: "reload" }, true, ["reload"]],
    [{}, false, ["default"]],
    [{}, true, ["default", "reload"]],
  ];
  for (const [options, fails, modes] of cases) {
    /** @type {string[]} */
    const attempts = [];
    const attempt = async (/** @type {string} */ mode) => {
      attempts.push(mode);
      if (fails) throw new Error("no");
    };
    await withRetry(attempt, options).catch(() => {});
    assert.deepEqual(attempts, modes);
  }
});
