/** Where the bytes come from in a browser: whole files, by `fetch`. Nothing is kept here that did not arrive whole. */

/** A file could not be fetched. */
export class FetchFailure extends Error {
  /**
   * @param {string} name
   * @param {string} why
   */
  constructor(name, why) {
    super(`${name}: ${why}`);
    this.name = "FetchFailure";
  }
}

/**
 * Fetch; and where the answer is an error, once more past the browser's cache, which may have kept an older error.
 *
 * @param {string} url
 * @param {RequestCache} cache
 * @param {typeof fetch} [fetcher]
 * @returns {Promise<Response>}
 */
export async function fresh(url, cache, fetcher = fetch) {
  const response = await fetcher(url, { cache });
  return response.ok || cache === "reload" ? response : fetcher(url, { cache: "reload" });
}

/**
 * @typedef {{names: string[], files: Uint8Array[], failure: FetchFailure | null}} Arrived
 * what came, in the order in which it was asked for, and why the first of the rest did not
 */

export class ChunkSource {
  /** @type {string} */
  #base;
  /** @type {Set<string>} names whose cached copy is not to be trusted */
  #suspects = new Set();
  /** @type {typeof fetch} */
  #fetch;

  /**
   * @param {string} base  absolute, with its slash at the end
   * @param {typeof fetch} [fetcher]
   */
  constructor(base, fetcher = (...request) => fetch(...request)) {
    this.#base = base;
    this.#fetch = fetcher;
  }

  /**
   * Fetch files in parallel. Those that cannot be had are left out: the core knows which it can do without.
   *
   * @param {string[]} names
   * @returns {Promise<Arrived>}
   */
  async some(names) {
    /** @type {Arrived} */
    const arrived = { names: [], files: [], failure: null };
    const settled = await Promise.allSettled(names.map((name) => this.one(name)));
    settled.forEach((one, at) => {
      if (one.status === "fulfilled") {
        arrived.names.push(/** @type {string} */ (names[at]));
        arrived.files.push(one.value);
      } else arrived.failure ??= one.reason;
    });
    return arrived;
  }

  /**
   * @param {string} name
   * @param {RequestCache} [cache]
   * @returns {Promise<Uint8Array>}
   */
  async one(name, cache = this.#suspects.has(name) ? "reload" : "default") {
    try {
      const response = await fresh(`${this.#base}${name}`, cache, this.#fetch);
      if (!response.ok) throw new FetchFailure(name, `the server answered ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      this.suspect([name]);
      if (error instanceof FetchFailure) throw error;
      throw new FetchFailure(name, "no connection, or it broke off");
    }
  }

  /**
   * These files failed or were not what they should be: when they are asked for again, go past the browser's cache.
   *
   * @param {string[]} names
   */
  suspect(names) {
    for (const name of names) this.#suspects.add(name);
  }
}
