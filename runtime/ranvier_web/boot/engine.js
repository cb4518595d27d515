/**
 * Starts Pyodide. Its module and its library are compared with their digests before use.
 *
 * The module has two parts (`split.js`). If the second part is needed but unavailable, the engine ends.
 */

import { RanvierError } from "../errors.js";
import { readArchive } from "../store/archive.js";
import { EngineFiles } from "./engine-files.js";
import { engineOptions } from "./engine-lock.js";
import { instantiateSplit } from "./split.js";

/** @import { FetchFailure } from "../store/download.js" */
/** @import { Progress, StartOptions } from "../protocol.js" */

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
 * @property {() => unknown} failure  why the second part could not be linked, which ends the engine
 */

/**
 * @param {StartOptions} startOptions
 * @param {(progress: Progress) => void} [onProgress]  receives the progress of the engine's files
 * @returns {Promise<StartedEngine>}
 * @throws {RanvierError | FetchFailure}
 */
export async function startEngine(startOptions, onProgress) {
  try {
    new WebAssembly.Module(EMPTY_MODULE);
  } catch {
    const policy = "this site's content security policy forbids 'wasm-unsafe-eval'";
    throw new RanvierError({ code: "engine", message: self.WebAssembly ? policy : "WebAssembly is switched off in this browser" });
  }
  const files = new EngineFiles(startOptions, onProgress);
  /** @type {unknown} */
  let failure;
  try {
    const pyodide = await startPyodide(files, (error) => (failure = error));
    return { pyodide, failure: () => failure };
  } catch (error) {
    files.close();
    throw error;
  }
}

/**
 * Start Pyodide when all files except the module are loaded; the module is compiled while Pyodide prepares itself.
 *
 * @param {EngineFiles} files
 * @param {(error: unknown) => void} onFailure  receives the reason if the second part cannot be linked
 */
async function startPyodide(files, onFailure) {
  /** @type {(error: unknown) => void} */
  let fail = () => {};
  // Without its module or after a trap, Pyodide may hang.
  /** @type {Promise<never>} */
  const failure = new Promise((_, reject) => (fail = reject));
  failure.catch(onFailure);
  const modulePromise = files.compileModule(PRIMARY);
  modulePromise.catch(fail);
  const otherFiles = Promise.all([files.loadScript(LOADER), files.loadScript(GLUE), files.fetchBytes(LIBRARY)]);
  const [{ loadPyodide }, { default: createPyodideModule }, library] = await Promise.race([otherFiles, failure]);
  const { instantiateStreaming } = WebAssembly;
  const { fetch } = self;
  const localFiles = new Map([[files.folder + WASM, new Uint8Array()], [files.folder + ARCHIVE, readArchive(library)]]);
  self.fetch = async (input, init) => {
    const data = localFiles.get(String(input));
    return data ? new Response(/** @type {BodyInit} */ (data)) : fetch(input, init);
  };
  WebAssembly.instantiateStreaming = async (_, imports = {}) => {
    /** @type {WebAssembly.Module} */
    const module = await modulePromise.catch(() => new Promise(() => {})); // otherwise Pyodide fetches it
    return instantiateSplit(module, imports, () => files.readSync(SECONDARY), fail);
  };
  const pyodide = await Promise.race([loadPyodide({ ...engineOptions(files.folder), createPyodideModule }), failure]);
  // They stay after a failure: Pyodide may still call them, and would request the module by its own name.
  self.fetch = fetch;
  WebAssembly.instantiateStreaming = instantiateStreaming;
  return pyodide;
}
