/**
 * node unforeseen.mjs SITE ENGINE QUESTIONS: answers questions in Pyodide over a built site's files, first with foresight and then without,
 * and prints the answers and how many reads were not foreseen.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";

import { ENGINE_LOCK } from "../../runtime/ranvier_web/boot/engine-lock.js";
import { unpack } from "../../runtime/ranvier_web/store/archive.js";
import { ChunkFile } from "../../runtime/ranvier_web/store/chunk-file.js";

// Node would print the whole engine, one line of a megabyte, in front of the reason.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error?.message ?? error}\n`);
  process.exitCode = 1;
});

const [site, engine, asked] = process.argv.slice(2);
const base = join(site, "_ranvier");
const entry = JSON.parse(await readFile(join(base, "entry.json"), "utf8"));
const { loadPyodide } = await import(pathToFileURL(join(engine, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: engine, lockFileContents: ENGINE_LOCK, packageBaseUrl: engine });
for (const archive of [entry.core, entry.langs]) {
  if (archive) unpack(pyodide.FS, inflateSync(await readFile(join(base, archive))), "/core");
}
pyodide.pyimport("sys").path.insert(0, "/core");

const read = async (/** @type {string} */ name) => new Uint8Array(await readFile(join(base, name)));
const bridgeModule = pyodide.pyimport("ranvier.bridge");

/** @param {string} database */
async function open(database) {
  const names = [entry.manifest, entry.hot];
  const files = await Promise.all(names.map(read));
  const [bridge, error] = bridgeModule.boot(pyodide.toPy(names), pyodide.toPy(files), new ChunkFile(pyodide.FS, database));
  if (!bridge) throw new Error(error);
  return bridge;
}

/** @param {any} bridge @param {[string, object]} question */
async function ask(bridge, [what, request]) {
  let step = JSON.parse(bridge.start(1, what, JSON.stringify(request)));
  while (step.need) {
    const files = await Promise.all(step.need.map(read));
    step = JSON.parse(bridge.feed(1, pyodide.toPy(step.need), pyodide.toPy(files)));
  }
  if (step.error) throw new Error(JSON.stringify(step.error));
  return step.done;
}

const questions = JSON.parse(asked);
const foreseeing = await open("/foreseeing.db");
for (const question of questions) await ask(foreseeing, question);

const blind = await open("/blind.db");
pyodide.runPython(`
from ranvier.store.snapshot import Snapshot
def fetch_nothing(self, lookups=(), packs=()):
    return None
    yield
Snapshot.fetch_terms = fetch_nothing
`);
const results = [];
for (const question of questions) results.push(await ask(blind, question));
const misses = blind.engine.snapshot.misses;
process.stdout.write(JSON.stringify({ results, misses, foreseenMisses: foreseeing.engine.snapshot.misses }));
