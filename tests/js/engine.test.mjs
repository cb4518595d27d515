/** The start of the engine with damaged files in a cache. A wasm of eight bytes replaces Pyodide. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";

const SCRIPT = "export async function loadPyodide({ indexURL, _loadSnapshot }) {"
  + ' if (_loadSnapshot && !(await _loadSnapshot)[0]) throw new Error("an empty snapshot");'
  + ' await WebAssembly.instantiateStreaming(fetch(indexURL + "pyodide.asm.wasm"), {});'
  + ' return { library: (await (await fetch(indexURL + "python_stdlib.zip")).arrayBuffer()).byteLength }; }';
const FILES = new Map(
  Object.entries({
    "pyodide.js": new TextEncoder().encode(SCRIPT),
    "pyodide.asm.js": new TextEncoder().encode("export default () => {};"),
    "pyodide.primary.wasm": Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0),
    "python_stdlib.bin": deflateSync(new Uint8Array(64)),
  }),
);

const folder = mkdtempSync(join(tmpdir(), "engine-"));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
for (const [name, data] of FILES) writeFileSync(join(folder, name), data);

globalThis.self = globalThis;
globalThis.addEventListener = globalThis.removeEventListener = () => {};
const { startEngine } = await import("../../runtime/ranvier_web/boot/engine.js");
const { EngineFiles } = await import("../../runtime/ranvier_web/boot/engine-files.js");

async function sealed(data) {
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", data)).toString("base64");
  return [data.length, `sha256-${digest}`];
}

async function starting() {
  const engineFiles = Object.fromEntries(await Promise.all([...FILES].map(async ([name, data]) => [name, await sealed(data)])));
  return { base: `${pathToFileURL(folder)}/`, entry: { engine: "", engineFiles }, frugal: true, library: true, timeout: 5000 };
}

const half = (data) => data.slice(0, data.length / 2);
const altered = (data) => data.map((byte, at) => (at ? byte : byte ^ 1));

/** Scripts are not compared: a browser says whether one runs. */
const compared = (name) => !name.endsWith(".js");

