/**
 * node unplanned_reads.mjs SITE ENGINE QUESTIONS: answers questions in Pyodide over a built site's files, with and without planned reads,
 * and prints the answers and the numbers of unplanned reads.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { ENGINE_LOCK } from "../../runtime/ranvier_web/boot/engine-lock.js";
import { readArchive } from "../../runtime/ranvier_web/store/archive.js";
import { SparseFile } from "../../runtime/ranvier_web/store/sparse-file.js";

// Node would print the source of the engine, a line of one megabyte, before the message.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error?.message ?? error}\n`);
  process.exitCode = 1;
});

const [site, engine, questionList] = process.argv.slice(2);
const base = join(site, "_ranvier");
const entry = JSON.parse(await readFile(join(base, "entry.json"), "utf8"));
const { loadPyodide } = await import(pathToFileURL(join(engine, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: engine, lockFileContents: ENGINE_LOCK, packageBaseUrl: engine });
for (const archive of [entry.core, entry.langs]) {
  if (archive) pyodide.pyimport("archives").add(pyodide.toPy(readArchive(await readFile(join(base, archive)))));
}

const read = async (/** @type {string} */ name) => new Uint8Array(await readFile(join(base, name)));
const bridgeModule = pyodide.pyimport("ranvier.bridge");

/** @param {string} database */
async function open(database) {
  const names = [entry.manifest, entry.hot];
  const files = await Promise.all(names.map(read));
  const [bridge, error] = bridgeModule.boot(pyodide.toPy(names), pyodide.toPy(files), new SparseFile(pyodide.FS, database));
  if (!bridge) throw new Error(error);
  return bridge;
}

/** @param {any} bridge @param {[string, object]} question */
async function ask(bridge, [method, request]) {
  let step = JSON.parse(bridge.start(1, method, JSON.stringify(request)));
  while (step.need) {
    const files = await Promise.all(step.need.map(read));
    step = JSON.parse(bridge.feed(1, pyodide.toPy(step.need), pyodide.toPy(files)));
  }
  if (step.error) throw new Error(JSON.stringify(step.error));
  return step.done;
}

const questions = JSON.parse(questionList);
const planned = await open("/planned.db");
for (const question of questions) await ask(planned, question);

const unplanned = await open("/unplanned.db");
pyodide.runPython(`
from ranvier.store.snapshot import Snapshot
def fetch_nothing(self, lookups=(), packs=()):
    return None
    yield
Snapshot.fetch_terms = fetch_nothing
`);
const results = [];
for (const question of questions) results.push(await ask(unplanned, question));
const misses = unplanned.engine.snapshot.misses;
process.stdout.write(JSON.stringify({ results, misses, plannedMisses: planned.engine.snapshot.misses }));
