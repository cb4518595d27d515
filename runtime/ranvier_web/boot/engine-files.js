/**
 * The files of the engine: fetched, and compared with their digests before use. Scripts are not compared: some proxies rewrite
 * them, and whoever can change one can also change this file.
 */

import { RanvierError } from "../errors.js";
import { sha256 } from "../instant/sha256.js";
import { download, FetchFailure } from "../store/download.js";
import { withRetry } from "../store/retry.js";
import { Transfer } from "./transfer.js";

/** @import { Progress, StartOptions } from "../protocol.js" */

/** A synchronous request has a limit for the whole file: the timeout multiplied by this. */
const TOTAL_TIMEOUT_FACTOR = 3;

let syncRetries = 0; // of this worker, which may start several engines

/** @typedef {{url: string, size: number, integrity: string}} ExpectedFile  `integrity` is empty if the file is not compared */

/** The files of one start. Each file has its own retries. */
export class EngineFiles {
  /** The engine's folder. */
  folder;
  /** By file name. @type {Map<string, ExpectedFile>} */
  #expectedFiles;
  #timeout;
  #transfer;
  #controller = new AbortController();

  /**
   * @param {StartOptions} starting
   * @param {(progress: Progress) => void} [onProgress]  receives the progress of the files that the start needs
   */
  constructor({ base, entry, timeout }, onProgress = () => {}) {
    const { href } = new URL(entry.engine, base);
    const expectedFile = (/** @type {string} */ name, /** @type {number} */ size, /** @type {string} */ integrity) =>
      ({ url: new URL(name, href).href, size, integrity: name.endsWith(".js") ? "" : integrity });
    this.folder = href;
    this.#expectedFiles = new Map(Object.entries(entry.engineFiles).map(([name, row]) => [name, expectedFile(name, ...row)]));
    this.#timeout = timeout;
    this.#transfer = new Transfer(onProgress);
  }

  /** Cancel all running requests. */
  close() {
    this.#controller.abort();
  }

  /**
   * Import a script. It is fetched as a file, with progress and a timeout, and then imported from the browser's cache. If it does
   * not run, the cached copy may be damaged. A worker cannot import the same address again, so another one is fetched, past the
   * cache: an earlier worker may have left a damaged copy there, too.
   *
   * @param {string} name
   */
  async loadScript(name) {
    await this.fetchBytes(name);
    const url = this.folder + name;
    const retryUrl = `${url}?try=1`;
    try {
      return await import(/* @vite-ignore */ url).catch(async () => {
        const request = (/** @type {AbortSignal} */ signal) => fetch(retryUrl, { cache: "reload", signal });
        await download(name, request, { timeout: this.#timeout, signal: this.#controller.signal });
        return import(/* @vite-ignore */ retryUrl);
      });
    } catch (error) {
      throw new RanvierError({ code: "fetch", message: `${name}: the script could not be loaded (${error})` });
    }
  }

  /**
   * Compile a module while it arrives; return it only after the integrity check of its bytes.
   *
   * @param {string} name
   */
  async compileModule(name) {
    /** @type {Promise<WebAssembly.Module> | undefined} */
    let modulePromise;
    await this.fetchBytes(name, (response) => {
      const copy = response.clone();
      modulePromise = WebAssembly.compileStreaming(withWasmType(response));
      modulePromise.catch(() => {}); // of a damaged file; the last error is thrown below
      return copy;
    });
    return /** @type {Promise<WebAssembly.Module>} */ (modulePromise);
  }

  /**
   * Fetch a file that the start needs.
   *
   * @param {string} name
   * @param {(response: Response) => Response} [read]  gets each response while it arrives, and returns the one to compare
   */
  async fetchBytes(name, read = (response) => response) {
    this.#transfer.expect(name, this.#expected(name).size);
    return withRetry((cache) => this.#fetchOnce(name, cache, read), { signal: this.#controller.signal });
  }

  /**
   * Return a file synchronously; this blocks the thread.
   *
   * @param {string} name
   * @throws {RanvierError | FetchFailure}
   */
  readSync(name) {
    const { url, size, integrity } = this.#expected(name);
    let lastError;
    for (const query of ["", `?try=${++syncRetries}`]) { // a cached copy may be damaged; the other address is not cached
      try {
        const data = fetchSync(name, url + query, this.#timeout);
        if (data.length === size && sha256(data) === toHex(integrity)) return data;
        throw mismatchError(name, data);
      } catch (error) {
        lastError = error;
      }
    }
    throw lastError;
  }

  /**
   * @param {string} name
   * @param {RequestCache} cache
   * @param {(response: Response) => Response} read
   */
  async #fetchOnce(name, cache, read) {
    const { url, size, integrity } = this.#expected(name);
    const request = async (/** @type {AbortSignal} */ signal) => {
      // Without a secure context `crypto.subtle` is missing; then the browser compares the file, by `integrity`.
      const response = await fetch(url, { cache, signal, ...(crypto.subtle ? {} : { integrity }) });
      return response.ok ? this.#transfer.countBytes(name, read(response)) : response;
    };
    const data = await download(name, request, { timeout: this.#timeout, signal: this.#controller.signal });
    if (integrity && (data.length !== size || !(await hasDigest(data, integrity)))) throw mismatchError(name, data);
    return data;
  }

  /** @param {string} name */
  #expected(name) {
    const expected = this.#expectedFiles.get(name);
    if (!expected) throw new RanvierError({ code: "format", message: `entry.json does not name ${name}` });
    return expected;
  }
}

/**
 * Correct a wrong content type: streaming compilation requires "application/wasm", without a character set.
 *
 * @param {Response} response
 */
function withWasmType(response) {
  const isCorrect = response.headers.get("content-type") === "application/wasm";
  return isCorrect ? response : new Response(response.body, { headers: { "content-type": "application/wasm" } });
}

/**
 * @param {string} name
 * @param {string} url
 * @param {number} timeout  ms
 * @returns {Uint8Array}
 * @throws {FetchFailure}
 */
function fetchSync(name, url, timeout) {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.responseType = "arraybuffer";
  request.timeout = timeout * TOTAL_TIMEOUT_FACTOR;
  try {
    request.send();
  } catch {
    throw new FetchFailure(name, "no connection, or the connection failed");
  }
  if (request.status !== 200) throw new FetchFailure(name, `the server answered ${request.status}`, request.status);
  return new Uint8Array(request.response);
}

/**
 * @param {string} name
 * @param {Uint8Array} data
 */
function mismatchError(name, { length }) {
  return new RanvierError({ code: "integrity", message: `${name}: does not match its digest (${length} bytes)` });
}

/** @param {string} integrity  "sha256-" and the digest in base64 */
function toHex(integrity) {
  const digest = atob(integrity.slice("sha256-".length));
  return Array.from(digest, (character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/**
 * @param {Uint8Array} data
 * @param {string} integrity  "sha256-" and the digest in base64
 */
async function hasDigest(data, integrity) {
  if (!crypto.subtle) return true; // compared by the browser, by `integrity`
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", /** @type {BufferSource} */ (data)));
  return `sha256-${btoa(String.fromCharCode(...digest))}` === integrity;
}
