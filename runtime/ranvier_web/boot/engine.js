/**
 * Pyodide, started from files that were compared with their digests before any of them ran.
 *
 * There are two ways to the same interpreter: a memory snapshot in which Python has imported the core already, and the library,
 * from which it imports everything. The snapshot is quicker and larger. Whatever goes wrong the first time, the library is tried
 * once more; what was asked for and not found to be right until then is asked for past the browser's cache. That is more than
 * what was found to be wrong: a damaged file may end an attempt, by what fails to read it, before its digest is there.
 */

import { arrived, FetchFailure, fresh } from "../store/arrive.js";
import { engineOptions } from "./engine-lock.js";
import { restoring } from "./snapshot.js";

/** @import { Entry, Failure, Sealed } from "../protocol.js" */

const LOADER = "pyodide.js";
const GLUE = "pyodide.asm.js";
const WASM = "pyodide.asm.wasm";
const LIBRARY = "python_stdlib.zip";
// The smallest module there is. Where a policy forbids wasm this throws at once; Pyodide would wait for ever.
const NO_WASM = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

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
  const quick = starting.entry.snapshot && !starting.frugal;
  /** @type {Set<string>} */
  const unproven = new Set();
  try {
    return await new Start(starting, quick ? "snapshot" : "library", unproven).run();
  } catch {
    return await new Start(starting, "library", unproven).run();
  }
}

/** One attempt. */
class Start {
  #starting;
  #way;
  /** The engine's folder. */
  #folder;
  /** Names of files that were asked for, by an earlier attempt as well, and have not been found to be what they should be. */
  #unproven;
  /** Ends what is still being fetched when the attempt is over. */
  #over = new AbortController();
  #network = self.fetch.bind(self);
  /** @type {Map<string, Promise<Response>>} answers that Pyodide's loader will ask for */
  #early = new Map();
  /** @type {Promise<unknown>[]} */
  #proofs = [];

  /**
   * @param {Starting} starting
   * @param {"snapshot" | "library"} way
   * @param {Set<string>} unproven
   */
  constructor(starting, way, unproven) {
    this.#starting = starting;
    this.#way = way;
    this.#folder = new URL(starting.entry.engine, starting.base).href;
    this.#unproven = unproven;
  }

