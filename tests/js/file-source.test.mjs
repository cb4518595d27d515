/** X3: a failed fetch is repeated without the HTTP cache, and then is an error with its reason. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { download, FetchFailure } from "../../runtime/ranvier_web/store/download.js";
import { FileSource } from "../../runtime/ranvier_web/store/file-source.js";

/**
 * A `fetch` with prepared responses for each name: bytes, a status, or a broken connection.
 *
 * @param {Record<string, (number[] | number | "broken")[]>} responses
 */
function network(responses) {
  /** @type {string[]} */
  const requests = [];
  /** @type {any} */
  const fetcher = async (/** @type {string} */ url, /** @type {{cache: string}} */ { cache }) => {
    const name = url.slice("https://x.example/_ranvier/".length);
    requests.push(`${name} ${cache}`);
    const response = responses[name]?.shift() ?? 404;
    if (response === "broken") throw new TypeError("Failed to fetch");
    return typeof response === "number" ? new Response("", { status: response }) : new Response(Uint8Array.from(response));
  };
  return { requests, source: new FileSource("https://x.example/_ranvier/", fetcher) };
}

test("fetches files in parallel and returns them in order", async () => {
  const { requests, source } = network({ "index/a.bin": [[1]], "index/b.bin": [[2, 3]] });
  const names = ["index/a.bin", "index/b.bin"];
  assert.deepEqual(await source.fetchFiles(names), { names, files: [Uint8Array.of(1), Uint8Array.of(2, 3)], failure: null });
  assert.deepEqual(requests, ["index/a.bin default", "index/b.bin default"]);
});

test("fetches a cached error once more without the cache", async () => {
  const { requests, source } = network({ "a.bin": [500, [7]] });
  assert.deepEqual(await source.fetchFile("a.bin"), Uint8Array.of(7));
  assert.deepEqual(requests, ["a.bin default", "a.bin reload"]);
});

test("names a failed file, and later fetches it without the cache", async () => {
  const { requests, source } = network({ "a.bin": [503, 503, [7]], "b.bin": ["broken", "broken", [8]] });
  await assert.rejects(source.fetchFile("a.bin"), (error) => error instanceof FetchFailure && /a\.bin.*503/.test(error.message));
  await assert.rejects(source.fetchFile("b.bin"), (error) => error instanceof FetchFailure && /b\.bin/.test(error.message));
  assert.deepEqual((await source.fetchFiles(["a.bin", "b.bin"])).files, [Uint8Array.of(7), Uint8Array.of(8)]);
  assert.deepEqual(requests.slice(-2), ["a.bin reload", "b.bin reload"]);
});

test("returns the files of a round that arrive, and the error of the first failed file", async () => {
  const { source } = network({ "a.bin": ["broken"], "b.bin": [[1]], "c.bin": [404, 404], "d.bin": [[2]] });
  const { names, files, failure } = await source.fetchFiles(["c.bin", "b.bin", "a.bin", "d.bin"]);
  assert.deepEqual({ names, files }, { names: ["b.bin", "d.bin"], files: [Uint8Array.of(1), Uint8Array.of(2)] });
  assert.ok(failure instanceof FetchFailure);
  assert.match(failure.message, /c\.bin.*404/);
});

/** @param {(controller: ReadableStreamDefaultController<Uint8Array>) => void} pull */
const streamed = (pull) => new Response(new ReadableStream({ pull }));

test("stops a download without progress", async () => {
  const pending = () => new Promise(() => {});
  const stalled = async () => streamed(() => new Promise(() => {}));
  for (const fetcher of /** @type {any[]} */ ([pending, stalled])) {
    await assert.rejects(download("a.bin", fetcher, { timeout: 20 }), (error) => error instanceof FetchFailure && /a\.bin: no data/.test(error.message));
  }
});

test("does not stop a slow download while bytes arrive", async () => {
  let remaining = 6;
  const slow = async () =>
    streamed(async (controller) => {
      await new Promise((resolve) => setTimeout(resolve, 15));
      if (remaining-- > 0) controller.enqueue(Uint8Array.of(remaining));
      else controller.close();
    });
  assert.deepEqual(await download("a.bin", slow, { timeout: 60 }), Uint8Array.of(5, 4, 3, 2, 1, 0));
});

test("uses prefetched files and fetches them once", async () => {
  const { requests, source } = network({ "a.bin": [[1], [9]], "b.bin": ["broken", "broken", [2]], "c.bin": [[3]] });
  const names = ["a.bin", "b.bin", "c.bin", "d.bin"];
  source.prefetch(names.slice(0, 3));
  assert.deepEqual(source.takePrefetched(names), { names: [], files: [] }); // nothing has arrived
  assert.deepEqual(await source.fetchFile("c.bin"), Uint8Array.of(3)); // waits for the prefetched file
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(source.takePrefetched(names), { names: ["a.bin"], files: [Uint8Array.of(1)] });
  assert.deepEqual(source.takePrefetched(names), { names: [], files: [] });
  assert.deepEqual(requests, ["a.bin default", "b.bin default", "c.bin default", "b.bin reload"]);
  assert.deepEqual(await source.fetchFile("b.bin"), Uint8Array.of(2)); // the prefetch failed, so the file is requested again
  assert.deepEqual(await source.fetchFile("a.bin"), Uint8Array.of(9)); // a prefetched file is returned only once
});

test("an aborted file is not fetched a second time without the cache", async () => {
  const stop = new AbortController();
  const { requests, source } = network({ "a.bin": [[1], [1]] });
  stop.abort();
  const { failure } = await source.fetchFiles(["a.bin"], stop.signal);
  assert.match(String(failure?.message), /cancelled/);
  await source.fetchFile("a.bin");
  assert.deepEqual(requests, ["a.bin default", "a.bin default"]);
});

test("a response without a body is an empty file", async () => {
  assert.deepEqual(await download("a.bin", async () => new Response(null)), new Uint8Array());
});
