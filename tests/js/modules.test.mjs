// Imports of scripts: retries with another address, and a timeout.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { importModule } from "../../runtime/ranvier_web/modules.js";

const folder = mkdtempSync(join(tmpdir(), "modules-"));
after(() => rmSync(folder, { recursive: true }));

/** @param {string} name @param {string} text */
function script(name, text) {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name)).href;
}

test("a module is imported once", async () => {
  const url = script("a.mjs", "globalThis.ran = (globalThis.ran ?? 0) + 1; export const a = import.meta.url;");
  assert.equal((await importModule(url)).a, url);
  assert.equal(await importModule(url), await importModule(url));
  assert.equal(globalThis.ran, 1);
});

test("a failed import is retried, each time with a new address", async () => {
  const url = script("b.mjs", "globalThis.attempts = [...(globalThis.attempts ?? []), import.meta.url]; throw new Error('no');");
  await assert.rejects(importModule(url), (error) => error.code === "fetch" && error.message.includes("b.mjs"));
  await assert.rejects(importModule(url), { code: "fetch" });
  assert.deepEqual(globalThis.attempts, ["", "?try=1", "?try=2", "?try=3"].map((end) => url + end));
  script("b.mjs", "export const b = import.meta.url;");
  assert.equal((await importModule(url)).b, `${url}?try=4`);
  assert.equal((await importModule(url)).b, `${url}?try=4`);
});

test("a pending import has a timeout, and the next request uses another address", async () => {
  const url = script("c.mjs", "globalThis.pending ??= Promise.withResolvers?.().promise ?? new Promise(() => {}); await pending; export const c = 1;");
  // The timer of the timeout keeps the process running.
  await assert.rejects(importModule(url, 30), (error) => error.code === "fetch" && /no data/.test(error.message));
  script("c.mjs", "export const c = import.meta.url;");
  assert.equal((await importModule(url)).c, `${url}?try=1`);
});
