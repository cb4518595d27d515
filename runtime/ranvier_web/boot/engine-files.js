/** The files of the engine: fetched, and compared with their digests before anybody gets them. */

import { sha256 } from "../instant/sha256.js";
import { arrived, FetchFailure } from "../store/arrive.js";
import { Transfer } from "./transfer.js";

/** @import { Failure, Progress, Sealed } from "../protocol.js" */
/** @import { Starting } from "./engine.js" */

/** A request that is waited for has a limit for the whole file, not for each silence: so many times the timeout. */
const WHOLE = 3;

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

/** The files of one start. Each has its own tries, whatever happens to the others, and is fetched once for both ways. */
export class EngineFiles {
  /** The engine's folder. */
  folder;
  /** By the name of the file. @type {Map<string, {url: string, size: number, integrity: string}>} */
  #sealed;
  #timeout;
  #transfer;
  #over = new AbortController();
  /** @type {Map<string, Promise<any>>} */
  #kept = new Map();
  /** Files that came before they are needed. @type {Map<string, Uint8Array>} */
  #ahead = new Map();
  /** Whether a file could not be had that a call was waiting for. */
  failed = false;

  /**
   * @param {Starting} starting
   * @param {(progress: Progress) => void} [tell]  is told how much of the files that a start waits for has come
   */
  constructor({ base, entry, timeout }, tell = () => {}) {
    const { href } = new URL(entry.engine, base);
    const below = (/** @type {string} */ folder, /** @type {Sealed} */ [name, size, integrity]) =>
      /** @type {const} */ ([name, { url: folder + name, size, integrity }]);
    this.folder = href;
    this.#sealed = new Map(Object.entries(entry.engineFiles).map(([name, seal]) => below(href, [name, ...seal])));
    if (entry.snapshot) this.#sealed.set(...below(base, entry.snapshot));
    this.#timeout = timeout;
    this.#transfer = new Transfer(tell);
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
   * Fetch a file before it is needed; no start waits for it. If that fails, `now` fetches it.
   *
   * @param {string} name
   */
  fetchAhead(name) {
    this.#proved(name).then((data) => this.#ahead.set(name, data), () => {});
  }

  /**
   * A file at once, while everything stands still.
   *
   * @param {string} name
   * @returns {Uint8Array}
   * @throws {BootFailure | FetchFailure}
   */
  now(name) {
    const early = this.#ahead.get(name);
    if (early) return early;
    const { url, size, integrity } = this.#seal(name);
    let failure;
    for (const query of ["", "?try=1"]) { // the browser's cache may hold a damaged copy; of another address it has none
      try {
        const data = synchronous(name, url + query, this.#timeout);
        if (data.length === size && sha256(data) === hexadecimal(integrity)) return data;
        throw different(name, data);
      } catch (error) {
        failure = error;
      }
    }
    this.failed = true;
    throw failure;
  }

  /**
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} get
   * @returns {Promise<T>}
   */
  #once(name, get) {
    const known = this.#kept.get(name);
    if (known) return known;
    this.#transfer.expect(name, this.#seal(name).size);
    const coming = get();
    this.#kept.set(name, coming);
    coming.catch(() => {}); // thrown where it is awaited
    return coming;
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
    const { url, size, integrity } = this.#seal(name);
    const ask = async (/** @type {AbortSignal} */ signal) => {
      // Where the page is not secure there is no digest for scripts, but the browser's own comparison is there.
      const response = await fetch(url, { cache, signal, ...(crypto.subtle ? {} : { integrity }) });
      return response.ok ? this.#transfer.counted(name, read(response)) : response;
    };
    const data = await arrived(name, ask, { timeout: this.#timeout, signal: this.#over.signal });
    if (data.length !== size || !(await digested(data, integrity))) throw different(name, data);
    return data;
  }

  /** @param {string} name */
  #seal(name) {
    const sealed = this.#sealed.get(name);
    if (!sealed) throw new BootFailure({ code: "format", message: `entry.json does not name ${name}` });
    return sealed;
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
 * @param {string} name
 * @param {string} url
 * @param {number} timeout  ms
 * @returns {Uint8Array}
 * @throws {FetchFailure}
 */
function synchronous(name, url, timeout) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.responseType = "arraybuffer";
  request.timeout = timeout * WHOLE;
  try {
    request.send();
  } catch {
    throw new FetchFailure(name, "no connection, or it broke off");
  }
  if (request.status !== 200) throw new FetchFailure(name, `the server answered ${request.status}`, request.status);
  return new Uint8Array(request.response);
}

/**
 * @param {string} name
 * @param {Uint8Array} data
 */
function different(name, { length }) {
  return new BootFailure({ code: "integrity", message: `${name}: is not what its name says (${length} bytes)` });
}

/** @param {string} integrity  "sha256-" and the digest in base64 */
function hexadecimal(integrity) {
  const digest = atob(integrity.slice("sha256-".length));
  return Array.from(digest, (sign) => sign.charCodeAt(0).toString(16).padStart(2, "0")).join("");
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
