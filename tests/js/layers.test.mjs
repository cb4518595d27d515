/** A7: WebCrypto decrypts what Python's `cryptography` encrypted; a wrong key and damaged files are errors with their reasons. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { FORMAT } from "../../runtime/ranvier_web/entry.js";
import { UnlockedLayer } from "../../runtime/ranvier_web/layers/unlock.js";

const vectors = JSON.parse(readFileSync(new URL("../builder/layers/vectors.json", import.meta.url), "utf8"));
const BASE = new URL("https://x.example/docs/_ranvier/");
const PATH = "inner/ä b/index.html";

/** The host's files by name below the base. @type {Map<string, Uint8Array>} */
let host = new Map();
/** @type {string[]} */
let requests = [];
/** @type {Map<string, string>} */
let stored = new Map();

beforeEach(() => {
  host = new Map(Object.entries(vectors.files).map(([name, data]) => [name, Buffer.from(/** @type {string} */ (data), "base64")]));
  const entry = { format: FORMAT, locked: "layers/locked.json" };
  host.set("entry.json", new TextEncoder().encode(JSON.stringify(entry)));
  host.set("../plain.txt", new TextEncoder().encode("public"));
  requests = [];
  stored = new Map();
});

globalThis.fetch = /** @type {any} */ (
  async (/** @type {string} */ url) => {
    const name = url.startsWith(BASE.href) ? url.slice(BASE.href.length) : `../${url.slice(new URL("../", BASE).href.length)}`;
    requests.push(name);
    const data = host.get(name);
    return data ? new Response(/** @type {BodyInit} */ (data)) : new Response("", { status: 404 });
  }
);
globalThis.sessionStorage = /** @type {any} */ ({
  getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value),
  removeItem: (/** @type {string} */ key) => stored.delete(key),
});

const open = (passphrase = vectors.passphrase, options = {}) => UnlockedLayer.open(BASE, passphrase, options);
const fileOf = (/** @type {string} */ path) => vectors.names[path];

/** @param {Promise<unknown>} attempt @param {string} code @param {RegExp} message */
const fails = (attempt, code, message) =>
  assert.rejects(attempt, (/** @type {any} */ error) => {
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  });

test("opens the builder's files", async () => {
  const layer = await open();
  assert.equal(layer.audience, "curator");
  for (const [path, content] of Object.entries(vectors.contents)) {
    assert.equal(Buffer.from(await layer.file(path)).toString("base64"), content, path);
    assert.equal(layer.has(path), true);
  }
  assert.equal(layer.audienceOf("inner/%C3%A4%20b/#part"), "curator");
  assert.equal(layer.audienceOf("guide/"), "");
  assert.deepEqual([layer.isPublic("plain.txt"), layer.isPublic(PATH), layer.has("plain.txt"), layer.has("constructor")], [true, false, false, false]);
});

test("the entry file is the layer's, and nothing of it is stored", async () => {
  assert.deepEqual(await (await open()).entry(), { format: FORMAT, version: "0", locked: "not the public one", offline: null });
  assert.equal(stored.size, 0);
});

test("files that the layer lacks are read from the public site", async () => {
  const layer = await open();
  assert.equal(new TextDecoder().decode(await layer.file("plain.txt")), "public");
  await fails(layer.file("missing.txt"), "fetch", /missing\.txt: the server answered 404/);
});

test("no path and no passphrase is in a request", async () => {
  await (await open()).file(PATH);
  assert.ok(requests.every((name) => /^(entry\.json|layers\/(locked\.json|[0-9a-f]{16}\/[0-9a-f]{32}\.bin))$/.test(name)), requests.join());
});

test("another Unicode form of the passphrase opens the layer", async () => {
  assert.notEqual(vectors.passphrase.normalize("NFD"), vectors.passphrase);
  assert.equal((await open(vectors.passphrase.normalize("NFD"))).audience, "curator");
});

test("keys cannot be exported", async () => {
  const { names, contents } = (await open()).layer;
  for (const key of [names, contents]) await assert.rejects(crypto.subtle.exportKey("raw", key), /not extractable/);
});