/** A network behind a cache in which some files are damaged; what was asked for past it is whole from then on. */
function network(t, damaged, damage = half) {
  const [kept, requests] = [new Set(damaged), []];
  t.mock.method(globalThis, "fetch", async (url, { cache }) => {
    const name = String(url).split("/").at(-1);
    requests.push(`${name} ${cache}`);
    if (cache === "reload") kept.delete(name);
    const data = FILES.get(name);
    const headers = { "content-type": name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" };
    return new Response(kept.has(name) ? damage(data) : data, { headers });
  });
  return requests;
}

for (const damaged of [[], ...[...FILES.keys()].map((name) => [name]), [...FILES.keys()]]) {
  test(`a cache with the half of ${damaged.join(", ") || "nothing"}`, async (t) => {
    const requests = network(t, damaged);
    const { pyodide, bootMethod } = await startEngine(await starting());
    assert.deepEqual([pyodide.library, bootMethod], [64, "library"]);
    const reloaded = requests.filter((request) => request.endsWith(" reload")).map((request) => request.split(" ")[0]);
    assert.deepEqual(reloaded.toSorted(), damaged.filter(compared).toSorted());
    if (!damaged.length) assert.equal(requests.length, FILES.size);
  });
}

/** A network on which each file is damaged the first time that it is delivered; some files take a while to be asked for. */
function damagedOnce(t, late) {
  const [delivered, requests] = [new Set(), []];
  t.mock.method(globalThis, "fetch", async (url, { signal }) => {
    const name = String(url).split("/").at(-1);
    if (late.includes(name)) await new Promise((done) => setTimeout(done, 50));
    signal.throwIfAborted(); // a request that was given up does not reach the host
    requests.push(name);
    const data = FILES.get(name);
    const body = delivered.has(name) ? data : half(data);
    delivered.add(name);
    return new Response(body, { headers: { "content-type": name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" } });
  });
  return requests;
}

for (const late of [[], ...[...FILES.keys()].map((name) => [name])]) {
  test(`every file is damaged once, and ${late[0] ?? "none"} is late`, async (t) => {
    const requests = damagedOnce(t, late);
    const { pyodide } = await startEngine(await starting());
    assert.equal(pyodide.library, 64);
    assert.deepEqual(requests.toSorted(), [...FILES.keys(), ...[...FILES.keys()].filter(compared)].toSorted());
  });
}

test("a script that does not run is imported once more, by another address; a rewritten one is no error", async (t) => {
  const requests = network(t, []);
  const right = FILES.get("pyodide.js");
  const broken = 'if (!import.meta.url.endsWith("?try=1")) throw new Error("half of a script");\n';
  const other = mkdtempSync(join(tmpdir(), "engine-"));
  t.after(() => rmSync(other, { recursive: true }));
  writeFileSync(join(other, "package.json"), '{"type": "module"}');
  for (const [name, data] of FILES) writeFileSync(join(other, name), name === "pyodide.js" ? broken + SCRIPT : data);
  FILES.set("pyodide.js", new TextEncoder().encode(broken + SCRIPT));
  t.after(() => FILES.set("pyodide.js", right));
  const { entry, ...rest } = await starting();
  entry.engineFiles["pyodide.js"] = await sealed(right);
  const { pyodide } = await startEngine({ ...rest, base: `${pathToFileURL(other)}/`, entry });
  assert.equal(pyodide.library, 64);
  assert.deepEqual(requests.filter((request) => request.includes("pyodide.js")), ["pyodide.js default", "pyodide.js?try=1 reload"]);
});

test("a file that stays damaged ends the start with its name", async (t) => {
  const requests = damagedOnce(t, []);
  const { entry, ...rest } = await starting();
  const engineFiles = { ...entry.engineFiles, "pyodide.primary.wasm": [8, "sha256-of-another-file"] };
  await assert.rejects(startEngine({ ...rest, entry: { ...entry, engineFiles } }), /pyodide\.primary\.wasm: does not match its digest/);
  assert.equal(requests.filter((name) => name === "pyodide.primary.wasm").length, 2);
});

test("starts from the library if the memory snapshot does not load", async (t) => {
  const requests = network(t, []);
  const { entry, ...rest } = await starting();
  const snapshot = ["snapshot-0.bin", ...entry.engineFiles["python_stdlib.bin"]]; // no gzip
  FILES.set("snapshot-0.bin", FILES.get("python_stdlib.bin"));
  t.after(() => FILES.delete("snapshot-0.bin"));
  t.mock.method(console, "warn", () => {});
  const { bootMethod } = await startEngine({ ...rest, entry: { ...entry, snapshot }, library: false });
  assert.equal(bootMethod, "library");
  assert.deepEqual(requests.map((request) => request.split(" ")[0]).toSorted(), [...FILES.keys()].toSorted());
});

test("fetches a damaged file past the cache", async (t) => {
  const requests = network(t, ["pyodide.primary.wasm"], altered);
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  t.mock.method(crypto.subtle, "digest", async (how, data) => {
    if (data[0] === 1) await new Promise((done) => setTimeout(done, 50)); // as on a machine that has much to do
    return digest(how, data);
  });
  await startEngine(await starting());
  assert.ok(requests.includes("pyodide.primary.wasm reload"), requests.join("; "));
});

/** What a worker asks with while everything stands still: the answers in their order, and then no answer. */
function synchronous(answers) {
  const requests = [];
  globalThis.XMLHttpRequest = class {
    open(_, url, waits) {
      requests.push([url.split("/").at(-1), waits]);
    }
    send() {
      const answer = answers[requests.length - 1];
      if (!answer) throw new Error("NetworkError");
      [this.status, this.response] = [200, answer.slice().buffer];
    }
  };
  return requests;
}

const SECONDARY = new TextEncoder().encode("the second part");
const ALTERED = SECONDARY.map((byte, at) => (at ? byte : byte ^ 1));
for (const [name, answers, error] of [
  ["whole", [SECONDARY], null],
  ["half, then whole", [half(SECONDARY), SECONDARY], null],
  ["altered, then whole", [ALTERED, SECONDARY], null],
  ["altered twice", [ALTERED, ALTERED, SECONDARY], /secondary\.wasm: does not match its digest \(15 bytes\)/],
  ["lost twice", [], /secondary\.wasm: no connection/],
]) {
  test(`uses a prefetched file: ${name}`, async () => {
    const { entry, ...rest } = await starting();
    const engineFiles = { "pyodide.secondary.wasm": await sealed(SECONDARY) };
    const files = new EngineFiles({ ...rest, entry: { ...entry, engineFiles } });
    const requests = synchronous(answers);
    if (error) assert.throws(() => files.readSync("pyodide.secondary.wasm"), error);
    else assert.deepEqual(files.readSync("pyodide.secondary.wasm"), SECONDARY);
    assert.equal(files.hasFailed, error !== null);
    const tries = [["pyodide.secondary.wasm", false], ["pyodide.secondary.wasm?try=1", false]];
    assert.deepEqual(requests, tries.slice(0, name === "whole" ? 1 : 2));
  });
}

test("uses a prefetched file at once", async (t) => {
  FILES.set("pyodide.secondary.wasm", SECONDARY);
  t.after(() => FILES.delete("pyodide.secondary.wasm"));
  network(t, []);
  const files = new EngineFiles(await starting());
  const requests = synchronous([]);
  files.prefetch("pyodide.secondary.wasm");
  await new Promise((done) => setTimeout(done, 50));
  assert.deepEqual([files.readSync("pyodide.secondary.wasm"), requests], [SECONDARY, []]);
});
