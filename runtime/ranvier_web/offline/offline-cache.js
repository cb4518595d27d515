/**
 * What is kept for use without a network, and how a request is answered from it. No events: `service-worker.js` has those.
 *
 * Everything that is kept belongs to one build, which an entry file names. As soon as the site answers with another entry file,
 * pages, pictures and search files of the former build are deleted, but for search files that the new build has too: what was
 * withdrawn is not readable any more. The files that every search needs are then fetched for the new build.
 */

import { savesData } from "../save-data.js";
import { buildOf, entryIn, TIMEOUT } from "./build.js";
import { comparesItself, cacheNames, essentials, isHashed } from "./file-names.js";
import { freshOr, isTrouble, Pages, CACHE_DELAY } from "./pages.js";
import { isPlain, isWhole, plain } from "./integrity.js";
import { BoundedCache } from "./bounded-cache.js";

/** @import { Entry } from "../protocol.js" */
/** @import { Build } from "./build.js" */
/** @import { Shell } from "./integrity.js" */

export const BOUND = 60e6; // bytes of search files; a site that was downloaded as a whole may take more

/**
 * @typedef {object} SiteVersion  what a page tells
 * @property {Entry} entry
 * @property {string[]} names   files below the base that it used
 * @property {string[]} [pages] addresses of the page itself, and of what it is shown with
 * @property {boolean} [engine] the engine was started
 * @property {boolean} [whole]  everything was downloaded
 * @property {number} [bound]   bytes of search files to keep at the most
 */

/**
 * @typedef {object} Notes
 * @property {Entry} [entry]    the build whose files and pages are kept
 * @property {boolean} [engine] somebody has searched here
 * @property {string} [whole]   the list of files that were all downloaded
 * @property {number} [bound]
 *
 * @typedef {{name: string, ok: boolean, bytes: number, why?: "fetch" | "quota"}} Arrived
 */

/** A file that could not be had, in the words of a server: the page's own code then says so. */
const DAMAGED = () => new Response(null, { status: 502, statusText: "The file is not what its name says" });