test("a wrong passphrase is an error", async () => {
  await fails(open("not the passphrase"), "passphrase", /opens no layer/);
});

test("a site without layers is an error", async () => {
  host.set("entry.json", new TextEncoder().encode(JSON.stringify({ format: FORMAT })));
  await fails(open(), "request", /no locked part/);
});

test("a hidden file opens by its name", async () => {
  host.set("entry.json", new TextEncoder().encode(JSON.stringify({ format: FORMAT })));
  host.set("layers/moon-7.json", /** @type {Uint8Array} */ (host.get("layers/locked.json")));
  assert.equal((await open(vectors.passphrase, { file: "moon-7" })).audience, "curator");
});

test("a missing layer is an error, and so is another page instead of it", async () => {
  host.delete(fileOf(""));
  await fails(open(), "fetch", /the directory: the server answered 404/);
  host.set("layers/locked.json", new TextEncoder().encode("<html>"));
  await fails(open(), "format", /cannot read it/);
});

/** @param {string} path @param {(data: Buffer) => Uint8Array} change */
const change = (path, change) => host.set(fileOf(path), change(Buffer.from(/** @type {Uint8Array} */ (host.get(fileOf(path))))));
const flipped = (/** @type {number} */ at) => (/** @type {Buffer} */ data) => {
  data[at < 0 ? data.length + at : at] ^= 1;
  return data;
};

test("a damaged directory is an error", async () => {
  change("", flipped(-1));
  await fails(open(), "integrity", /the directory: is damaged/);
});

for (const [state, damage, message] of /** @type {[string, (data: Buffer) => Uint8Array, RegExp][]} */ ([
  ["changed", flipped(-1), /index\.html: is damaged, or is not of this layer/],
  ["truncated", (data) => data.subarray(0, 500), /index\.html: has 500 of 1052 bytes/],
  ["empty", (data) => data.subarray(0, 0), /index\.html: is not of this build/],
  ["older", flipped(0), /index\.html: is not of this build/],
])) {
  test(`a file that is ${state} is an error`, async () => {
    const layer = await open();
    change(PATH, damage);
    await fails(layer.file(PATH), "integrity", message);
  });
}

test("a file that replaces another one is an error", async () => {
  const layer = await open();
  host.set(fileOf(PATH), /** @type {Uint8Array} */ (host.get(fileOf("empty.txt"))));
  await fails(layer.file(PATH), "integrity", /index\.html: is not of this build/);
  layer.layer.files[PATH] = /** @type {any} */ (layer.layer.files["empty.txt"]);
  await fails(layer.file(PATH), "integrity", /index\.html: is damaged, or is not of this layer/);
});

test("a new build is detected", async () => {
  const layer = await open();
  assert.equal(await layer.isUpdated(), false);
  change("", flipped(0));
  assert.equal(await layer.isUpdated(), true);
  host.delete(fileOf(""));
  assert.equal(await layer.isUpdated(), true);
});

test("a key is stored only on request, and `lock` removes it", async () => {
  const layer = await open(vectors.passphrase, { keep: true });
  assert.equal(stored.size, 1);
  assert.ok(![...stored].join().includes(vectors.passphrase));
  assert.equal((await UnlockedLayer.open(BASE, null, {})).audience, "curator");
  layer.forget();
  assert.equal(stored.size, 0);
  await fails(UnlockedLayer.open(BASE, null, {}), "passphrase", /opens no layer/);
});

test("hits have the audience of their pages", async () => {
  const layer = await open();
  const hits = [{ url: "inner/%C3%A4%20b/" }, { url: "guide/" }];
  assert.deepEqual(layer.labelled({ hits, totalHits: 2 }), {
    hits: [{ ...hits[0], audience: "curator" }, { ...hits[1], audience: "" }],
    totalHits: 2,
  });
  assert.deepEqual(layer.labelled([{ url: "a" }]), [{ url: "a" }]);
});
