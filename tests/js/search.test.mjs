// The loader in pages of other generators reads the entry file in its folder, and imports the module of the box.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const LOADER = fileURLToPath(new URL("../../runtime/ranvier_web/search.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "loader-"));
after(() => rmSync(folder, { recursive: true }));

/** @type {{url: string, cache: string | undefined}[]} */
let requests;
globalThis.addEventListener = globalThis.removeEventListener = () => {};

/** @type {{ok: boolean, status: number, entry: unknown}} */
let response;
let number = 0;
let boxFailures = 0;

beforeEach(() => {
  requests = [];
  response = { ok: true, status: 200, entry: { api: "web-1/api.js" } };
  globalThis.imported = [];
  globalThis.fetch = async (url, options) => {
    requests.push({ url: String(url), cache: options?.cache });
    if (String(url).endsWith("box.js") && boxFailures-- > 0) throw new TypeError("Failed to fetch");
    return { ok: response.ok, status: response.status, url: String(url), json: async () => response.entry, text: async () => "" };
  };
});

/** Write the loader and a module of the box into a new `_ranvier/`, and import it. */
async function load() {
  number += 1;
  const base = join(folder, `site-${number}`, "_ranvier");
  mkdirSync(join(base, "web-1", "ui"), { recursive: true });
  copyFileSync(LOADER, join(base, "search.js"));
  writeFileSync(join(base, "package.json"), '{"type": "module"}');
  writeFileSync(join(base, "web-1", "ui", "search-box.js"), "globalThis.imported.push(import.meta.url);");
  const url = pathToFileURL(`${base}/`).href;
  await import(`${url}search.js`);
  return url;
}

test("loads the entry file from its folder without the cache and imports its module", async () => {
  const base = await load();
  const box = `${base}web-1/ui/search-box.js`;
  assert.deepEqual(requests, [{ url: `${base}entry.json`, cache: "no-cache" }, { url: box, cache: "default" }]);
  assert.deepEqual(globalThis.imported, [box]);
});

test("the script of the box is requested again before its import, which a browser does not repeat", async () => {
  boxFailures = 1;
  const base = await load();
  assert.deepEqual(requests.map(({ cache }) => cache), ["no-cache", "default", "reload"]);
  assert.deepEqual(globalThis.imported, [`${base}web-1/ui/search-box.js`]);
});

test("a missing entry file is an error", async () => {
  response = { ok: false, status: 404, entry: null };
  await assert.rejects(load(), /Ranvier: .*entry\.json: the server answered 404/);
  assert.deepEqual(globalThis.imported, []);
});

test("while the box loads, only Ctrl-K without other modifiers is its key", async () => {
  let keep = () => {};
  globalThis.addEventListener = (_, listener) => (keep = listener);
  await load();
  const isKept = (modifiers) => {
    let kept = false;
    keep({ key: "k", ctrlKey: true, metaKey: false, shiftKey: false, altKey: false, ...modifiers, preventDefault: () => (kept = true) });
    return kept;
  };
  assert.deepEqual([{}, { shiftKey: true, key: "K" }, { altKey: true }].map(isKept), [true, false, false]);
  const other = { code: "KeyK", key: "κ" }; // a Greek keyboard has no K
  assert.deepEqual([other, { ...other, code: "KeyL" }, { ...other, key: "t" }].map(isKept), [true, false, false]);
});
