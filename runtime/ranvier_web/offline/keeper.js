/**
 * What is kept for use without a network, and how a request is answered from it. No events: `service-worker.js` has those.
 *
 * All names come from one entry file. It is kept, and takes the place of an older one, only when all that a visit used is kept
 * with it; so without a network there is always one whole version, of the last visit that got so far.
 */

import { comparesItself, cacheNames, essentials, isHashed } from "./names.js";
import { freshOr, Pages, PATIENCE } from "./pages.js";
import { isPlain, isWhole, plain } from "./seals.js";
import { Shelf } from "./shelf.js";

/** @import { Entry } from "../protocol.js" */
/** @import { FileList, Shell } from "./seals.js" */

export const BOUND = 60e6; // bytes of search files; a site that was downloaded as a whole may take more

/**
 * @typedef {object} Visit  what a page tells
 * @property {Entry} entry
 * @property {string[]} names   files below the base that it used
 * @property {string[]} [pages] addresses of the page itself, and of what it is shown with
 * @property {boolean} [engine] the engine was started
 * @property {boolean} [whole]  everything was downloaded
 * @property {number} [bound]   bytes of search files to keep at the most
 */

/**
 * @typedef {object} Notes
 * @property {Entry} [entry]    whose files are kept
 * @property {boolean} [engine] somebody has searched here
 * @property {string} [whole]   the list of files that were all downloaded
 * @property {number} [bound]
 *
 * @typedef {{name: string, ok: boolean, bytes: number, why?: "fetch" | "quota"}} Arrived
 */

/**
 * What is known of the files of one build. Before a page told of one, `names` is `null`, and a name with its digest in it will do.
 *
 * @typedef {{shell: Shell, names: Set<string> | null}} Build
 */

/** A file that could not be had, in the words of a server: the page's own code then says so. */
const DAMAGED = () => new Response(null, { status: 502, statusText: "The file is not what its name says" });

export class Keeper {
  #base;
  #files;
  /** Pages, and what they are shown with. */
  pages;
  #fetch;
  #patience;
  #background = Promise.resolve();
  /** @type {Promise<Notes> | null} */
  #notes = null;
  /** Of the newest entry that a page told of: it may not be kept yet. @type {Promise<Build> | null} */
  #build = null;

