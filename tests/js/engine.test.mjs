/** A start of the engine when a cache keeps damaged files. What stands for Pyodide reads a wasm of eight bytes. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

const SCRIPT = "export async function loadPyodide({ indexURL }) {"
  + ' await WebAssembly.instantiateStreaming(fetch(indexURL + "pyodide.asm.wasm"), {});'
  + ' return { library: (await (await fetch(indexURL + "python_stdlib.zip")).arrayBuffer()).byteLength }; }';
const FILES = new Map(
  Object.entries({
    "pyodide.js": new TextEncoder().encode(SCRIPT),
    "pyodide.asm.js": new TextEncoder().encode("export default () => {};"),
    "pyodide.asm.wasm": Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0),
    "python_stdlib.zip": new Uint8Array(64),
  }),
);

const folder = mkdtempSync(join(tmpdir(), "engine-"));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
for (const [name, data] of FILES) writeFileSync(join(folder, name), data);

globalThis.self = globalThis;
globalThis.addEventListener = globalThis.removeEventListener = () => {};
const { startEngine } = await import("../../runtime/ranvier_web/boot/engine.js");

async function sealed(data) {
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", data)).toString("base64");
  return [data.length, `sha256-${digest}`];
}

async function starting() {
  const engineFiles = Object.fromEntries(await Promise.all([...FILES].map(async ([name, data]) => [name, await sealed(data)])));
  return { base: `${pathToFileURL(folder)}/`, entry: { engine: "", engineFiles }, frugal: true, patience: 5000 };
}

const half = (data) => data.slice(0, data.length / 2);
const altered = (data) => data.map((byte, at) => (at ? byte : byte ^ 1));

/** A network behind a cache in which some files are damaged; what was asked for past it is whole from then on. */
function network(t, damaged, damage = half) {
  const [kept, asked] = [new Set(damaged), []];
  t.mock.method(globalThis, "fetch", async (url, { cache }) => {
    const name = String(url).split("/").at(-1);
    asked.push(`${name} ${cache}`);
    if (cache === "reload") kept.delete(name);
    const data = FILES.get(name);
    const headers = { "content-type": name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" };
    return new Response(kept.has(name) ? damage(data) : data, { headers });
  });
  return asked;
}

for (const damaged of [[], ...[...FILES.keys()].map((name) => [name]), [...FILES.keys()]]) {
  test(`a cache with the half of ${damaged.join(", ") || "nothing"}`, async (t) => {
    const asked = network(t, damaged);
    const { pyodide, way } = await startEngine(await starting());
    assert.deepEqual([pyodide.library, way], [64, "library"]);
    const reloaded = asked.filter((one) => one.endsWith(" reload")).map((one) => one.split(" ")[0]);
    assert.deepEqual(damaged.filter((name) => !reloaded.includes(name)), []);
    if (!damaged.length) assert.equal(asked.length, FILES.size);
  });
}

test("a damaged file that fails before its digest is there is asked for past the cache", async (t) => {
  const asked = network(t, ["pyodide.asm.wasm"], altered);
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  t.mock.method(crypto.subtle, "digest", async (how, data) => {
    if (data[0] === 1) await new Promise((done) => setTimeout(done, 50)); // as on a machine that has much to do
    return digest(how, data);
  });
  await startEngine(await starting());
  assert.ok(asked.includes("pyodide.asm.wasm reload"), asked.join("; "));
});
