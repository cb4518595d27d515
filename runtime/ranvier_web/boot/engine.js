/**
 * Starts Pyodide. Its module, library and snapshot are compared with their digests before use.
 *
 * There are two ways to start the interpreter: from a memory snapshot in which Python has already imported the core, and from the
 * library, from which Python imports everything. The snapshot is faster and larger. If it fails, the library is the fallback.
 *
 * The module has two parts (`split.js`). If the second part is needed but unavailable, the engine ends, and another one starts
 * from the library and the whole module.
 */

import { readArchive } from "../store/archive.js";
import { BootFailure, EngineFiles } from "./engine-files.js";
import { engineOptions } from "./engine-lock.js";
import { prepareRestore } from "./snapshot.js";
import { instantiateSplit } from "./split.js";

/** @import { FetchFailure } from "../store/download.js" */
/** @import { Entry, Progress } from "../protocol.js" */

const LOADER = "pyodide.js";
const GLUE = "pyodide.asm.js";
const WASM = "pyodide.asm.wasm"; // the name that Pyodide requests
const PRIMARY = "pyodide.primary.wasm";
const SECONDARY = "pyodide.secondary.wasm";
const LIBRARY = "python_stdlib.wasm";
const ARCHIVE = "python_stdlib.zip"; // the archive in it, with the name that Pyodide requests
// The smallest module. If a policy forbids wasm, this throws immediately, while Pyodide would wait forever.
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/**
 * @typedef {object} StartedEngine
 * @property {any} pyodide
 * @property {"snapshot" | "library"} bootMethod
 * @property {() => void} prepare  prefetches the second part of the module
 *
 * @typedef {object} StartOptions
 * @property {string} base      absolute, with its slash at the end
 * @property {Entry} entry
 * @property {boolean} frugal   save bytes rather than time: no prefetching
 * @property {boolean} library  start from the library: fewer bytes to the first answer
 * @property {boolean} [whole]  start from the whole module, after an engine from the two parts has ended
 * @property {number} timeout  ms without data after which a download is cancelled
 * @property {import("../protocol.js").Layer} [layer]  read this encrypted layer
 */

/**
 * @param {StartOptions} startOptions
 * @param {(progress: Progress) => void} [onProgress]  receives the progress of the engine's files
 * @returns {Promise<StartedEngine>}
 * @throws {BootFailure | FetchFailure}
 */
export async function startEngine(startOptions, onProgress) {
  try {
    new WebAssembly.Module(EMPTY_MODULE);
  } catch {
    throw new BootFailure({ code: "engine", message: "this site's content security policy forbids 'wasm-unsafe-eval'" });
  }
  const files = new EngineFiles(startOptions, onProgress);
  const { snapshot } = startOptions.entry;
  const prepare = () => void (startOptions.whole || files.prefetch(SECONDARY));
  try {
    if (snapshot && !startOptions.library) {
      try {
        return { pyodide: await startPyodide(files, startOptions, snapshot[0]), bootMethod: "snapshot", prepare };
      } catch (error) {
        if (files.hasFailed) throw error;
        // The library does not need the snapshot. A failed file that both ways need fails there again, immediately.
        console.warn(`snapshot: ${error}`);
      }
    }
    return { pyodide: await startPyodide(files, startOptions), bootMethod: "library", prepare };
  } catch (error) {
    files.close();
    if (!files.hasFailed || startOptions.whole) throw error;
    return startEngine({ ...startOptions, library: true, whole: true }, onProgress);
  }
}

/**
 * Start Pyodide when all files except the module are loaded; the module is compiled while Pyodide prepares itself.
 *
 * @param {EngineFiles} files
 * @param {StartOptions} startOptions
 * @param {string} [snapshot]  the name of its file; the library is then not used
 * @returns {Promise<any>}
 */
async function startPyodide(files, { whole }, snapshot) {
  const memory = snapshot ? files.fetchBytes(snapshot) : null;
  const restore = memory && prepareRestore(memory);
  /** @type {(error: unknown) => void} */
  let fail = () => {};
  // Without its module or after a trap, Pyodide may hang.
  /** @type {Promise<never>} */
  const failure = new Promise((_, reject) => (fail = reject));
  failure.catch(() => {});
  const modulePromise = files.compileModule(whole ? WASM : PRIMARY);
  modulePromise.catch(fail);
  const otherFiles = Promise.all([
    files.loadScript(LOADER),
    files.loadScript(GLUE),
    memory ? new Uint8Array() : files.fetchBytes(LIBRARY).then(readArchive),
    memory,
  ]);
  const [{ loadPyodide }, { default: createPyodideModule }, library] = await Promise.race([otherFiles, failure]);
  const { instantiateStreaming } = WebAssembly;
  const { fetch } = self;
  const localFiles = new Map([[files.folder + WASM, new Uint8Array()], [files.folder + ARCHIVE, library]]);
  self.fetch = async (input, init) => {
    const data = localFiles.get(String(input));
    return data ? new Response(/** @type {BodyInit} */ (data)) : fetch(input, init);
  };
  WebAssembly.instantiateStreaming = async (_, imports = {}) => {
    /** @type {WebAssembly.Module} */
    const module = await modulePromise.catch(() => new Promise(() => {})); // otherwise Pyodide fetches it
    if (whole) return { module, instance: await WebAssembly.instantiate(module, imports) };
    return instantiateSplit(module, imports, readSecondary, fail);
  };
  let isStarting = true;
  const readSecondary = () => {
    // The data of the second part would be lost when the snapshot replaces the memory.
    if (restore && isStarting) throw new Error("the start needs the second part of the module");
    return files.readSync(SECONDARY);
  };
  restore?.install();
  try {
    const options = { ...engineOptions(files.folder), createPyodideModule, ...restore?.options };
    return await Promise.race([loadPyodide(options), failure]);
  } finally {
    isStarting = false;
    restore?.uninstall();
    self.fetch = fetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}
