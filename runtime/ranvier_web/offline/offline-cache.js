/**
 * Stores files for offline use, and answers requests from them. The events are in `service-worker.js`.
 *
 * All stored files belong to one build, which an entry file describes. When the site returns another entry file, the pages, images
 * and search files of the former build are deleted, except search files that the new build has too, so that withdrawn content is not
 * readable any more. Then the files that every search needs are fetched for the new build.
 */

import { savesData } from "../save-data.js";
import { readBuild, parseEntry, TIMEOUT } from "./build.js";
import { cacheNames, isEngineFile, requiredFiles } from "./file-names.js";
import { fetchOrCached, isServerError, Pages, CACHE_DELAY } from "./pages.js";
import { isComplete, isRewritable, isIntact, toStorable } from "./integrity.js";
import { BoundedCache } from "./bounded-cache.js";

/** @import { Entry } from "../protocol.js" */
/** @import { Build } from "./build.js" */
/** @import { Shell } from "./integrity.js" */

const MAX_BYTES = 60e6; // bytes of search files; a complete download may use more
const OPTIONAL_MODULE = /\/(?:languages|layers|sites)\//; // a page that needs one reports it

/**
 * @typedef {object} Visit  what a page reports
 * @property {Entry} entry
 * @property {string[]} names   files below the base that the page used
 * @property {string[]} [pages] addresses of the page and of its parts
 * @property {boolean} [whole]  everything was downloaded
 */

/**
 * @typedef {object} Metadata  of the cache of files
 * @property {Entry} [entry]    the build whose files and pages are stored
 * @property {string} [whole]   the file list of a complete download
 *
 * @typedef {{name: string, ok: boolean, reason?: "fetch" | "quota"}} FetchResult
 */

/** The response for a damaged file: a server error, which the page's code reports. */
const damagedResponse = () => new Response(null, { status: 502, statusText: "The file does not match its digest" });

export class OfflineCache {
  #base;
  #files;
  /** Pages and their parts. */
  pages;
  #fetch;
  #timeout;
  #maxBytes;
  /** @type {Promise<unknown>} */
  #background = Promise.resolve();
  /** Builds are replaced one after the other. @type {Promise<unknown>} */
  #replacing = Promise.resolve();
  /** The build of the entry in the metadata. @type {Promise<Build> | null} */
  #build = null;

  /**
   * @param {string} base
   * @param {{caches?: CacheStorage, fetcher?: typeof fetch, timeout?: number, maxBytes?: number}} [options]
   */
  constructor(base, { caches = self.caches, fetcher = (...request) => fetch(...request), timeout = CACHE_DELAY, maxBytes = MAX_BYTES } = {}) {
    const names = cacheNames(base);
    this.#base = base;
    this.#files = new BoundedCache(caches, names.files, base);
    this.pages = new Pages(new BoundedCache(caches, names.pages, base), fetcher, timeout);
    this.#fetch = fetcher;
    this.#timeout = timeout;
    this.#maxBytes = maxBytes;
  }

  /**
   * Return a file with a hashed name: the stored copy, otherwise from the network after an integrity check.
   *
   * @param {Request} request
   * @param {string} name
   */
  async hashed(request, name) {
    const url = this.#base + name;
    // The stored copy was compared. Requests for another copy go to the network, with this one as fallback.
    const isReload = request.cache === "reload" || request.cache === "no-store";
    const cached = await this.#files.get(url);
    if (cached && !isReload) return cached;
    try {
      const response = await this.#fetch(request);
      if (!isComplete(response)) return cached ?? response;
      if (!cached && isEngineFile(name)) {
        // The requester compares it, and has a timeout for data: so it is streamed, and checked here later.
        const copy = response.clone();
        this.#inBackground(async () => void (await this.#checkAndStore(name, copy)));
        return response;
      }
      return (await this.#checkAndStore(name, response)).answer ?? cached ?? damagedResponse();
    } catch (error) {
      if (cached) return cached;
      throw error;
    }
  }

  /**
   * Return the entry file: from the network, otherwise the one of the stored build.
   *
   * @param {Request} request
   */
  async entry(request) {
    const network = this.#fetch(request);
    const copy = network.then((response) => response.clone());
    this.#inBackground(() => this.#updateBuild(copy));
    return fetchOrCached(() => network, this.#timeout, async () => {
      const { entry } = await this.#metadata();
      return entry && new Response(JSON.stringify(entry), { headers: { "content-type": "application/json" } });
    });
  }