export class OfflineCache {
  #base;
  #files;
  /** Pages, and what they are shown with. */
  pages;
  #fetch;
  #timeout;
  /** @type {Promise<unknown>} */
  #background = Promise.resolve();
  /** Builds take each other's place one after the other. @type {Promise<unknown>} */
  #replacing = Promise.resolve();
  /** @type {Promise<Notes> | null} */
  #notes = null;
  /** Of the entry in the notes. @type {Promise<Build> | null} */
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
   * A file whose name changes with it: as it is kept, else from the network, after it was compared.
   *
   * @param {Request} request
   * @param {string} name
   * @returns {Promise<Response>}
   */
  async hashed(request, name) {
    const url = this.#base + name;
    if (name === (await this.#remembered()).entry?.manifest) this.#searched();
    // What is kept was compared; who asks for another copy gets one, as long as there is somebody to ask.
    const anew = request.cache === "reload" || request.cache === "no-store";
    const kept = await this.#files.get(url);
    if (kept && !anew) return kept;
    try {
      const response = await this.#fetch(request);
      if (!isPlain(response)) return kept ?? response;
      if (!kept && comparesItself(name)) {
        // Whoever asked compares it, and takes one that sends nothing for lost: it is handed on as it arrives.
        const copy = response.clone();
        this.#later(async () => void (await this.#checked(name, copy)));
        return response;
      }
      return (await this.#checked(name, response)).answer ?? kept ?? DAMAGED();
    } catch (error) {
      if (kept) return kept;
      throw error;
    }
  }

  /**
   * The entry file: today's, else the one whose files are kept.
   *
   * @param {Request} request
   * @returns {Promise<Response>}
   */
  async entry(request) {
    const today = this.#fetch(request);
    const copy = today.then((response) => response.clone());
    this.#later(() => this.#learn(copy));
    return freshOr(() => today, this.#timeout, async () => {
      const { entry } = await this.#remembered();
      return entry && new Response(JSON.stringify(entry), { headers: { "content-type": "application/json" } });
    });
  }

  /**
   * A page that a reader goes to. Which build the site has now is asked beside it: not every page reads the entry file.
   *
   * @param {Request} request
   * @param {Promise<Response | undefined>} [early]  an answer that the browser has asked for already
   * @returns {Promise<Response>}
   */
  page(request, early) {
    this.#later(() => this.#check());
    return this.pages.answer(request, early);
  }

  /**
   * Take note of what a page used, and keep it.
   *
   * @param {SiteVersion} visit
   * @returns {Promise<boolean>}  whether all of it is kept now
   */
  async visit(visit) {
    const notes = await this.#remembered();
    if (notes.entry?.build !== visit.entry.build) await this.#check().catch(() => {});
    const { entry } = notes;
    if (entry?.build !== visit.entry.build) return false; // a page of an older build that is still open
    const engine = visit.engine || notes.engine || false; // who has searched here goes on searching
    await this.#remember({ engine, ...(visit.bound ? { bound: visit.bound } : {}) });
    const { shell, names } = await this.#known();
    const wanted = new Set([entry.files, ...visit.names.filter((name) => names.has(name))]);
    for (const name of engine ? needed(entry, shell) : []) wanted.add(name);
    const [arrived, shown] = await Promise.all([this.fetchAll([...wanted]), this.pages.keep(visit.pages ?? [])]);
    const whole = arrived.every(({ ok }) => ok);
    if (whole && visit.whole) await this.#remember({ whole: entry.files });
    return whole && shown;
  }

  /**
   * Keep files: those that are not there yet are fetched, from the browser's own cache where it has them.
   *
   * @param {string[]} names
   * @param {{whole?: boolean}} [how]  `whole`: no bound, for they were all asked for
   * @returns {Promise<Arrived[]>}
   */
  async fetchAll(names, { whole = false } = {}) {
    return Promise.all(names.map((name) => this.#kept(name, whole)));
  }

  /** Finish what goes on in the background, and write down what changed. */
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
  async #kept(name, whole) {
    const url = this.#base + name;
    try {
      const there = await this.#files.get(url);
      if (there) return { name, ok: true, bytes: Number(there.headers.get("content-length")) };
      const response = await this.#fetch(url, { cache: "force-cache", credentials: "same-origin" });
      const { wanted, bytes, kept } = await this.#checked(name, response, whole);
      return kept ? { name, ok: true, bytes } : { name, ok: false, bytes: 0, why: wanted ? "quota" : "fetch" };
    } catch {
      return { name, ok: false, bytes: 0, why: "fetch" };
    }
  }

  /**
   * Compare a file, once more past the browser's cache where it is damaged, and keep it.
   *
   * @param {string} name
   * @param {Response} response
   * @param {boolean} [whole]
   * @returns {Promise<{answer: Response | null, bytes: number, wanted: boolean, kept: boolean}>}  no answer: it is damaged, or not
   *   there; `wanted`: it is of the build that is kept
   */
  async #checked(name, response, whole = false) {
    const { shell, names } = await this.#known();
    const again = () => this.#fetch(this.#base + name, { cache: "reload", credentials: "same-origin" });
    for (const ask of [async () => response, again]) {
      const from = await ask();
      if (!isPlain(from)) break;
      const data = await from.arrayBuffer();
      const sound = await isWhole(name, data, shell);
      if (sound === false) continue;
      const answer = plain(from, data);
      const wanted = sound === true && names.has(name);
      const kept = wanted ? await this.#keep(name, answer.clone(), data.byteLength, whole) : false;
      return { answer, bytes: data.byteLength, wanted, kept };
    }
    return { answer: null, bytes: 0, wanted: false, kept: false };
  }

  /**
   * @param {string} name
   * @param {Response} answer
   * @param {number} bytes
   * @param {boolean} whole
   */
  async #keep(name, answer, bytes, whole) {
    const notes = await this.#remembered();
    const boundless = whole || (notes.whole !== undefined && notes.whole === notes.entry?.files);
    const bound = { bytes: boundless ? Infinity : (notes.bound ?? BOUND) };
    const kept = await this.#files.put(this.#base + name, answer, bytes, bound, await this.#pinned(notes));
    if ((await this.#known()).names.has(name)) return kept;
    await this.#files.drop(this.#base + name); // another build has come while it was stored
    return false;
  }

  /**
   * What is never let go of for want of room.
   *
   * @param {Notes} notes
   */
  async #pinned({ entry, engine }) {
    if (!entry) return new Set();
    const { shell } = await this.#known();
    const look = Object.keys(shell).filter((name) => !name.startsWith("engine-"));
    const names = [entry.files, ...look, ...(engine ? needed(entry, shell) : [])];
    return new Set(names.map((name) => this.#base + name));
  }

  /** @returns {Promise<Build>} */
  #known() {
    this.#build ??= this.#remembered().then(({ entry }) => this.#read(entry ?? null));
    return this.#build;
  }

  /** @param {Entry | null} entry */
  #read(entry) {
    return buildOf(entry, this.#base, this.#files, this.#fetch);
  }

  /** Ask which build the site has now. */
  #check() {
    const signal = AbortSignal.timeout(TIMEOUT);
    return this.#learn(this.#fetch(`${this.#base}entry.json`, { cache: "no-cache", credentials: "same-origin", signal }));
  }

  /**
   * @param {Promise<Response>} answer  of the site, to a request for the entry file
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
   * Delete what is kept of any other build. The note of the new one comes last: where this is cut short, it is done again.
   *
   * @param {Entry | null} entry  of the build that the site has now; null: there is no search any more
   * @returns {Promise<boolean>}  whether there is another one, and its files are known
   */
  async #replace(entry) {
    const { entry: before } = await this.#remembered();
    if (before?.build === entry?.build) return false;
    const build = (this.#build = this.#read(entry)); // a file of the former build that is on its way is not kept
    await this.pages.clear();
    const { names } = await build;
    await this.#files.keepOnly((url) => names.has(url.slice(this.#base.length)));
    const known = names.size > 0;
    await this.#remember({ entry: known && entry ? entry : undefined });
    return known;
  }

  /**
   * @param {() => Promise<unknown>} act  whatever becomes of it: nobody waits
   */
  #later(act) {
    this.#background = Promise.allSettled([this.#background, act()]);
  }

  /** The first search of all: from now on what every search needs is kept, whichever way the engine started this time. */
  #searched() {
    this.#later(async () => {
      const notes = await this.#remembered();
      if (notes.engine || !notes.entry) return;
      await this.#remember({ engine: true });
      const { shell } = await this.#known();
      await this.fetchAll(needed(notes.entry, shell));
    });
  }

  #remembered() {
    this.#notes ??= this.#files.note("notes").then((notes) => /** @type {Notes} */ (notes ?? {}));
    return this.#notes;
  }

  /** @param {Notes} notes */
  async #remember(notes) {
    const all = Object.assign(await this.#remembered(), notes);
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
