/**
 * Starts Pyodide. Its module, library and snapshot are compared with their digests before use.
 *
 * There are two ways to start the interpreter: from a memory snapshot in which Python has already imported the core, and from the
 * library, from which Python imports everything. The snapshot is faster and larger. If it fails, the library is the fallback.
 *
 * The module has two parts (`split.js`). If the second part is needed but unavailable, the engine ends, and another one starts
 * from the library and the whole module.
 */

import { inflate } from "../store/archive.js";
import { BootFailure, EngineFiles } from "./engine-files.js";
import { engineOptions } from "./engine-lock.js";
import { restoring } from "./snapshot.js";
import { instantiateSplit } from "./split.js";

/** @import { FetchFailure } from "../store/download.js" */
/** @import { Entry, Progress } from "../protocol.js" */

const LOADER = "pyodide.js";
const GLUE = "pyodide.asm.js";
const WASM = "pyodide.asm.wasm"; // the name that Pyodide requests
const PRIMARY = "pyodide.primary.wasm";
const SECONDARY = "pyodide.secondary.wasm";
const LIBRARY = "python_stdlib.bin";
const ARCHIVE = "python_stdlib.zip"; // the same, inflated, with the name that Pyodide requests
// The smallest module. If a policy forbids wasm, this throws immediately, while Pyodide would wait forever.
const NO_WASM = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/**
 * @typedef {object} Started
 * @property {any} pyodide
 * @property {"snapshot" | "library"} bootMethod
 * @property {() => void} prepare  prefetches the second part of the module
 *
 * @typedef {object} Starting
 * @property {string} base      absolute, with its slash at the end
 * @property {Entry} entry
 * @property {boolean} frugal   save bytes rather than time: no prefetching
 * @property {boolean} library  start from the library: fewer bytes to the first answer
 * @property {boolean} [whole]  start from the whole module, after an engine from the two parts has ended
 * @property {number} timeout  ms without data after which a download is cancelled
 * @property {import("../protocol.js").Layer} [layer]  read this encrypted layer
 */

/**
 * @param {Starting} starting
 * @param {(progress: Progress) => void} [tell]  receives the progress of the engine's files
 * @returns {Promise<Started>}
 * @throws {BootFailure | FetchFailure}
 */
export async function startEngine(starting, tell) {
  try {
    new WebAssembly.Module(NO_WASM);
  } catch {
    throw new BootFailure({ code: "engine", message: "this site's content security policy forbids 'wasm-unsafe-eval'" });
  }
  const files = new EngineFiles(starting, tell);
  const { snapshot } = starting.entry;
  const prepare = () => void (starting.whole || files.fetchAhead(SECONDARY));
  try {
    if (snapshot && !starting.library) {
      try {
        return { pyodide: await loaded(files, starting, snapshot[0]), bootMethod: "snapshot", prepare };
      } catch (error) {
        if (files.failed) throw error;
        // The library does not need the snapshot. A failed file that both ways need fails there again, immediately.
        console.warn(`snapshot: ${error}`);
      }
    }
    return { pyodide: await loaded(files, starting), bootMethod: "library", prepare };
  } catch (error) {
    files.close();
    if (!files.failed || starting.whole) throw error;
    return startEngine({ ...starting, library: true, whole: true }, tell);
  }
}

/**
 * Start Pyodide when all files except the module are loaded; the module is compiled while Pyodide prepares itself.
 *
 * @param {EngineFiles} files
 * @param {Starting} starting
 * @param {string} [snapshot]  the name of its file; the library is then not used
 * @returns {Promise<any>}
 */
async function loaded(files, { whole }, snapshot) {
  const memory = snapshot ? files.bytes(snapshot) : null;
  const restore = memory && restoring(memory);
  /** @type {(error: unknown) => void} */
  let fail = () => {};
  // Without its module or after a trap, Pyodide may hang.
  /** @type {Promise<never>} */
  const failed = new Promise((_, reject) => (fail = reject));
  failed.catch(() => {});
  const compiling = files.module(whole ? WASM : PRIMARY);
  compiling.catch(fail);
  const others = Promise.all([
    files.script(LOADER),
    files.script(GLUE),
    memory ? new Uint8Array() : files.bytes(LIBRARY).then((file) => inflate(file)),
    memory,
  ]);
  const [{ loadPyodide }, { default: createPyodideModule }, library] = await Promise.race([others, failed]);
  const { instantiateStreaming } = WebAssembly;
  const { fetch } = self;
  const localFiles = new Map([[files.folder + WASM, new Uint8Array()], [files.folder + ARCHIVE, library]]);
  self.fetch = async (input, init) => {
    const data = localFiles.get(String(input));
    return data ? new Response(/** @type {BodyInit} */ (data)) : fetch(input, init);
  };
  WebAssembly.instantiateStreaming = async (_, imports = {}) => {
    /** @type {WebAssembly.Module} */
    const module = await compiling.catch(() => new Promise(() => {})); // otherwise Pyodide fetches it
    if (whole) return { module, instance: await WebAssembly.instantiate(module, imports) };
    return instantiateSplit(module, imports, () => files.now(SECONDARY), fail);
  };
  restore?.install();
  try {
    const options = { ...engineOptions(files.folder), createPyodideModule, ...restore?.options };
    return await Promise.race([loadPyodide(options), failed]);
  } finally {
    restore?.uninstall();
    self.fetch = fetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}