  /**
   * @param {string} base
   * @param {{caches?: CacheStorage, fetcher?: typeof fetch, patience?: number}} [world]
   */
  constructor(base, { caches = self.caches, fetcher = (...request) => fetch(...request), patience = PATIENCE } = {}) {
    const names = cacheNames(base);
    this.#base = base;
    this.#files = new Shelf(caches, names.files, base);
    this.pages = new Pages(new Shelf(caches, names.pages, base), fetcher, patience);
    this.#fetch = fetcher;
    this.#patience = patience;
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
    const response = await freshOr(() => this.#fetch(request), this.#patience, async () => {
      const { entry } = await this.#remembered();
      return entry && new Response(JSON.stringify(entry), { headers: { "content-type": "application/json" } });
    });
    if (isPlain(response)) this.#seen(response.clone());
    return response;
  }

  /**
   * Take note of what a page used, and keep it.
   *
   * @param {Visit} visit
   * @returns {Promise<boolean>}  whether all of it is kept now
   */
  async visit(visit) {
    const notes = await this.#remembered();
    if (visit.bound) notes.bound = visit.bound;
    const isNew = notes.entry?.files !== visit.entry.files;
    if (isNew && !(await this.#isCurrent(visit.entry))) return false; // a page of an older version that is still open
    const { shell, names: known } = await (this.#build = this.#read(visit.entry));
    const engine = visit.engine || notes.engine || false; // who has searched here goes on searching
    const names = new Set(visit.names.filter(isHashed));
    for (const name of engine ? needed(visit.entry, shell) : []) names.add(name);
    const arrived = await this.fetchAll([...names]);
    if (arrived.some(({ ok }) => !ok)) return false;
    if (isNew) await this.#turnOver(visit.entry, known);
    const whole = visit.whole ? visit.entry.files : notes.whole;
    await this.#remember({ entry: visit.entry, engine, ...(whole ? { whole } : {}) });
    return this.pages.keep(visit.pages ?? []);
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
    const { shell, names } = await this.#met();
    const again = () => this.#fetch(this.#base + name, { cache: "reload", credentials: "same-origin" });
    for (const ask of [async () => response, again]) {
      const from = await ask();
      if (!isPlain(from)) break;
      const data = await from.arrayBuffer();
      const sound = await isWhole(name, data, shell);
      if (sound === false) continue;
      const answer = plain(from, data);
      const wanted = sound === true && (names?.has(name) ?? true);
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
    return this.#files.put(this.#base + name, answer, bytes, bound, await this.#pinned(notes));
  }

  /**
   * What is never let go of for want of room.
   *
   * @param {Notes} notes
   */
  async #pinned({ entry, engine }) {
    if (!entry) return new Set();
    const { shell } = await this.#met();
    const look = Object.keys(shell).filter((name) => !name.startsWith("engine-"));
    const names = [entry.files, ...look, ...(engine ? needed(entry, shell) : [])];
    return new Set(names.map((name) => this.#base + name));
  }

  /** What is known of the newest build; after a pause of the worker's, of the one that is kept. */
  #met() {
    this.#build ??= this.#remembered().then(({ entry }) => (entry ? this.#read(entry) : { shell: {}, names: null }));
    return this.#build;
  }

  /**
   * Learn what a build's files are: those whose names hold no digest can be compared from then on.
   *
   * @param {Entry} entry
   * @returns {Promise<Build>}
   */
  async #read(entry) {
    const engine = Object.fromEntries(Object.entries(entry.engineFiles).map(([name, seal]) => [entry.engine + name, seal]));
    const list = await this.#list(entry.files);
    if (!list) return { shell: engine, names: null };
    const names = new Set([entry.files, ...Object.keys(list.shell), ...Object.keys(list.data)]);
    return { shell: { ...list.shell, ...engine }, names };
  }

  /**
   * @param {string} name
   * @returns {Promise<FileList | null>}
   */
  async #list(name) {
    const url = this.#base + name;
    try {
      const kept = await this.#files.get(url);
      if (kept) return await kept.json();
      const response = await this.#fetch(url, { cache: "force-cache", credentials: "same-origin" });
      const data = isPlain(response) ? await response.arrayBuffer() : null;
      if (!data || !(await isWhole(name, data, {}))) return null;
      await this.#files.put(url, plain(response, data), data.byteLength, {});
      return JSON.parse(new TextDecoder().decode(data));
    } catch {
      return null;
    }
  }

  /**
   * @param {Entry} entry
   * @returns {Promise<boolean>}  whether it is the one that the site has now
   */
  async #isCurrent(entry) {
    try {
      const response = await this.#fetch(`${this.#base}entry.json`, { cache: "no-cache", credentials: "same-origin" });
      return isPlain(response) && (await response.json()).files === entry.files;
    } catch {
      return false;
    }
  }

  /**
   * Another version of the site takes the place of the one that is kept: nothing of the old one is handed out any more.
   *
   * @param {Entry} entry
   * @param {Set<string> | null} known
   */
  async #turnOver(entry, known) {
    const { entry: before } = await this.#remembered();
    if (known) await this.#files.keepOnly((url) => known.has(url.slice(this.#base.length)));
    // Pages name the modules and the look that they were built with.
    if (before && before.api !== entry.api) await this.pages.clear();
  }

  /**
   * An entry file passes by: where it is another one than the one that is kept, its files are fetched to take its place.
   *
   * @param {Response} response
   */
  #seen(response) {
    this.#later(async () => {
      const { entry } = await this.#remembered();
      const now = await response.json();
      const { saveData = false } = /** @type {any} */ (globalThis.navigator)?.connection ?? {};
      if (entry && now.files && !saveData && entry.files !== now.files) await this.visit({ entry: now, names: [] });
    });
  }

  /**
   * @param {() => Promise<void>} act  whatever becomes of it: nobody waits
   */
  #later(act) {
    this.#background = this.#background.then(act).catch(() => {});
  }

  /** The first search of all: from now on what every search needs is kept, whichever way the engine started this time. */
  #searched() {
    this.#later(async () => {
      const notes = await this.#remembered();
      if (notes.engine || !notes.entry) return;
      await this.#remember({ engine: true });
      const { shell } = await this.#met();
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
