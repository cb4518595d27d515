/** X3: a failed fetch is an error with its reason, and is repeated past the HTTP cache. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { download, FetchFailure } from "../../runtime/ranvier_web/store/download.js";
import { ChunkSource } from "../../runtime/ranvier_web/store/chunk-source.js";

/**
 * A `fetch` that plays back answers by name: bytes, a status, or a broken connection.
 *
 * @param {Record<string, (number[] | number | "broken")[]>} answers
 */
function network(answers) {
  /** @type {string[]} */
  const asked = [];
  /** @type {any} */
  const fetcher = async (/** @type {string} */ url, /** @type {{cache: string}} */ { cache }) => {
    const name = url.slice("https://x.example/_ranvier/".length);
    asked.push(`${name} ${cache}`);
    const answer = answers[name]?.shift() ?? 404;
    if (answer === "broken") throw new TypeError("Failed to fetch");
    return typeof answer === "number" ? new Response("", { status: answer }) : new Response(Uint8Array.from(answer));
  };
  return { asked, source: new ChunkSource("https://x.example/_ranvier/", fetcher) };
}

test("fetches files in parallel and returns them in order", async () => {
  const { asked, source } = network({ "index/a.bin": [[1]], "index/b.bin": [[2, 3]] });
  const names = ["index/a.bin", "index/b.bin"];
  assert.deepEqual(await source.fetchFiles(names), { names, files: [Uint8Array.of(1), Uint8Array.of(2, 3)], failure: null });
  assert.deepEqual(asked, ["index/a.bin default", "index/b.bin default"]);
});

test("fetches a cached error once more past the cache", async () => {
  const { asked, source } = network({ "a.bin": [500, [7]] });
  assert.deepEqual(await source.fetchFile("a.bin"), Uint8Array.of(7));
  assert.deepEqual(asked, ["a.bin default", "a.bin reload"]);
});

test("names a failed file and fetches it past the cache from then on", async () => {
  const { asked, source } = network({ "a.bin": [503, 503, [7]], "b.bin": ["broken", "broken", [8]] });
  await assert.rejects(source.fetchFile("a.bin"), (error) => error instanceof FetchFailure && /a\.bin.*503/.test(error.message));
  await assert.rejects(source.fetchFile("b.bin"), (error) => error instanceof FetchFailure && /b\.bin/.test(error.message));
  assert.deepEqual((await source.fetchFiles(["a.bin", "b.bin"])).files, [Uint8Array.of(7), Uint8Array.of(8)]);
  assert.deepEqual(asked.slice(-2), ["a.bin reload", "b.bin reload"]);
});

test("returns all files of a round that arrive, and the error of the first other one", async () => {
  const { source } = network({ "a.bin": ["broken"], "b.bin": [[1]], "c.bin": [404, 404], "d.bin": [[2]] });
  const { names, files, failure } = await source.fetchFiles(["c.bin", "b.bin", "a.bin", "d.bin"]);
  assert.deepEqual({ names, files }, { names: ["b.bin", "d.bin"], files: [Uint8Array.of(1), Uint8Array.of(2)] });
  assert.ok(failure instanceof FetchFailure);
  assert.match(failure.message, /c\.bin.*404/);
});

/** @param {(controller: ReadableStreamDefaultController<Uint8Array>) => void} pull */
const streamed = (pull) => new Response(new ReadableStream({ pull }));

test("gives up a file without progress, also if nobody waits for it", async () => {
  const never = () => new Promise(() => {});
  const stuck = async () => streamed(() => new Promise(() => {}));
  for (const ask of /** @type {any[]} */ ([never, stuck])) {
    await assert.rejects(download("a.bin", ask, { timeout: 20 }), (error) => error instanceof FetchFailure && /a\.bin: no data/.test(error.message));
  }
});

test("waits for a slow file while bytes arrive", async () => {
  let left = 6;
  const slow = async () =>
    streamed(async (controller) => {
      await new Promise((resolve) => setTimeout(resolve, 15));
      if (left-- > 0) controller.enqueue(Uint8Array.of(left));
      else controller.close();
    });
  assert.deepEqual(await download("a.bin", slow, { timeout: 60 }), Uint8Array.of(5, 4, 3, 2, 1, 0));
});

test("uses prefetched files and fetches them once", async () => {
  const { asked, source } = network({ "a.bin": [[1], [9]], "b.bin": ["broken", "broken", [2]], "c.bin": [[3]] });
  const names = ["a.bin", "b.bin", "c.bin", "d.bin"];
  source.prefetch(names.slice(0, 3));
  assert.deepEqual(source.takePrefetched(names), { names: [], files: [] }); // nothing has come yet
  assert.deepEqual(await source.fetchFile("c.bin"), Uint8Array.of(3)); // somebody waited for it
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(source.takePrefetched(names), { names: ["a.bin"], files: [Uint8Array.of(1)] });
  assert.deepEqual(source.takePrefetched(names), { names: [], files: [] });
  assert.deepEqual(asked, ["a.bin default", "b.bin default", "c.bin default", "b.bin reload"]);
  assert.deepEqual(await source.fetchFile("b.bin"), Uint8Array.of(2)); // it failed, and nobody was told: it is asked for again
  assert.deepEqual(await source.fetchFile("a.bin"), Uint8Array.of(9)); // who takes it keeps it
});

test("an aborted file is not fetched past the cache", async () => {
  const stop = new AbortController();
  const { asked, source } = network({ "a.bin": [[1], [1]] });
  stop.abort();
  const { failure } = await source.fetchFiles(["a.bin"], stop.signal);
  assert.match(String(failure?.message), /cancelled/);
  await source.fetchFile("a.bin");
  assert.deepEqual(asked, ["a.bin default", "a.bin default"]);
});

test("a response without a body is an empty file", async () => {
  assert.deepEqual(await download("a.bin", async () => new Response(null)), new Uint8Array());
});
