/**
 * Pyodide, started from files that are compared with their digests before any of them runs.
 *
 * There are two ways to the same interpreter: a memory snapshot in which Python has imported the core already, and the library,
 * from which it imports everything. The snapshot is quicker and larger. If it fails, the library is the second way.
 */

import { arrived, FetchFailure } from "../store/arrive.js";
import { engineOptions } from "./engine-lock.js";
import { restoring } from "./snapshot.js";

/** @import { Entry, Failure, Sealed } from "../protocol.js" */

const LOADER = "pyodide.js";
const GLUE = "pyodide.asm.js";
const WASM = "pyodide.asm.wasm";
const LIBRARY = "python_stdlib.zip";
// The smallest module there is. Where a policy forbids wasm this throws at once; Pyodide would wait for ever.
const NO_WASM = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** How a file is asked for: the browser's cache may hold a damaged copy, so the second try goes past it. @type {RequestCache[]} */
const TRIES = ["default", "reload"];

/** A start came to an end. */
export class BootFailure extends Error {
  /** @param {Failure} failure */
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/**
 * @typedef {{pyodide: any, way: "snapshot" | "library"}} Started
 *
 * @typedef {object} Starting
 * @property {string} base      absolute, with its slash at the end
 * @property {Entry} entry
 * @property {boolean} frugal   fewer bytes before less time
 * @property {number} patience  ms in which a file may send nothing
 */

/**
 * @param {Starting} starting
 * @returns {Promise<Started>}
 * @throws {BootFailure | FetchFailure}
 */
export async function startEngine(starting) {
  try {
    new WebAssembly.Module(NO_WASM);
  } catch {
    throw new BootFailure({ code: "engine", message: "this site's content security policy forbids 'wasm-unsafe-eval'" });
  }
  const files = new EngineFiles(starting);
  const { snapshot } = starting.entry;
  try {
    if (snapshot && !starting.frugal) {
      try {
        return { pyodide: await loaded(files, snapshot[0]), way: "snapshot" };
      } catch (error) {
        // The library does without it. A file that both ways need fails there again, at once.
        console.warn(`snapshot: ${error}`);
      }
    }
    return { pyodide: await loaded(files), way: "library" };
  } finally {
    files.close();
  }
}

/** The files of one start. Each has its own tries, whatever happens to the others, and is fetched once for both ways. */
class EngineFiles {
  /** The engine's folder. */
  folder;
  /** By the name of the file. @type {Map<string, {url: string, size: number, integrity: string}>} */
  #sealed;
  #patience;
  #over = new AbortController();
  /** @type {Map<string, Promise<any>>} */
  #kept = new Map();

  /** @param {Starting} starting */
  constructor({ base, entry, patience }) {
    const { href } = new URL(entry.engine, base);
    const below = (/** @type {string} */ folder, /** @type {Sealed} */ [name, size, integrity]) =>
      /** @type {const} */ ([name, { url: folder + name, size, integrity }]);
    this.folder = href;
    this.#sealed = new Map(Object.entries(entry.engineFiles).map(([name, seal]) => below(href, [name, ...seal])));
    if (entry.snapshot) this.#sealed.set(...below(base, entry.snapshot));
    this.#patience = patience;
  }

  /** Give up what is still being fetched. */
  close() {
    this.#over.abort();
  }

