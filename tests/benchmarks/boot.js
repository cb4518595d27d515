// A worker that boots one way, imports the core, and says how long it took: see boot.py.

import { engineOptions } from "/web/boot/engine-lock.js";
import { restoring } from "/web/boot/snapshot.js";
import { unpack } from "/web/store/archive.js";

const CORE = "/ranvier-core";
const bytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

const WAYS = {
  stock: () => fromLibrary("/stock/", "/sources.zip"),
  trimmed: () => fromLibrary("/engine/", "/core.zip"),
  snapshot: async () => {
    const restore = restoring(bytes("/memory.bin"));
    const [core, { loadPyodide }] = await Promise.all([bytes("/core.zip"), import("/engine/pyodide.mjs")]);
    restore.install();
    const options = { ...engineOptions(`${location.origin}/engine/`), stdLibURL: "/nothing" };
    const python = await loadPyodide({ ...options, ...restore.options }).finally(restore.uninstall);
    unpack(python.FS, core, CORE);
    return python;
  },
};

async function fromLibrary(folder, core) {
  const [archive, { loadPyodide }] = await Promise.all([bytes(core), import(`${folder}pyodide.mjs`)]);
  const python = await loadPyodide(engineOptions(location.origin + folder));
  unpack(python.FS, archive, CORE);
  python.pyimport("sys").path.insert(0, CORE);
  return python;
}

self.onmessage = async ({ data }) => {
  const start = performance.now();
  const python = await WAYS[data]();
  const camel = python.pyimport("ranvier.bridge").camel("total_hits");
  self.postMessage([performance.now() - start, camel]);
};
