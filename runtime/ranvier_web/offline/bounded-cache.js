/** One cache and its index. A cache that fails, for lack of space or for another reason, is treated as empty. */

/** @typedef {{bytes?: number, files?: number}} Bound */
/** @typedef {Map<string, number>} Index  the bytes of each stored file by its address, the least recently used first */

export class BoundedCache {
  #caches;
  #name;
  /** The address of the index in the cache. */
  #indexUrl;
  /** @type {Promise<Index> | null} */
  #index = null;
  #isChanged = false;
  /** JSON values that are stored with the index. @type {Record<string, any>} */
  #metadata = {};

  /**
   * @param {CacheStorage} caches
   * @param {string} name
   * @param {string} base
   */
  constructor(caches, name, base) {
    this.#caches = caches;
    this.#name = name;
    this.#indexUrl = `${base}.cache-index`;
  }

  /** @param {string} url */
  async get(url) {
    try {
      const index = await this.#loadIndex();
      if (!index.has(url)) return undefined;
      const response = await (await this.#cache()).match(url);
      const bytes = index.get(url);
      index.delete(url); // the browser or the user may have deleted the file
      if (response && bytes !== undefined) index.set(url, bytes);
      this.#isChanged = true;
      return response;
    } catch {
      return undefined;
    }
  }

  /** @param {string} url */
  async has(url) {
    return (await this.#loadIndex()).has(url) && Boolean(await this.get(url));
  }

  /**
   * Store a file, and delete others if a bound is exceeded. If the browser has no space, delete half of the files and try once more.
   *
   * @param {string} url
   * @param {Response} response
   * @param {number} bytes
   * @param {Bound} bound
   * @param {ReadonlySet<string>} [pinned]
   * @returns {Promise<boolean>}  whether it is stored now
   */
  async put(url, response, bytes, bound, pinned = new Set()) {
    const index = await this.#loadIndex();
    const copy = response.clone();
    if (!(await this.#tryPut(url, response))) {
      await this.drop(...surplus(index, { bytes: sizeOf(index) / 2 }, pinned));
      if (!(await this.#tryPut(url, copy))) return false;
    }
    index.delete(url);
    index.set(url, bytes);
    this.#isChanged = true;
    if (index !== (await this.#loadIndex())) {
      await this.drop(url); // the cache was cleared meanwhile
      return false;
    }
    await this.drop(...surplus(index, bound, pinned));
    return index.has(url);
  }

  /** Delete the whole cache, with its metadata. */
  async clear() {
    this.#index = Promise.resolve(new Map());
    this.#metadata = {};
    await this.#caches.delete(this.#name);
  }

  /** @param {(url: string) => boolean} isKept */
  async retain(isKept) {
    await this.drop(...[...(await this.#loadIndex()).keys()].filter((url) => !isKept(url)));
  }

  /** Return the metadata: the object itself, which later changes also change. */
  async getMetadata() {
    await this.#loadIndex();
    return this.#metadata;
  }

  /** @param {Record<string, any>} changes */
  async updateMetadata(changes) {
    Object.assign(await this.getMetadata(), changes);
    this.#isChanged = true;
  }

  /** Write the index if it has changed. */
  async flush() {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    try {
      const record = { files: Object.fromEntries(await this.#loadIndex()), metadata: this.#metadata };
      await (await this.#cache()).put(this.#indexUrl, new Response(JSON.stringify(record)));
    } catch {
      // The next flush may succeed; an outdated index is harmless.
    }
  }

  /** @param {...string} urls */
  async drop(...urls) {
    const index = await this.#loadIndex();
    for (const url of urls) {
      index.delete(url);
      this.#isChanged = true;
      try {
        await (await this.#cache()).delete(url);
      } catch {
        // Files that are not in the index are never returned.
      }
    }
  }

  /**
   * @param {string} url
   * @param {Response} response
   */
  async #tryPut(url, response) {
    try {
      await (await this.#cache()).put(url, response);
      return true;
    } catch {
      return false;
    }
  }

  #cache() {
    return this.#caches.open(this.#name);
  }

  #loadIndex() {
    this.#index ??= this.#read();
    return this.#index;
  }

  /** @returns {Promise<Index>} */
  async #read() {
    try {
      const { files, metadata } = await (await (await this.#cache()).match(this.#indexUrl))?.json();
      this.#metadata = metadata ?? {};
      return new Map(Object.entries(files));
    } catch {
      await this.#caches.delete(this.#name).catch(() => {}); // without an index its files would stay forever
      return new Map();
    }
  }
}

/** @param {Index} index */
const sizeOf = (index) => [...index.values()].reduce((sum, bytes) => sum + bytes, 0);

/**
 * Return the files to delete so that at most `bytes` bytes and `files` files stay: the least recently used first, never a pinned
 * file.
 *
 * @param {Index} index
 * @param {Bound} bound
 * @param {ReadonlySet<string>} pinned
 */
function surplus(index, { bytes: maxBytes = Infinity, files: maxFiles = Infinity }, pinned) {
  let [bytes, count] = [sizeOf(index), index.size];
  const evicted = [];
  for (const [url, size] of index) {
    if (bytes <= maxBytes && count <= maxFiles) break;
    if (pinned.has(url)) continue;
    evicted.push(url);
    bytes -= size;
    count -= 1;
  }
  return evicted;
}
