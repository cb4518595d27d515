/**
 * Stores files for offline use, and answers requests from them. The events are in `service-worker.js`.
 *
 * All stored files belong to one build, which an entry file describes. When the site returns another entry file, the pages, images
 * and search files of the former build are deleted, except search files that the new build has too, so that withdrawn content is not
 * readable any more. Then the files that every search needs are fetched for the new build.
 */

import { savesData } from "../save-data.js";
import { buildOf, entryIn, TIMEOUT } from "./build.js";
import { comparesItself, cacheNames, essentials, isHashed } from "./file-names.js";
import { freshOr, isTrouble, Pages, CACHE_DELAY } from "./pages.js";
import { isPlain, isRewritable, isWhole, plain } from "./integrity.js";
import { BoundedCache } from "./bounded-cache.js";

/** @import { Entry } from "../protocol.js" */
/** @import { Build } from "./build.js" */
/** @import { Shell } from "./integrity.js" */

export const BOUND = 60e6; // bytes of search files; a complete download may use more

/**
 * @typedef {object} SiteVersion  what a page reports
 * @property {Entry} entry
 * @property {string[]} names   files below the base that the page used
 * @property {string[]} [pages] addresses of the page and of its parts
 * @property {boolean} [engine] the engine was started
 * @property {boolean} [whole]  everything was downloaded
 * @property {number} [bound]   maximum bytes of search files
 */

/**
 * @typedef {object} Notes
 * @property {Entry} [entry]    the build whose files and pages are stored
 * @property {boolean} [engine] there was a search
 * @property {string} [whole]   the file list of a complete download
 * @property {number} [bound]
 *
 * @typedef {{name: string, ok: boolean, bytes: number, why?: "fetch" | "quota"}} Arrived
 */

/** The response for a damaged file: a server error, which the page's code reports. */
const DAMAGED = () => new Response(null, { status: 502, statusText: "The file does not match its digest" });

export class OfflineCache {
  #base;
  #files;
  /** Pages and their parts. */
  pages;
  #fetch;
  #timeout;
  /** @type {Promise<unknown>} */
  #background = Promise.resolve();
  /** Builds are replaced one after the other. @type {Promise<unknown>} */
  #replacing = Promise.resolve();
  /** @type {Promise<Notes> | null} */
  #notes = null;
  /** The build of the entry in the notes. @type {Promise<Build> | null} */
  #build = null;

  /**
   * @param {string} base
   * @param {{caches?: CacheStorage, fetcher?: typeof fetch, timeout?: number}} [world]
   */
  constructor(base, { caches = self.caches, fetcher = (...request) => fetch(...request), timeout = CACHE_DELAY } = {}) {
    const names = cacheNames(base);
    this.#base = base;
    this.#files = new BoundedCache(caches, names.files, base);
    this.pages = new Pages(new BoundedCache(caches, names.pages, base), fetcher, timeout);
    this.#fetch = fetcher;
    this.#timeout = timeout;
  }

