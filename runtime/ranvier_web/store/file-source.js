/** Fetches whole files in a browser. Incomplete files are never stored. */

import { downloadWithRetry } from "./download.js";
import { TIMEOUT } from "./retry.js";

/** @import { FetchFailure } from "./download.js" */

/**
 * @typedef {{names: string[], files: Uint8Array[], failure: FetchFailure | null}} FetchResult
 * the fetched files, in the order of the request, and the first failure
 *
 * @typedef {{cache?: RequestCache, signal?: AbortSignal}} FetchOptions
 *
 * @typedef {{promise: Promise<Uint8Array>, data?: Uint8Array}} PrefetchedFile  `data`: if it is complete
 */

export class FileSource {
  #base;
  /** @type {Set<string>} names whose cached copy may be damaged */
  #suspects = new Set();
  #fetch;
  #timeout;
  /** Prefetched files, until they are taken. @type {Map<string, PrefetchedFile>} */
  #prefetched = new Map();
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
   */
  async fetchFiles(names, signal) {
    /** @type {FetchResult} */
    const result = { names: [], files: [], failure: null };
    const outcomes = await Promise.allSettled(names.map((name) => this.fetchFile(name, { signal })));
    outcomes.forEach((outcome, at) => {
      if (outcome.status === "fulfilled") {
        result.names.push(/** @type {string} */ (names[at]));
        result.files.push(outcome.value);
      } else result.failure ??= outcome.reason;
    });
    return result;
  }

  /**
   * @param {string} name
   * @param {FetchOptions} [options]
   */
  async fetchFile(name, { cache = this.#suspects.has(name) ? "reload" : "default", signal } = {}) {
    /** @type {(mode: RequestCache, inner: AbortSignal) => Promise<Response>} */
    const request = (mode, inner) => this.#fetch(new URL(name, this.#base).href, { cache: mode, signal: inner });
    const prefetched = this.#prefetched.get(name)?.promise;
    this.#prefetched.delete(name);
    try {
      const data = await (prefetched ?? downloadWithRetry(name, request, { cache, timeout: this.#timeout, signal }));
      if (cache === "reload") this.#suspects.delete(name); // the browser's cache now has this copy
      return data;
    } catch (error) {
      if (!signal?.aborted) this.markSuspect([name]);
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
      /** @type {PrefetchedFile} */
      const file = { promise: this.fetchFile(name) };
      this.#prefetched.set(name, file);
      file.promise.then((data) => (file.data = data), () => this.#prefetched.delete(name)); // a later caller fetches it again
    }
  }

  /**
   * Take the prefetched files that are complete.
   *
   * @param {string[]} names
   */
  takePrefetched(names) {
    const ready = names.filter((name) => this.#prefetched.get(name)?.data);
    const files = ready.map((name) => /** @type {Uint8Array} */ (this.#prefetched.get(name)?.data));
    ready.forEach((name) => this.#prefetched.delete(name));
    return { names: ready, files };
  }

  /**
   * Mark failed or damaged files: later requests for them skip the browser's cache.
   *
   * @param {string[]} names
   */
  markSuspect(names) {
    for (const name of names) this.#suspects.add(name);
  }
}