  /**
   * Return a page that the reader opens. The current build is checked in parallel, because not every page reads the entry file.
   *
   * @param {Request} request
   * @param {Promise<Response | undefined>} [preloaded]  a response that the browser has already requested
   */
  page(request, preloaded) {
    this.#inBackground(() => this.#check());
    return this.pages.answer(request, preloaded);
  }

  /**
   * Store the files that a page used.
   *
   * @param {Visit} visit
   * @returns {Promise<boolean>}  whether all of them are stored now
   */
  async visit(visit) {
    const metadata = await this.#metadata();
    if (metadata.entry?.build !== visit.entry.build) await this.#check().catch(() => {});
    const { entry } = metadata;
    if (entry?.build !== visit.entry.build) return false; // an open page of an older build
    const build = await this.#currentBuild();
    const files = new Set([entry.files, ...engineFiles(entry, build.shell), ...visit.names.filter((name) => build.has(name))]);
    const [results, hasPages] = await Promise.all([this.fetchAll([...files]), this.pages.store(visit.pages ?? [])]);
    const hasFiles = results.every(({ ok }) => ok);
    if (hasFiles && visit.whole) await this.#files.updateMetadata({ whole: entry.files });
    return hasFiles && hasPages;
  }

  /**
   * Store files. Missing files are fetched, from the browser's own cache if possible.
   *
   * @param {string[]} names
   * @param {{whole?: boolean}} [options]  `whole`: no bound, for a complete download
   */
  async fetchAll(names, { whole = false } = {}) {
    return Promise.all(names.map((name) => this.#storeFile(name, whole)));
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
   * @returns {Promise<FetchResult>}
   */
  async #storeFile(name, whole) {
    const url = this.#base + name;
    try {
      if (await this.#files.get(url)) return { name, ok: true };
      const response = await this.#fetch(url, { cache: "force-cache", credentials: "same-origin" });
      const { isInBuild, isStored } = await this.#checkAndStore(name, response, whole);
      return isStored ? { name, ok: true } : { name, ok: false, reason: isInBuild ? "quota" : "fetch" };
    } catch {
      return { name, ok: false, reason: "fetch" };
    }
  }

  /**
   * Compare a file and store it. If it is damaged, or is an error, fetch it once more without the browser's cache, which may contain
   * the error of an earlier request.
   *
   * @param {string} name
   * @param {Response} response
   * @param {boolean} [whole]
   * @returns {Promise<{answer: Response | null, isInBuild: boolean, isStored: boolean}>}  `answer`: null if damaged or
   *   missing, but not for a script or a style sheet that only differs; `isInBuild`: it belongs to the stored build
   */
  async #checkAndStore(name, response, whole = false) {
    const build = await this.#currentBuild();
    const refetch = () => this.#fetch(this.#base + name, { cache: "reload", credentials: "same-origin" });
    /** @type {Response | null} */
    let rewritten = null;
    for (const getCopy of [async () => response, refetch]) {
      const copy = await getCopy();
      if (copy.status === 429) break; // the host limits the number of requests
      if (!isComplete(copy)) continue;
      const data = await copy.arrayBuffer();
      const matchesDigest = await isIntact(name, data, build.shell);
      const answer = toStorable(copy, data);
      if (matchesDigest === false) {
        if (isRewritable(name)) rewritten = answer;
        continue;
      }
      const isInBuild = matchesDigest === true && build.has(name);
      const isStored = isInBuild ? await this.#store(name, answer.clone(), data.byteLength, whole) : false;
      return { answer, isInBuild, isStored };
    }
    return { answer: rewritten, isInBuild: false, isStored: false };
  }

  /**
   * @param {string} name
   * @param {Response} answer
   * @param {number} bytes
   * @param {boolean} whole
   */
  async #store(name, answer, bytes, whole) {
    const metadata = await this.#metadata();
    const isUnlimited = whole || (metadata.whole !== undefined && metadata.whole === metadata.entry?.files);
    const bound = { bytes: isUnlimited ? Infinity : this.#maxBytes };
    const isStored = await this.#files.put(this.#base + name, answer, bytes, bound, await this.#pinnedUrls(metadata));
    if ((await this.#currentBuild()).has(name)) return isStored;
    await this.#files.drop(this.#base + name); // the build has changed meanwhile
    return false;
  }

  /**
   * Return the files that are never deleted to free space.
   *
   * @param {Metadata} metadata
   */
  async #pinnedUrls({ entry }) {
    if (!entry) return new Set();
    const { shell } = await this.#currentBuild();
    const styles = Object.keys(shell).filter((name) => !name.startsWith("engine-"));
    const names = [entry.files, ...styles, ...engineFiles(entry, shell)];
    return new Set(names.map((name) => this.#base + name));
  }

  #currentBuild() {
    this.#build ??= this.#metadata().then(({ entry }) => this.#readBuild(entry ?? null));
    return this.#build;
  }

  /** @param {Entry | null} entry */
  #readBuild(entry) {
    return readBuild(entry, this.#base, this.#files, this.#fetch);
  }

  /** Check the current build of the site. */
  #check() {
    const signal = AbortSignal.timeout(TIMEOUT);
    return this.#updateBuild(this.#fetch(`${this.#base}entry.json`, { cache: "no-cache", credentials: "same-origin", signal }));
  }

  /**
   * @param {Promise<Response>} answer  the site's response to a request for the entry file
   */
  async #updateBuild(answer) {
    const response = await answer;
    if (isServerError(response)) return;
    const entry = isComplete(response) ? parseEntry(await response.text()) : null;
    const replacement = this.#replacing.then(() => this.#replace(entry));
    this.#replacing = replacement.catch(() => {});
    if ((await replacement) && entry && !savesData()) await this.visit({ entry, names: [] });
  }

  /**
   * Delete the files of other builds. The new build is recorded last: if this is interrupted, it is repeated.
   *
   * @param {Entry | null} entry  of the site's current build; null: the site has no search any more
   * @returns {Promise<boolean>}  whether there is a new build, and its files are known
   */
  async #replace(entry) {
    const { entry: previous } = await this.#metadata();
    if (previous?.build === entry?.build) return false;
    const build = (this.#build = this.#readBuild(entry)); // files of the former build that arrive later are not stored
    await this.pages.clear();
    const { has, isKnown } = await build;
    await this.#files.retain((url) => has(url.slice(this.#base.length)));
    await this.#files.updateMetadata({ entry: isKnown && entry ? entry : undefined });
    return isKnown;
  }

  /**
   * @param {() => Promise<unknown>} task  runs in the background; failures are ignored
   */
  #inBackground(task) {
    this.#background = Promise.allSettled([this.#background, task()]);
  }

  /** @returns {Promise<Metadata>} */
  #metadata() {
    return this.#files.getMetadata();
  }
}

/**
 * @param {Entry} entry
 * @param {Shell} shell
 */
function engineFiles(entry, shell) {
  const modules = entry.api.slice(0, entry.api.indexOf("/") + 1);
  const names = Object.keys(shell).filter((name) => name.startsWith(modules) && !OPTIONAL_MODULE.test(name));
  return [...requiredFiles(entry), ...names];
}
