/** One cache and its ledger. A cache that fails, for want of room or for any reason, is a cache that has nothing. */

import { Ledger } from "./ledger.js";

/** @typedef {{bytes?: number, most?: number}} Bound */

export class Shelf {
  #caches;
  #name;
  /** @type {string} the address under which the ledger itself is kept */
  #book;
  /** @type {Promise<Ledger> | null} */
  #ledger = null;
  #changed = false;
  /** @type {Record<string, unknown>} */
  #notes = {};

  /**
   * @param {CacheStorage} caches
   * @param {string} name
   * @param {string} base
   */
  constructor(caches, name, base) {
    this.#caches = caches;
    this.#name = name;
    this.#book = `${base}.kept`;
  }

  /**
   * @param {string} url
   * @returns {Promise<Response | undefined>}
   */
  async get(url) {
    try {
      const ledger = await this.#opened();
      if (!ledger.has(url)) return undefined;
      const found = await (await this.#cache()).match(url);
      if (found) ledger.use(url);
      else ledger.drop(url); // the browser, or its owner, has thrown it away
      this.#changed = true;
      return found;
    } catch {
      return undefined;
    }
  }

  /** @param {string} url */
  async has(url) {
    return (await this.#opened()).has(url) && Boolean(await this.get(url));
  }

  /**
   * Keep a file, and let go of others where there are too many. Where the browser has no room, room is made once.
   *
   * @param {string} url
   * @param {Response} response
   * @param {number} bytes
   * @param {Bound} bound
   * @param {ReadonlySet<string>} [pinned]
   * @returns {Promise<boolean>}  whether it is kept now
   */
  async put(url, response, bytes, bound, pinned = new Set()) {
    const ledger = await this.#opened();
    const copy = response.clone();
    if (!(await this.#stored(url, response))) {
      await this.#dropAll(ledger.surplus({ bytes: ledger.bytes / 2 }, pinned));
      if (!(await this.#stored(url, copy))) return false;
    }
    ledger.add(url, bytes);
    this.#changed = true;
    if (ledger !== (await this.#opened())) {
      await this.drop(url); // all was cleared while it was stored
      return false;
    }
    await this.#dropAll(ledger.surplus(bound, pinned));
    return ledger.has(url);
  }

  /** Delete the whole cache, with its notes. */
  async clear() {
    this.#ledger = Promise.resolve(new Ledger());
    this.#notes = {};
    await this.#caches.delete(this.#name);
  }

  /** @param {(url: string) => boolean} stays */
  async keepOnly(stays) {
    const ledger = await this.#opened();
    await this.#dropAll(ledger.names.filter((url) => !stays(url)));
  }

  /** @param {string} url */
  async drop(url) {
    await this.#dropAll([url]);
  }

  /**
   * What else there is to remember, as JSON.
   *
   * @template T
   * @param {string} key
   * @returns {Promise<T | undefined>}
   */
  async note(key) {
    await this.#opened();
    return /** @type {T | undefined} */ (this.#notes[key]);
  }

  /** @param {Record<string, unknown>} notes */
  async take(notes) {
    await this.#opened();
    Object.assign(this.#notes, notes);
    this.#changed = true;
  }

  /** Write the ledger, where it has changed. */
  async flush() {
    if (!this.#changed) return;
    this.#changed = false;
    try {
      const told = { ...(await this.#opened()).told(), notes: this.#notes };
      await (await this.#cache()).put(this.#book, new Response(JSON.stringify(told)));
    } catch {
      // The next one may have more luck; a ledger of yesterday is none the worse.
    }
  }

  /** @param {string[]} urls */
  async #dropAll(urls) {
    const ledger = await this.#opened();
    for (const url of urls) {
      ledger.drop(url);
      this.#changed = true;
      try {
        await (await this.#cache()).delete(url);
      } catch {
        // What is not in the ledger is never handed out.
      }
    }
  }

  /**
   * @param {string} url
   * @param {Response} response
   */
  async #stored(url, response) {
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

  #opened() {
    this.#ledger ??= this.#read();
    return this.#ledger;
  }

  async #read() {
    try {
      const { notes, ...told } = await (await (await this.#cache()).match(this.#book))?.json();
      this.#notes = notes ?? {};
      return new Ledger(told);
    } catch {
      await this.#caches.delete(this.#name).catch(() => {}); // what no ledger names would stay for ever
      return new Ledger();
    }
  }
}