  /**
   * Return a file with a hashed name: the stored copy, otherwise from the network after an integrity check.
   *
   * @param {Request} request
   * @param {string} name
   * @returns {Promise<Response>}
   */
  async hashed(request, name) {
    const url = this.#base + name;
    if (name === (await this.#currentNotes()).entry?.manifest) this.#searched();
    // The stored copy was compared. Requests for another copy go to the network, with this one as fallback.
    const anew = request.cache === "reload" || request.cache === "no-store";
    const cached = await this.#files.get(url);
    if (cached && !anew) return cached;
    try {
      const response = await this.#fetch(request);
      if (!isPlain(response)) return cached ?? response;
      if (!cached && comparesItself(name)) {
        // The requester compares it, and has a timeout for data: so it is streamed, and checked here later.
        const copy = response.clone();
        this.#inBackground(async () => void (await this.#checked(name, copy)));
        return response;
      }
      return (await this.#checked(name, response)).answer ?? cached ?? DAMAGED();
    } catch (error) {
      if (cached) return cached;
      throw error;
    }
  }

  /**
   * Return the entry file: from the network, otherwise the one of the stored build.
   *
   * @param {Request} request
   * @returns {Promise<Response>}
   */
  async entry(request) {
    const today = this.#fetch(request);
    const copy = today.then((response) => response.clone());
    this.#inBackground(() => this.#learn(copy));
    return freshOr(() => today, this.#timeout, async () => {
      const { entry } = await this.#currentNotes();
      return entry && new Response(JSON.stringify(entry), { headers: { "content-type": "application/json" } });
    });
  }

  /**
   * Return a page that the reader opens. The current build is checked in parallel, because not every page reads the entry file.
   *
   * @param {Request} request
   * @param {Promise<Response | undefined>} [early]  a response that the browser has already requested
   * @returns {Promise<Response>}
   */
  page(request, early) {
    this.#inBackground(() => this.#check());
    return this.pages.answer(request, early);
  }

  /**
   * Store the files that a page used.
   *
   * @param {SiteVersion} visit
   * @returns {Promise<boolean>}  whether all of them are stored now
   */
  async visit(visit) {
    const notes = await this.#currentNotes();
    if (notes.entry?.build !== visit.entry.build) await this.#check().catch(() => {});
    const { entry } = notes;
    if (entry?.build !== visit.entry.build) return false; // an open page of an older build
    const engine = visit.engine || notes.engine || false; // after one search, keep the engine's files
    await this.#remember({ engine, ...(visit.bound ? { bound: visit.bound } : {}) });
    const { shell, names } = await this.#details();
    const files = new Set([entry.files, ...visit.names.filter((name) => names.has(name))]);
    for (const name of engine ? needed(entry, shell) : []) files.add(name);
    const [arrived, hasPages] = await Promise.all([this.fetchAll([...files]), this.pages.keep(visit.pages ?? [])]);
    const whole = arrived.every(({ ok }) => ok);
    if (whole && visit.whole) await this.#remember({ whole: entry.files });
    return whole && hasPages;
  }

  /**
   * Store files. Missing files are fetched, from the browser's own cache if possible.
   *
   * @param {string[]} names
   * @param {{whole?: boolean}} [how]  `whole`: no bound, for a complete download
   * @returns {Promise<Arrived[]>}
   */
  async fetchAll(names, { whole = false } = {}) {
    return Promise.all(names.map((name) => this.#stored(name, whole)));
  }

  /** Finish the background work, and write the changes. */
  async flush() {
    await this.#background;
    await this.#files.flush();
    await this.pages.flush();
  }

  /**
   * @param {string} name
   * @param {boolean} whole
   * @returns {Promise<Arrived>}
   */
  async #stored(name, whole) {
    const url = this.#base + name;
    try {
      const cached = await this.#files.get(url);
      if (cached) return { name, ok: true, bytes: Number(cached.headers.get("content-length")) };
      const response = await this.#fetch(url, { cache: "force-cache", credentials: "same-origin" });
      const { isOurs, bytes, isStored } = await this.#checked(name, response, whole);
      return isStored ? { name, ok: true, bytes } : { name, ok: false, bytes: 0, why: isOurs ? "quota" : "fetch" };
    } catch {
      return { name, ok: false, bytes: 0, why: "fetch" };
    }
  }

  /**
   * Compare a file and store it. If it is damaged, or is an error, fetch it once more without the browser's cache, which may contain
   * the error of an earlier request.
   *
   * @param {string} name
   * @param {Response} response
   * @param {boolean} [whole]
   * @returns {Promise<{answer: Response | null, bytes: number, isOurs: boolean, isStored: boolean}>}  `answer`: null if damaged or
   *   missing, but not for a script or a style sheet that only differs; `isOurs`: it belongs to the stored build
   */
  async #checked(name, response, whole = false) {
    const { shell, names } = await this.#details();
    const again = () => this.#fetch(this.#base + name, { cache: "reload", credentials: "same-origin" });
    /** @type {Response | null} */
    let rewritten = null;
    for (const ask of [async () => response, again]) {
      const from = await ask();
      if (from.status === 429) break; // the host wants fewer requests
      if (!isPlain(from)) continue;
      const data = await from.arrayBuffer();
      const isIntact = await isWhole(name, data, shell);
      const answer = plain(from, data);
      if (isIntact === false) {
        if (isRewritable(name)) rewritten = answer;
        continue;
      }
      const isOurs = isIntact === true && names.has(name);
      const isStored = isOurs ? await this.#store(name, answer.clone(), data.byteLength, whole) : false;
      return { answer, bytes: data.byteLength, isOurs, isStored };
    }
    return { answer: rewritten, bytes: 0, isOurs: false, isStored: false };
  }

  /**
   * @param {string} name
   * @param {Response} answer
   * @param {number} bytes
   * @param {boolean} whole
   */
  async #store(name, answer, bytes, whole) {
    const notes = await this.#currentNotes();
    const boundless = whole || (notes.whole !== undefined && notes.whole === notes.entry?.files);
    const bound = { bytes: boundless ? Infinity : (notes.bound ?? BOUND) };
    const isStored = await this.#files.put(this.#base + name, answer, bytes, bound, await this.#pinned(notes));
    if ((await this.#details()).names.has(name)) return isStored;
    await this.#files.drop(this.#base + name); // the build has changed meanwhile
    return false;
  }

  /**
   * Return the files that are never deleted to free space.
   *
   * @param {Notes} notes
   */
  async #pinned({ entry, engine }) {
    if (!entry) return new Set();
    const { shell } = await this.#details();
    const look = Object.keys(shell).filter((name) => !name.startsWith("engine-"));
    const names = [entry.files, ...look, ...(engine ? needed(entry, shell) : [])];
    return new Set(names.map((name) => this.#base + name));
  }

  /** @returns {Promise<Build>} */
  #details() {
    this.#build ??= this.#currentNotes().then(({ entry }) => this.#read(entry ?? null));
    return this.#build;
  }

  /** @param {Entry | null} entry */
  #read(entry) {
    return buildOf(entry, this.#base, this.#files, this.#fetch);
  }

  /** Check the current build of the site. */
  #check() {
    const signal = AbortSignal.timeout(TIMEOUT);
    return this.#learn(this.#fetch(`${this.#base}entry.json`, { cache: "no-cache", credentials: "same-origin", signal }));
  }

  /**
   * @param {Promise<Response>} answer  the site's response to a request for the entry file
   */
  async #learn(answer) {
    const response = await answer;
    if (isTrouble(response)) return;
    const entry = isPlain(response) ? entryIn(await response.text()) : null;
    const replaced = this.#replacing.then(() => this.#replace(entry));
    this.#replacing = replaced.catch(() => {});
    if ((await replaced) && entry && !savesData()) await this.visit({ entry, names: [] });
  }

  /**
   * Delete the files of other builds. The new build is recorded last: if this is interrupted, it is repeated.
   *
   * @param {Entry | null} entry  of the site's current build; null: the site has no search any more
   * @returns {Promise<boolean>}  whether there is a new build, and its files are known
   */
  async #replace(entry) {
    const { entry: before } = await this.#currentNotes();
    if (before?.build === entry?.build) return false;
    const build = (this.#build = this.#read(entry)); // files of the former build that arrive later are not stored
    await this.pages.clear();
    const { names } = await build;
    await this.#files.keepOnly((url) => names.has(url.slice(this.#base.length)));
    const isKnown = names.size > 0;
    await this.#remember({ entry: isKnown && entry ? entry : undefined });
    return isKnown;
  }

  /**
   * @param {() => Promise<unknown>} act  runs in the background; failures are ignored
   */
  #inBackground(act) {
    this.#background = Promise.allSettled([this.#background, act()]);
  }

  /** On the first search, store the files that every search needs, for both ways to start the engine. */
  #searched() {
    this.#inBackground(async () => {
      const notes = await this.#currentNotes();
      if (notes.engine || !notes.entry) return;
      await this.#remember({ engine: true });
      const { shell } = await this.#details();
      await this.fetchAll(needed(notes.entry, shell));
    });
  }

  #currentNotes() {
    this.#notes ??= this.#files.note("notes").then((notes) => /** @type {Notes} */ (notes ?? {}));
    return this.#notes;
  }

  /** @param {Notes} notes */
  async #remember(notes) {
    const all = Object.assign(await this.#currentNotes(), notes);
    await this.#files.take({ notes: all });
  }
}

/**
 * @param {Entry} entry
 * @param {Shell} shell
 */
function needed(entry, shell) {
  const modules = entry.api.slice(0, entry.api.indexOf("/") + 1);
  return [...essentials(entry), ...Object.keys(shell).filter((name) => name.startsWith(modules))];
}
