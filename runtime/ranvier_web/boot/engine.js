/**
 * Pyodide, started from files that are compared with their digests before any of them runs.
 *
 * There are two ways to the same interpreter: a memory snapshot in which Python has imported the core already, and the library,
 * from which it imports everything. The snapshot is quicker and larger. If it fails, the library is the second way.
 *
 * The module is in two parts (`split.js`). Where the second part is needed and cannot be had, the engine is at its end, and
 * another one starts from the library and the whole module.
 */

import { inflate } from "../store/archive.js";
import { BootFailure, EngineFiles } from "./engine-files.js";
import { engineOptions } from "./engine-lock.js";
import { restoring } from "./snapshot.js";
import { instantiateSplit } from "./split.js";

/** @import { FetchFailure } from "../store/arrive.js" */
/** @import { Entry, Progress } from "../protocol.js" */

const LOADER = "pyodide.js";
const GLUE = "pyodide.asm.js";
const WASM = "pyodide.asm.wasm"; // by this name Pyodide asks for it
const PRIMARY = "pyodide.primary.wasm";
const SECONDARY = "pyodide.secondary.wasm";
const LIBRARY = "python_stdlib.bin";
const ARCHIVE = "python_stdlib.zip"; // the same inflated, by the name by which Pyodide asks for it
// The smallest module there is. Where a policy forbids wasm this throws at once; Pyodide would wait for ever.
const NO_WASM = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/**
 * @typedef {object} Started
 * @property {any} pyodide
 * @property {"snapshot" | "library"} way
 * @property {() => void} prepare  fetch what is not needed yet
 *
 * @typedef {object} Starting
 * @property {string} base      absolute, with its slash at the end
 * @property {Entry} entry
 * @property {boolean} frugal   fewer bytes before less time: nothing is fetched before it is needed
 * @property {boolean} library  start from the library: fewer bytes to the first answer
 * @property {boolean} [whole]  start from the whole module: an engine from its parts has come to an end
 * @property {number} timeout  ms in which a file may send nothing
 */

/**
 * @param {Starting} starting
 * @param {(progress: Progress) => void} [tell]  is told how much of the engine has come
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
        return { pyodide: await loaded(files, starting, snapshot[0]), way: "snapshot", prepare };
      } catch (error) {
        if (files.failed) throw error;
        // The library does without it. A file that both ways need fails there again, at once.
        console.warn(`snapshot: ${error}`);
      }
    }
    return { pyodide: await loaded(files, starting), way: "library", prepare };
  } catch (error) {
    files.close();
    if (!files.failed || starting.whole) throw error;
    return startEngine({ ...starting, library: true, whole: true }, tell);
  }
}

/**
 * Start Pyodide when all files are here but the module, which is compiled while Pyodide prepares itself.
 *
 * @param {EngineFiles} files
 * @param {Starting} starting
 * @param {string} [snapshot]  the name of its file; nothing is then read from the library
 * @returns {Promise<any>}
 */
async function loaded(files, { whole }, snapshot) {
  const memory = snapshot ? files.bytes(snapshot) : null;
  const restore = memory && restoring(memory);
  /** @type {(error: unknown) => void} */
  let lose = () => {};
  // Without its module, and after a trap, Pyodide may neither start nor fail.
  /** @type {Promise<never>} */
  const lost = new Promise((_, reject) => (lose = reject));
  lost.catch(() => {});
  const compiling = files.module(whole ? WASM : PRIMARY);
  compiling.catch(lose);
  const others = Promise.all([
    files.script(LOADER),
    files.script(GLUE),
    memory ? new Uint8Array() : files.bytes(LIBRARY).then((file) => inflate(file)),
    memory,
  ]);
  const [{ loadPyodide }, { default: createPyodideModule }, library] = await Promise.race([others, lost]);
  const { instantiateStreaming } = WebAssembly;
  const { fetch } = self;
  const own = new Map([[files.folder + WASM, new Uint8Array()], [files.folder + ARCHIVE, library]]);
  self.fetch = async (input, init) => {
    const data = own.get(String(input));
    return data ? new Response(/** @type {BodyInit} */ (data)) : fetch(input, init);
  };
  WebAssembly.instantiateStreaming = async (_, imports = {}) => {
    /** @type {WebAssembly.Module} */
    const module = await compiling.catch(() => new Promise(() => {})); // Pyodide would fetch it by itself
    if (whole) return { module, instance: await WebAssembly.instantiate(module, imports) };
    return instantiateSplit(module, imports, () => files.now(SECONDARY), lose);
  };
  restore?.install();
  try {
    const options = { ...engineOptions(files.folder), createPyodideModule, ...restore?.options };
    return await Promise.race([loadPyodide(options), lost]);
  } finally {
    restore?.uninstall();
    self.fetch = fetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}