  /** @returns {Promise<Started>} */
  async run() {
    const { base, entry } = this.#starting;
    const { instantiateStreaming } = WebAssembly;
    // Where a file fails, Pyodide leaves rejected promises of its own behind; `failing` below has told the reason.
    const hush = (/** @type {PromiseRejectionEvent} */ event) => event.preventDefault();
    self.addEventListener("unhandledrejection", hush);
    try {
      const modules = Promise.all([LOADER, GLUE].map((name) => this.#module(name)));
      const memory = this.#way === "snapshot" && entry.snapshot ? this.#bytes(base, entry.snapshot) : null;
      this.#ahead(WASM);
      if (memory) this.#early.set(this.#folder + LIBRARY, Promise.resolve(new Response())); // nothing is read from it
      else this.#ahead(LIBRARY);
      const failing = Promise.all(this.#proofs).then(() => new Promise(() => {}));
      self.fetch = (input, init) => this.#answer(input, init);
      WebAssembly.instantiateStreaming = (source, imports) => this.#instantiate(source, imports);
      const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.race([modules, failing]);
      const options = { ...engineOptions(this.#folder), createPyodideModule };
      // Without its wasm Pyodide neither starts nor fails.
      const pyodide = await Promise.race([this.#load(loadPyodide, options, memory), failing]);
      await Promise.all(this.#proofs);
      self.removeEventListener("unhandledrejection", hush); // of a start that failed, some come late
      return { pyodide, way: this.#way };
    } finally {
      this.#over.abort();
      self.fetch = this.#network;
      WebAssembly.instantiateStreaming = instantiateStreaming;
    }
  }

  /**
   * @param {(options: object) => Promise<any>} loadPyodide
   * @param {object} options
   * @param {Promise<Uint8Array> | null} memory
   */
  async #load(loadPyodide, options, memory) {
    if (!memory) return loadPyodide(options);
    const restore = restoring(memory);
    restore.install();
    try {
      return await loadPyodide({ ...options, ...restore.options });
    } finally {
      restore.uninstall();
    }
  }

  /**
   * A script is compared before it runs: it is fetched as a file, and then imported from the browser's cache.
   *
   * @param {string} name
   */
  async #module(name) {
    await this.#bytes(this.#folder, [name, ...this.#seal(name)]);
    return import(/* @vite-ignore */ this.#folder + name);
  }

  /**
   * Ask for a file before Pyodide's own loader is there to ask for it; the loader then finds it on its way.
   *
   * @param {string} name
   */
  #ahead(name) {
    const seal = this.#seal(name);
    const asked = this.#ask(this.#folder, name, seal);
    // The loader reads one copy while the other is digested; where there is no digest, the browser compares by itself.
    const copy = asked.then((response) => response.clone());
    this.#early.set(this.#folder + name, asked);
    this.#prove(name, () => copy, seal);
  }

  /**
   * @param {string} folder
   * @param {Sealed} sealed
   */
  #bytes(folder, [name, ...seal]) {
    return this.#prove(name, () => this.#ask(folder, name, seal), seal);
  }

  /**
   * @param {string} name
   * @param {() => Promise<Response>} ask
   * @param {[number, string]} seal
   * @returns {Promise<Uint8Array>}
   */
  #prove(name, ask, [size, integrity]) {
    const { patience } = this.#starting;
    const proof = arrived(name, ask, { patience, signal: this.#over.signal }).then(async (data) => {
      if (data.length !== size || !(await digested(data, integrity))) {
        throw new BootFailure({ code: "integrity", message: `${name}: is not what its name says (${data.length} bytes)` });
      }
      this.#unproven.delete(name);
      return data;
    });
    proof.catch(() => {}); // whoever races it gets the reason
    this.#proofs.push(proof);
    return proof;
  }

  /**
   * @param {string} folder
   * @param {string} name
   * @param {[number, string]} seal
   */
  #ask(folder, name, [, integrity]) {
    const { signal } = this.#over;
    /** @type {RequestInit} */
    const how = { cache: this.#unproven.has(name) ? "reload" : "default", signal };
    this.#unproven.add(name);
    // Where the page is not secure there is no digest for scripts, but the browser's own comparison is there.
    return fresh(folder + name, crypto.subtle ? how : { ...how, integrity }, this.#network);
  }

  /**
   * @param {string} name
   * @returns {[number, string]}
   */
  #seal(name) {
    const seal = this.#starting.entry.engineFiles[name];
    if (!seal) throw new BootFailure({ code: "format", message: `entry.json does not name ${name}` });
    return seal;
  }

  /**
   * @param {RequestInfo | URL} input
   * @param {RequestInit} [init]
   */
  #answer(input, init) {
    const url = input instanceof Request ? input.url : String(input);
    const found = this.#early.get(url);
    this.#early.delete(url);
    if (found) return found;
    if (url.startsWith(this.#folder)) return Promise.reject(new TypeError(`${url}: was handed over before, or is not to be had`));
    return this.#network(input, init);
  }

  /**
   * Compile while the file arrives, and run nothing of it before it was compared. A host that calls it by a wrong type is
   * corrected here: Pyodide would fetch it once more.
   *
   * @param {Response | PromiseLike<Response>} source
   * @param {WebAssembly.Imports} [imports]
   * @returns {Promise<WebAssembly.WebAssemblyInstantiatedSource>}
   */
  async #instantiate(source, imports) {
    const response = await source;
    const right = response.headers.get("content-type")?.split(";")[0]?.trim() === "application/wasm";
    const headers = { "content-type": "application/wasm" };
    try {
      const module = await WebAssembly.compileStreaming(right ? response : new Response(response.body, { headers }));
      await Promise.all(this.#proofs);
      return { module, instance: await WebAssembly.instantiate(module, imports) };
    } catch (error) {
      if (this.#over.signal.aborted) return new Promise(() => {}); // Pyodide would warn of what nobody waits for any more
      throw error;
    }
  }
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
