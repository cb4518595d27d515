/** The start of the engine with damaged files in a cache. A wasm of eight bytes replaces Pyodide. */

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
    "pyodide.primary.wasm": Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0),
    "python_stdlib.wasm": Buffer.from([0, 97, 115, 109, 1, 0, 0, 0, 0, 8 + 64, 7, ...Buffer.from("archive"), ...new Uint8Array(64)]),
  }),
);

/** Write the files into a folder, with another script; return its address. */
function engineFolder(script, context = { after }) {
  const folder = mkdtempSync(join(tmpdir(), "engine-"));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  for (const [name, data] of FILES) writeFileSync(join(folder, name), name === "pyodide.js" ? script : data);
  return `${pathToFileURL(folder)}/`;
}
const FOLDER = engineFolder(SCRIPT);

globalThis.self = globalThis;
globalThis.addEventListener = globalThis.removeEventListener = () => {};
const { startEngine } = await import("../../runtime/ranvier_web/boot/engine.js");
const { EngineFiles } = await import("../../runtime/ranvier_web/boot/engine-files.js");

async function sizeAndDigest(data) {
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", data)).toString("base64");
  return [data.length, `sha256-${digest}`];
}

async function startOptions() {
  const engineFiles = Object.fromEntries(await Promise.all([...FILES].map(async ([name, data]) => [name, await sizeAndDigest(data)])));
  return { base: FOLDER, entry: { engine: "", engineFiles }, frugal: true, timeout: 5000 };
}

const firstHalf = (data) => data.slice(0, data.length / 2);
const altered = (data) => data.map((byte, at) => (at ? byte : byte ^ 1));

/** A script may differ from its digest, because a proxy may rewrite it. */
const hasDigest = (name) => !name.endsWith(".js");

