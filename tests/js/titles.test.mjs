/** B2, X3: files of names are checked, fetched once, and fetched again after a failure. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import { sha256 } from "../../runtime/ranvier_web/instant/sha256.js";
import { Titles } from "../../runtime/ranvier_web/instant/titles.js";

const BASE = "https://example.org/docs/_ranvier/";
const EMPTY = { alias_pages: [], aliases: [], anchors: [], heading_counts: [], headings: [], tag_pages: [], tags: [] };
const PORTS = { ...EMPTY, heading_counts: [0, 1], headings: ["Port dues"], anchors: [0], titles: ["Port", "Tides"], urls: ["p/", "t/"] };

const packed = (/** @type {object} */ file) => deflateSync(JSON.stringify(file));
const digestOf = (/** @type {string | Uint8Array} */ data) => createHash("sha256").update(data).digest("hex").slice(0, 24);

/** A host with some files; it records the requests. @param {object[]} files  the first is the root */
function host(...files) {
  const contents = new Map(files.map(packed).map((data) => [`titles/${digestOf(data)}.bin`, data]));
  const [root = null] = contents.keys();
  /** @type {[string, string | undefined][]} */
  const requests = [];
  const fetcher = async (/** @type {any} */ url, /** @type {any} */ { cache, signal } = {}) => {
    const name = String(url).slice(BASE.length);
    requests.push([name, cache]);
    assert.equal(signal, undefined, "an aborted query must not abort a file that other queries wait for");
    const data = contents.get(name);
    return new Response(data ?? "not found", { status: data === undefined ? 404 : 200 });
  };
  return { root, contents, requests, fetcher };
}

test("a suggestion has its text in parts and its address", async () => {
  const { root, fetcher } = host(PORTS);
  const titles = new Titles(BASE, root, fetcher);
  assert.deepEqual(await titles.search("PO"), [
    { kind: "title", text: ["", "Po", "rt"], title: "Port", url: "p/", anchor: "" },
    { kind: "heading", text: ["", "Po", "rt dues"], title: "Tides", url: "t/", anchor: "port-dues" },
  ]);
  assert.deepEqual(await titles.search("du", { limit: 1 }), [
    { kind: "heading", text: ["Port ", "du", "es"], title: "Tides", url: "t/", anchor: "port-dues" },
  ]);
});

test("fetches nothing for an empty query", async () => {
  const { root, fetcher, requests } = host(PORTS);
  const titles = new Titles(BASE, root, fetcher);
  for (const query of ["", " ", "…", "\ud800"]) assert.deepEqual(await titles.search(query), []);
  assert.deepEqual(await new Titles(BASE, null, fetcher).search("port"), []);
  await new Titles(BASE, null, fetcher).root();
  assert.deepEqual(requests, []);
});

test("a file is fetched once for all waiting queries", async () => {
  const { root, fetcher, requests } = host(PORTS);
  const titles = new Titles(BASE, root, fetcher);
  await Promise.all([titles.root(), titles.search("p"), titles.search("po"), titles.search("x")]);
  assert.deepEqual(requests, [[root, "default"]]);
});

test("a damaged file is fetched without the cache; a second failure is an error that is not cached", async () => {
  const { root, fetcher, requests, contents } = host(PORTS);
  const name = String(root);
  const original = /** @type {Uint8Array} */ (contents.get(name));
  const titles = new Titles(BASE, root, fetcher);
  for (const damaged of [packed({ ...PORTS, titles: ["Fort", "Tides"] }), original.slice(1), new Uint8Array()]) {
    contents.set(name, damaged);
    await assert.rejects(titles.search("port"), { code: "integrity" });
  }
  contents.delete(name);
  await assert.rejects(titles.search("port"), { code: "integrity" });
  assert.deepEqual(
    requests.map(([, cache]) => cache),
    Array(4).fill(["default", "reload"]).flat(),
  );
  contents.set(name, original);
  assert.equal((await titles.search("port")).length, 2);
});

test("a network error rejects, and the next query fetches the file again", async () => {
  const { root, fetcher } = host(PORTS);
  let broken = true;
  const fail = () => Promise.reject(new TypeError("no network"));
  const titles = new Titles(BASE, root, (...request) => (broken ? fail() : fetcher(...request)));
  await assert.rejects(titles.search("port"), /no network/);
  broken = false;
  assert.equal((await titles.search("port")).length, 2);
});

test("an aborted query rejects, and its file serves other queries", async () => {
  const { root, fetcher, requests } = host(PORTS);
  const titles = new Titles(BASE, root, fetcher);
  const stop = new AbortController();
  const [first, second] = [titles.search("port", { signal: stop.signal }), titles.search("port")];
  stop.abort();
  await assert.rejects(first, { name: "AbortError" });
  assert.equal((await second).length, 2);
  assert.equal(requests.length, 1);
});

test("a root names one more file", async () => {
  const shard = { ...PORTS, numbers: [4, 9] };
  const file = digestOf(packed(shard));
  const { root, fetcher, requests } = host({ files: ["0".repeat(24), file], heads: ["a"], runs: ["po"] }, shard);
  const titles = new Titles(BASE, root, fetcher);
  assert.equal((await titles.search("port")).length, 2);
  assert.deepEqual(await titles.search("b"), [], "the query is before the first prefix");
  assert.deepEqual(
    requests.map(([name]) => name),
    [root, `titles/${file}.bin`],
  );
  assert.equal((await titles.search("a port")).length, 0, "the rarer word is looked up");
  assert.equal(requests.length, 2);
  await assert.rejects(titles.search("a"), { code: "integrity" });
});

test("a root that names a root is an error", async () => {
  const inner = { files: [], heads: [], runs: [] };
  const { root, fetcher } = host({ files: [digestOf(packed(inner))], heads: [], runs: ["a"] }, inner);
  await assert.rejects(new Titles(BASE, root, fetcher).search("abc"), { code: "integrity" });
});

test("files are checked on plain http", async (context) => {
  context.mock.getter(globalThis, "crypto", () => ({}));
  const { root, fetcher, contents } = host(PORTS);
  assert.equal((await new Titles(BASE, root, fetcher).search("port")).length, 2);
  contents.set(String(root), packed({ ...PORTS, titles: ["Fort", "Tides"] }));
  await assert.rejects(new Titles(BASE, root, fetcher).search("port"), { code: "integrity" });
});

test("SHA-256 of any length", () => {
  for (const length of [...Array(200).keys(), 5_000, 100_003]) {
    const data = Uint8Array.from({ length }, (_, at) => (at * 7 + length) % 256);
    assert.equal(sha256(data), createHash("sha256").update(data).digest("hex"));
  }
});
