/** One cache and its index. A cache that fails, for lack of space or for another reason, is treated as empty. */

import { LruIndex } from "./lru-index.js";

/** @typedef {{bytes?: number, files?: number}} Bound */

export class BoundedCache {
  #caches;
  #name;
  /** The address of the index in the cache. */
  #indexUrl;
  /** @type {Promise<LruIndex> | null} */
  #lruIndex = null;
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
      const lruIndex = await this.#loadIndex();
      if (!lruIndex.has(url)) return undefined;
      const response = await (await this.#cache()).match(url);
      if (response) lruIndex.use(url);
      else lruIndex.drop(url); // deleted by the browser or by the user
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
    const lruIndex = await this.#loadIndex();
    const copy = response.clone();
    if (!(await this.#tryPut(url, response))) {
      await this.#dropAll(lruIndex.surplus({ bytes: lruIndex.bytes / 2 }, pinned));
      if (!(await this.#tryPut(url, copy))) return false;
    }
    lruIndex.add(url, bytes);
    this.#isChanged = true;
    if (lruIndex !== (await this.#loadIndex())) {
      await this.drop(url); // the cache was cleared meanwhile
      return false;
    }
    await this.#dropAll(lruIndex.surplus(bound, pinned));
    return lruIndex.has(url);
  }

  /** Delete the whole cache, with its metadata. */
  async clear() {
    this.#lruIndex = Promise.resolve(new LruIndex());
    this.#metadata = {};
    await this.#caches.delete(this.#name);
  }

  /** @param {(url: string) => boolean} isKept */
  async retain(isKept) {
    const lruIndex = await this.#loadIndex();
    await this.#dropAll(lruIndex.names.filter((url) => !isKept(url)));
  }

  /** @param {string} url */
  async drop(url) {
    await this.#dropAll([url]);
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
      const record = { ...(await this.#loadIndex()).toJSON(), metadata: this.#metadata };
      await (await this.#cache()).put(this.#indexUrl, new Response(JSON.stringify(record)));
    } catch {
      // The next flush may succeed; an outdated index is harmless.
    }
  }

  /** @param {string[]} urls */
  async #dropAll(urls) {
    const lruIndex = await this.#loadIndex();
    for (const url of urls) {
      lruIndex.drop(url);
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
    this.#lruIndex ??= this.#read();
    return this.#lruIndex;
  }

  async #read() {
    try {
      const { metadata, ...record } = await (await (await this.#cache()).match(this.#indexUrl))?.json();
      this.#metadata = metadata ?? {};
      return new LruIndex(record);
    } catch {
      await this.#caches.delete(this.#name).catch(() => {}); // without an index its files would stay forever
      return new LruIndex();
    }
  }
}
