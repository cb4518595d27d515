// A worker that starts Pyodide by a method, imports the core, and returns the time: see boot.py.

import { engineOptions } from "/web/boot/engine-lock.js";
import { startEngine } from "/web/boot/engine.js";
import { readArchive } from "/web/store/archive.js";

const CORE = "/ranvier-core.zip";
const BASE = `${location.origin}/site/_ranvier/`;
const TIMEOUT = 20_000; // ms
const bytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

const METHODS = {
  async stock() {
    const [core, { loadPyodide }] = await Promise.all([bytes("/sources.zip"), import("/stock/pyodide.mjs")]);
    const python = await loadPyodide(engineOptions(`${location.origin}/stock/`));
    python.FS.writeFile(CORE, core);
    python.pyimport("sys").path.insert(0, CORE);
    return python;
  },
  async site() {
    const entry = await (await fetch(`${BASE}entry.json`)).json();
    const core = bytes(BASE + entry.core).then(readArchive);
    const { pyodide } = await startEngine({ base: BASE, entry, frugal: false, timeout: TIMEOUT });
    pyodide.pyimport("archives").add(pyodide.toPy(await core));
    return pyodide;
  },
};

self.addEventListener("unhandledrejection", ({ reason }) => {
  throw reason; // an error event of the worker
});

self.onmessage = async ({ data }) => {
  const start = performance.now();
  const python = await METHODS[data]();
  const camel = python.pyimport("ranvier.bridge").camel("total_hits");
  self.postMessage([performance.now() - start, camel]);
};
