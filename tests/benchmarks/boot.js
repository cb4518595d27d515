// A worker that starts Pyodide by a method, imports the core, and returns the time: see boot.py.

import { engineOptions } from "/web/boot/engine-lock.js";
import { startEngine } from "/web/boot/engine.js";
import { inflate, unpack } from "/web/store/archive.js";

const CORE = "/ranvier-core";
const BASE = `${location.origin}/site/_ranvier/`;
const TIMEOUT = 20_000; // ms
const bytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

const METHODS = {
  async stock() {
    const [core, { loadPyodide }] = await Promise.all([bytes("/sources.zip"), import("/stock/pyodide.mjs")]);
    return withCore(await loadPyodide(engineOptions(`${location.origin}/stock/`)), core);
  },
  library: () => site(true),
  snapshot: () => site(false),
};

/** @param {boolean} library  otherwise from the snapshot, which contains the core */
async function site(library) {
  const entry = await (await fetch(`${BASE}entry.json`)).json();
  const core = library ? bytes(BASE + entry.core).then(inflate) : null;
  const { pyodide } = await startEngine({ base: BASE, entry, library, frugal: library, timeout: TIMEOUT });
  return core ? withCore(pyodide, await core) : pyodide;
}

function withCore(python, core) {
  unpack(python.FS, core, CORE);
  python.pyimport("sys").path.insert(0, CORE);
  return python;
}

self.onmessage = async ({ data }) => {
  const start = performance.now();
  const python = await METHODS[data]();
  const camel = python.pyimport("ranvier.bridge").camel("total_hits");
  self.postMessage([performance.now() - start, camel]);
};
