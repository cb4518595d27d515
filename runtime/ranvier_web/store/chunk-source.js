/** Fetches whole files in a browser. Incomplete files are never stored. */

import { fetched, TIMEOUT } from "./arrive.js";

/** @import { FetchFailure } from "./arrive.js" */

/**
 * @typedef {{names: string[], files: Uint8Array[], failure: FetchFailure | null}} Arrived
 * the files that arrived, in the order of the request, and the first failure
 *
 * @typedef {{cache?: RequestCache, signal?: AbortSignal}} Manner
 */

export class ChunkSource {
  /** @type {string} */
  #base;
  /** @type {Set<string>} names whose cached copy may be damaged */
  #suspects = new Set();
  /** @type {typeof fetch} */
  #fetch;
  #timeout;
  /** Prefetched files, until they are taken. @type {Map<string, Promise<Uint8Array>>} */
  #prefetched = new Map();
  /** Those that have arrived. @type {Map<string, Uint8Array>} */
  #arrived = new Map();
  /** @type {Set<string>} */
  #requested = new Set();

  /**
   * @param {string} base  absolute, with its slash at the end
   * @param {typeof fetch} [fetcher]
   * @param {number} [timeout]  ms
   */
  constructor(base, fetcher = (...request) => fetch(...request), timeout = TIMEOUT) {
    this.#base = base;
    this.#fetch = fetcher;
    this.#timeout = timeout;
  }

  /**
   * Fetch files in parallel. Unavailable files are omitted: the core decides which of them are optional.
   *
   * @param {string[]} names
   * @param {AbortSignal} [signal]
   * @returns {Promise<Arrived>}
   */
  async some(names, signal) {
    /** @type {Arrived} */
    const here = { names: [], files: [], failure: null };
    const settled = await Promise.allSettled(names.map((name) => this.fetchFile(name, { signal })));
    settled.forEach((result, at) => {
      if (result.status === "fulfilled") {
        here.names.push(/** @type {string} */ (names[at]));
        here.files.push(result.value);
      } else here.failure ??= result.reason;
    });
    return here;
  }

  /**
   * @param {string} name
   * @param {Manner} [manner]
   * @returns {Promise<Uint8Array>}
   */
  async fetchFile(name, { cache = this.#suspects.has(name) ? "reload" : "default", signal } = {}) {
    /** @type {(mode: RequestCache, stop: AbortSignal) => Promise<Response>} */
    const request = (mode, stop) => this.#fetch(new URL(name, this.#base).href, { cache: mode, signal: stop });
    const ahead = this.#prefetched.get(name);
    this.#forget(name);
    try {
      const data = await (ahead ?? fetched(name, request, { cache, timeout: this.#timeout, signal }));
      if (cache === "reload") this.#suspects.delete(name); // the browser's cache now has this copy
      return data;
    } catch (error) {
      if (!signal?.aborted) this.suspect([name]);
      throw error;
    }
  }

  /**
   * Prefetch files that are needed soon, each once.
   *
   * @param {string[]} names
   */
  prefetch(names) {
    for (const name of names.filter((file) => !this.#requested.has(file))) {
      this.#requested.add(name);
      const coming = this.fetchFile(name);
      this.#prefetched.set(name, coming);
      const here = (/** @type {Uint8Array} */ data) => void (this.#prefetched.has(name) && this.#arrived.set(name, data));
      coming.then(here, () => this.#forget(name)); // a later caller fetches it again
    }
  }

  /**
   * Take the prefetched files that have arrived.
   *
   * @param {string[]} names
   * @returns {{names: string[], files: Uint8Array[]}}
   */
  takeArrived(names) {
    const here = names.filter((name) => this.#arrived.has(name));
    const files = here.map((name) => /** @type {Uint8Array} */ (this.#arrived.get(name)));
    here.forEach((name) => this.#forget(name));
    return { names: here, files };
  }

  /** @param {string} name */
  #forget(name) {
    this.#prefetched.delete(name);
    this.#arrived.delete(name);
  }

  /**
   * Mark failed or damaged files: later requests for them skip the browser's cache.
   *
   * @param {string[]} names
   */
  suspect(names) {
    for (const name of names) this.#suspects.add(name);
  }
}
