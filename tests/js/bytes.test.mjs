/** B4: scripts and data before the engine are small: the search box, suggestions and full-text hits. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const MOST = 18_000; // bytes, in Brotli
const ROOTS = ["ui/search-box.js", "api.js"];
// Reached from the API as well, but only the engine needs them.
const OF_THE_ENGINE = ["worker-client.js", "start-worker.js", "trusted.js", "options.js"];
const FOLDER = new URL("../../runtime/ranvier_web/", import.meta.url);

const IMPORT = /^(?:import|export) \{[^}]*\} from "(\.[^"]*)";\n/gm;
const COMMENT = /\/\*(?! ?(?:webpackIgnore|@vite-ignore))[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm;

/** The modules that a page loads for them, each after those that it imports. @param {string[]} roots */
function reached(roots) {
  /** @type {Map<string, string>} */
  const modules = new Map();
  const add = (/** @type {URL} */ url) => {
    const name = url.href.slice(FOLDER.href.length);
    if (modules.has(name) || OF_THE_ENGINE.includes(name)) return;
    const text = readFileSync(url, "utf8");
    modules.set(name, "");
    for (const [, at = ""] of text.matchAll(IMPORT)) add(new URL(at, url));
    modules.delete(name);
    modules.set(name, text);
  };
  for (const root of roots) add(new URL(root, FOLDER));
  return modules;
}

test("scripts that answer before the engine are small", (context) => {
  const modules = reached(ROOTS);
  for (const name of ["instant/lists.js", "instant/titles.js", "ui/search-panel.js", "site-version.js"]) assert.ok(modules.has(name), name);
  const bare = [...modules.values()].map((text) => text.replace(IMPORT, "").replace(COMMENT, "").replace(/\s*\n\s*/g, "\n"));
  const size = brotliCompressSync(bare.join("")).length;
  context.diagnostic(`${size} bytes of ${modules.size} modules`);
  assert.ok(size <= MOST, `${size} bytes`);
});
