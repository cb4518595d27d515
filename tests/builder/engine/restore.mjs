// Restores a snapshot as the worker does, with no library at all, and prints as JSON what Python then can:
//   node restore.mjs ENGINE_FOLDER/ MEMORY

import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { engineOptions } from "../../../runtime/ranvier_web/boot/engine-lock.js";
import { prepareRestore } from "../../../runtime/ranvier_web/boot/snapshot.js";
import { instantiateSplit } from "../../../runtime/ranvier_web/boot/split.js";

const [folder, memoryFile] = process.argv.slice(2);
const good = new Uint8Array(await readFile(memoryFile));
const nothing = join(tmpdir(), `ranvier-no-library-${process.pid}`);
const { loadPyodide } = await import(pathToFileURL(`${folder}pyodide.mjs`).href);
const warned = [];
console.warn = (line) => warned.push(String(line).slice(0, 60));

const primary = new WebAssembly.Module(await readFile(`${folder}pyodide.primary.wasm`));
const { instantiate } = WebAssembly;
/** The whole module that Pyodide reads becomes the first part; others are of the glue, and of Node. */
WebAssembly.instantiate = (source, imports) => {
  if (!imports?.["GOT.mem"] || imports.secondary) return instantiate(source, imports);
  return instantiateSplit(primary, imports, () => readFileSync(`${folder}pyodide.secondary.wasm`));
};

async function boot(delta) {
  const restore = prepareRestore(delta);
  const before = [WebAssembly.instantiate, WebAssembly.instantiateStreaming];
  restore.install();
  try {
    await writeFile(nothing, "");
    return await loadPyodide({ ...engineOptions(folder), stdLibURL: nothing, ...restore.options });
  } finally {
    restore.uninstall();
    if (before[0] !== WebAssembly.instantiate || before[1] !== WebAssembly.instantiateStreaming) warned.push("hooks stay");
  }
}

/** The snapshot with another first line. */
function altered(change) {
  const data = gunzipSync(good);
  const end = data.indexOf(10);
  const head = { ...JSON.parse(data.subarray(0, end).toString()), ...change };
  return Promise.resolve(new Uint8Array(gzipSync(Buffer.concat([Buffer.from(JSON.stringify(head)), data.subarray(end)]))));
}

const refused = {};
for (const [why, delta] of Object.entries({
  "not gzip": () => Promise.resolve(new Uint8Array(5)),
  "cut short": () => Promise.resolve(good.subarray(0, good.length >> 1)),
  "never arrived": () => Promise.reject(new Error("gone")),
  "another format": () => altered({ format: 99 }),
  "another memory": () => altered({ memory: 65_536 }),
  "another build": () => altered({ fresh: [4096, 1] }),
})) {
  refused[why] = await boot(delta()).then(
    () => "started",
    (error) => error.message,
  );
}

const python = await boot(Promise.resolve(good));
const found = python.runPython(`
import json, sqlite3, sys
database = sqlite3.connect(":memory:")
database.execute("CREATE VIRTUAL TABLE t USING fts5(a, content='')")
database.execute("INSERT INTO t(rowid, a) VALUES (1, 'hello world')")
json.dumps({
    "fts5": database.execute("SELECT rowid FROM t WHERE t MATCH 'hello'").fetchall(),
    "core": "ranvier.bridge" in sys.modules,
    "path": sys.path[:2],
    "environment": dict(__import__("os").environ),
})`);
const camel = python.pyimport("ranvier.bridge").camel("total_hits");
// A language's module arrives after the snapshot was made, and is imported from its archive.
python.pyimport("archives").members.set("ranvier/text/function_words/zz.py", python.toPy(new TextEncoder().encode("WORDS = ('zz',)")));
const late = python.runPython("import importlib; importlib.import_module('ranvier.text.function_words.zz').WORDS[0]");
python.runPython(await readFile(new URL("./lazy.py", import.meta.url), "utf8"));
const missing = JSON.parse(python.globals.get("checked")());
console.log(JSON.stringify({ ...JSON.parse(found), camel, late, missing, refused, warned }));