const typed = (name, body) =>
  new Response(body, { headers: { "content-type": name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" } });

/** A network with a cache in which some files are damaged; a reload replaces the file in the cache. */
function network(t, damaged, damage = firstHalf) {
  const [cached, requests] = [new Set(damaged), []];
  t.mock.method(globalThis, "fetch", async (url, { cache }) => {
    const name = String(url).split("/").at(-1);
    requests.push(`${name} ${cache}`);
    if (cache === "reload") cached.delete(name);
    const data = FILES.get(name);
    return typed(name, cached.has(name) ? damage(data) : data);
  });
  return requests;
}

for (const damaged of [[], ...[...FILES.keys()].map((name) => [name]), [...FILES.keys()]]) {
  test(`starts with truncated files in the cache: ${damaged.join(", ") || "none"}`, async (t) => {
    const requests = network(t, damaged);
    const { pyodide } = await startEngine(await startOptions());
    assert.equal(pyodide.library, 64);
    const reloaded = requests.filter((request) => request.endsWith(" reload")).map((request) => request.split(" ")[0]);
    assert.deepEqual(reloaded.toSorted(), damaged.filter(hasDigest).toSorted());
    if (!damaged.length) assert.equal(requests.length, FILES.size);
  });
}

test("a browser without WebAssembly is named as the cause, not the site's policy", async (t) => {
  const { WebAssembly } = globalThis;
  t.after(() => (globalThis.WebAssembly = WebAssembly));
  delete globalThis.WebAssembly;
  await assert.rejects(startEngine(await startOptions()), { code: "engine", message: /switched off in this browser/ });
});

test("after a failed start, Pyodide does not request the module by its own name", async (t) => {
  let endStart;
  globalThis.startEnded = new Promise((resolve) => (endStart = resolve));
  t.after(() => delete globalThis.startEnded);
  const base = engineFolder(SCRIPT.replace("{ await", "{ await globalThis.startEnded; await"), t);
  const requests = [];
  t.mock.method(globalThis, "fetch", async (url) => {
    const name = String(url).split("/").at(-1);
    requests.push(name);
    if (name.endsWith("primary.wasm")) await new Promise((done) => setTimeout(done, 50)); // meanwhile Pyodide begins to load
    return new Response(FILES.get(name), { status: name.endsWith("primary.wasm") ? 404 : 200 });
  });
  await assert.rejects(startEngine({ ...(await startOptions()), base }), /primary\.wasm/);
  endStart();
  await new Promise((done) => setTimeout(done, 50));
  assert.deepEqual([...new Set(requests)].toSorted(), [...FILES.keys()].toSorted());
});

/** A network that truncates the first response for each file, and delays the requests for some files. */
function damagedFirst(t, late) {
  const [delivered, requests] = [new Set(), []];
  t.mock.method(globalThis, "fetch", async (url, { signal }) => {
    const name = String(url).split("/").at(-1);
    if (late.includes(name)) await new Promise((done) => setTimeout(done, 50));
    signal.throwIfAborted(); // an aborted request does not reach the host
    requests.push(name);
    const data = FILES.get(name);
    const body = delivered.has(name) ? data : firstHalf(data);
    delivered.add(name);
    return typed(name, body);
  });
  return requests;
}

for (const late of [[], ...[...FILES.keys()].map((name) => [name])]) {
  test(`starts if the first response for each file is truncated, and ${late[0] ?? "none"} is late`, async (t) => {
    const requests = damagedFirst(t, late);
    const { pyodide } = await startEngine(await startOptions());
    assert.equal(pyodide.library, 64);
    assert.deepEqual(requests.toSorted(), [...FILES.keys(), ...[...FILES.keys()].filter(hasDigest)].toSorted());
  });
}

test("a script that fails is imported a second time, from another address; a rewritten script is no error", async (t) => {
  const requests = network(t, []);
  const original = FILES.get("pyodide.js");
  const broken = `if (!import.meta.url.endsWith("?try=1")) throw new Error("truncated");\n${SCRIPT}`;
  const base = engineFolder(broken, t);
  FILES.set("pyodide.js", new TextEncoder().encode(broken));
  t.after(() => FILES.set("pyodide.js", original));
  const { entry, ...options } = await startOptions();
  entry.engineFiles["pyodide.js"] = await sizeAndDigest(original);
  const { pyodide } = await startEngine({ ...options, base, entry });
  assert.equal(pyodide.library, 64);
  assert.deepEqual(requests.filter((request) => request.includes("pyodide.js")), ["pyodide.js default", "pyodide.js?try=1 reload"]);
});

test("a file that is damaged twice is an error with its name", async (t) => {
  const requests = damagedFirst(t, []);
  const { entry, ...options } = await startOptions();
  const engineFiles = { ...entry.engineFiles, "pyodide.primary.wasm": [8, "sha256-of-another-file"] };
  await assert.rejects(startEngine({ ...options, entry: { ...entry, engineFiles } }), /pyodide\.primary\.wasm: does not match its digest/);
  assert.equal(requests.filter((name) => name === "pyodide.primary.wasm").length, 2);
});

test("fetches a damaged file without the cache", async (t) => {
  const requests = network(t, ["pyodide.primary.wasm"], altered);
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  t.mock.method(crypto.subtle, "digest", async (algorithm, data) => {
    if (data[0] === 1) await new Promise((done) => setTimeout(done, 50)); // as on a busy machine
    return digest(algorithm, data);
  });
  await startEngine(await startOptions());
  assert.ok(requests.includes("pyodide.primary.wasm reload"), requests.join("; "));
});

/** A stub of synchronous requests: the responses in order, and then network errors. */
function stubSyncRequests(responses) {
  const requests = [];
  globalThis.XMLHttpRequest = class {
    open(_, url, isAsync) {
      requests.push([url.split("/").at(-1), isAsync]);
    }
    send() {
      const response = responses[requests.length - 1];
      if (!response) throw new Error("NetworkError");
      [this.status, this.response] = [200, response.slice().buffer];
    }
  };
  return requests;
}

const retries = new Set();
const SECONDARY = new TextEncoder().encode("the second part");
const ALTERED = SECONDARY.map((byte, at) => (at ? byte : byte ^ 1));
for (const [name, responses, error] of [
  ["complete", [SECONDARY], null],
  ["truncated, then complete", [firstHalf(SECONDARY), SECONDARY], null],
  ["altered, then complete", [ALTERED, SECONDARY], null],
  ["altered twice", [ALTERED, ALTERED, SECONDARY], /secondary\.wasm: does not match its digest \(15 bytes\)/],
  ["lost twice", [], /secondary\.wasm: no connection/],
]) {
  test(`reads a file synchronously: ${name}`, async () => {
    const { entry, ...options } = await startOptions();
    const engineFiles = { "pyodide.secondary.wasm": await sizeAndDigest(SECONDARY) };
    const files = new EngineFiles({ ...options, entry: { ...entry, engineFiles } });
    const requests = stubSyncRequests(responses);
    if (error) assert.throws(() => files.readSync("pyodide.secondary.wasm"), error);
    else assert.deepEqual(files.readSync("pyodide.secondary.wasm"), SECONDARY);
    const names = requests.map(([address]) => address.replace(/\?try=\d+$/, "?try"));
    assert.deepEqual(names, ["pyodide.secondary.wasm", "pyodide.secondary.wasm?try"].slice(0, name === "complete" ? 1 : 2));
    for (const [address, isAsync] of requests) {
      assert.ok(!isAsync && !retries.has(address), "each retry has a new address");
      if (address.includes("?")) retries.add(address);
    }
  });
}