  /**
   * A script is compared before it runs: it is fetched as a file, and then imported from the browser's cache.
   *
   * @param {string} name
   * @returns {Promise<any>}
   */
  script(name) {
    return this.#once(name, async () => {
      await this.#proved(name);
      return import(/* @vite-ignore */ this.folder + name);
    });
  }

  /**
   * Compiled while it arrives; nobody gets the module before its bytes are compared.
   *
   * @param {string} name
   * @returns {Promise<WebAssembly.Module>}
   */
  module(name) {
    return this.#once(name, async () => {
      /** @type {Promise<WebAssembly.Module> | undefined} */
      let compiling;
      await this.#proved(name, (response) => {
        const copy = response.clone();
        compiling = WebAssembly.compileStreaming(ofWasm(response));
        compiling.catch(() => {}); // of a damaged file; an error of the last one is thrown below
        return copy;
      });
      return /** @type {Promise<WebAssembly.Module>} */ (compiling);
    });
  }

  /**
   * @param {string} name
   * @returns {Promise<Uint8Array>}
   */
  bytes(name) {
    return this.#once(name, () => this.#proved(name));
  }

  /**
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} get
   * @returns {Promise<T>}
   */
  #once(name, get) {
    const known = this.#kept.get(name) ?? get();
    this.#kept.set(name, known);
    known.catch(() => {}); // thrown where it is awaited
    return known;
  }

  /**
   * @param {string} name
   * @param {(response: Response) => Response} [read]  sees each answer while it arrives, and returns what to compare
   * @returns {Promise<Uint8Array>}
   */
  async #proved(name, read = (response) => response) {
    let failure;
    for (const cache of TRIES) {
      try {
        return await this.#tried(name, cache, read);
      } catch (error) {
        failure = error;
        if (this.#over.signal.aborted) break;
      }
    }
    throw failure;
  }

  /**
   * @param {string} name
   * @param {RequestCache} cache
   * @param {(response: Response) => Response} read
   */
  async #tried(name, cache, read) {
    const sealed = this.#sealed.get(name);
    if (!sealed) throw new BootFailure({ code: "format", message: `entry.json does not name ${name}` });
    const { url, size, integrity } = sealed;
    const ask = async (/** @type {AbortSignal} */ signal) => {
      // Where the page is not secure there is no digest for scripts, but the browser's own comparison is there.
      const response = await fetch(url, { cache, signal, ...(crypto.subtle ? {} : { integrity }) });
      return response.ok ? read(response) : response;
    };
    const data = await arrived(name, ask, { patience: this.#patience, signal: this.#over.signal });
    if (data.length !== size || !(await digested(data, integrity))) {
      throw new BootFailure({ code: "integrity", message: `${name}: is not what its name says (${data.length} bytes)` });
    }
    return data;
  }
}

/**
 * Start Pyodide when all files are here: without one of them it neither starts nor fails.
 *
 * @param {EngineFiles} files
 * @param {string} [snapshot]  the name of its file; nothing is then read from the library
 * @returns {Promise<any>}
 */
async function loaded(files, snapshot) {
  const memory = snapshot ? files.bytes(snapshot) : null;
  const restore = memory && restoring(memory);
  const [{ loadPyodide }, { default: createPyodideModule }, module, library] = await Promise.all([
    files.script(LOADER),
    files.script(GLUE),
    files.module(WASM),
    memory ? new Uint8Array() : files.bytes(LIBRARY),
    memory,
  ]);
  const { instantiateStreaming } = WebAssembly;
  const { fetch } = self;
  const own = new Map([[files.folder + WASM, new Uint8Array()], [files.folder + LIBRARY, library]]);
  self.fetch = async (input, init) => {
    const data = own.get(String(input));
    return data ? new Response(/** @type {BodyInit} */ (data)) : fetch(input, init);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module, instance: await WebAssembly.instantiate(module, imports) });
  restore?.install();
  try {
    return await loadPyodide({ ...engineOptions(files.folder), createPyodideModule, ...restore?.options });
  } finally {
    restore?.uninstall();
    self.fetch = fetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}

/**
 * Where a host calls it by a wrong type it is corrected: a browser compiles no other while it arrives.
 *
 * @param {Response} response
 */
function ofWasm(response) {
  const right = response.headers.get("content-type")?.split(";")[0]?.trim() === "application/wasm";
  return right ? response : new Response(response.body, { headers: { "content-type": "application/wasm" } });
}

/**
 * @param {Uint8Array} data
 * @param {string} integrity  "sha256-" and the digest in base64
 */
async function digested(data, integrity) {
  if (!crypto.subtle) return true; // the browser compared it, or did not deliver it
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (data)));
  return `sha256-${btoa(String.fromCharCode(...digest))}` === integrity;
}
