/** One version of the site: its entry file, its worker, and the titles and lists that answer before the worker is ready. */

import { readEntry } from "./entry.js";
import { CANCELLED, CLOSED, RanvierError, toRanvierError, UPDATED } from "./errors.js";
import { WorkerClient } from "./worker-client.js";
import { Lists } from "./instant/lists.js";
import { Titles } from "./instant/titles.js";
import { importModule } from "./modules.js";
import { savesData } from "./save-data.js";
import { fetchWorker } from "./start-worker.js";
import { download } from "./store/download.js";
import { TIMEOUT } from "./store/retry.js";

/** @import { UnlockedLayer } from "./layers/unlock.js" */
/** @import { Method, OpenOptions, SuggestOptions } from "./options.js" */
/** @import { Entry, Progress } from "./protocol.js" */

/** @typedef {Omit<OpenOptions, "start"> & {layer?: UnlockedLayer | null}} SiteVersionOptions  `layer`: searched in place of the public site */

const TRANSLATIONS = new URL("./instant/translations.js", import.meta.url).href;
const MIN_DOWNLINK = 4; // Mbit/s below which nothing is prefetched

/** Whether to save bytes: the reader's setting, or a slow connection. */
function isFrugal() {
  return savesData() || /** @type {any} */ (globalThis.navigator)?.connection?.downlink < MIN_DOWNLINK;
}

/** An older `api.js` may use this class: keep this module's name and the public interface stable. */
export class SiteVersion {
  #base;
  #entry;
  #options;
  /** @type {WorkerClient | null} */
  #client = null;
  #titles;
  #lists;
  #isShared;
  /** Number of callers that wait for the worker's script. */
  #pendingFetches = 0;
  #isClosed = false;

  /**
   * @param {URL} base
   * @param {Entry} entry
   * @param {SiteVersionOptions} options
   */
  constructor(base, entry, options) {
    this.#base = base;
    this.#entry = entry;
    this.#options = options;
    this.#isShared = !options.layer && (options.shared ?? true); // the keys stay in this page
    const fetcher = (/** @type {any} */ url, /** @type {RequestInit | undefined} */ init) => this.#fetchFile(url, init);
    this.#titles = new Titles(base.href, entry.titles, fetcher);
    this.#lists = new Lists(base.href, entry.lists, fetcher);
    // Before the first key is pressed. Failures are reported by queries.
    for (const files of [this.#titles, this.#lists]) files.root().catch(() => {});
  }

  /** @returns {Promise<void>} */
  ready() {
    return this.#withRetry((client) => client.ready);
  }

  /**
   * @param {Method} method
   * @param {Record<string, unknown>} request
   * @param {AbortSignal} [signal]
   */
  async call(method, request, signal) {
    const answer = await this.#withRetry((client) => client.call(method, request, signal));
    return this.#options.layer?.labelled(answer) ?? answer;
  }

  /**
   * @template T
   * @param {(client: WorkerClient) => Promise<T>} request
   */
  async #withRetry(request) {
    const client = this.#client && !this.#client.failure ? this.#client : await this.#startClient();
    try {
      return await request(client);
    } catch (error) {
      const isLost = error instanceof RanvierError && error.code === "worker";
      if (!isLost && client.isLoaded) throw error;
      if (isLost) this.#isShared = false; // use a dedicated worker, independent of the lost one
      if (isLost && client.hasStarted) return request(this.#liveClient());
      return request(await this.#startClient({ reload: true }));
    }
  }

  /**
   * Return the worker, when its script has arrived.
   *
   * @param {{reload?: boolean}} [options]
   */
  async #startClient({ reload = false } = {}) {
    this.#pendingFetches += 1;
    try {
      await fetchWorker(this.#timeout, reload);
    } finally {
      this.#pendingFetches -= 1;
    }
    return this.#liveClient();
  }

  /**
   * @param {string} query
   * @param {SuggestOptions} options
   */
  suggest(query, options) {
    return this.#search(this.#titles, query, options);
  }

  /**
   * @param {string} query
   * @param {SuggestOptions} options
   */
  instant(query, options) {
    return this.#search(this.#lists, query, options);
  }

  /**
   * Search files; on a site with translations, in the reader's language.
   *
   * @template {{url: string}} T
   * @param {{defaultLimit: number, search: (query: string, options: SuggestOptions & {rows?: number}) => Promise<T[]>}} files
   * @param {string} query
   * @param {SuggestOptions} options
   */
  #search(files, query, options) {
    const { translations } = this.#entry;
    const rows = translations && importModule(TRANSLATIONS).then((module) => module.inOneLanguage(files, query, translations, options));
    return this.#answerInstantly(rows ?? files.search(query, options), options);
  }

  folders() {
    return this.#answerInstantly(this.#titles.folders(this.#entry.folders), {});
  }

  /**
   * @template T
   * @param {Promise<T>} answer
   * @param {SuggestOptions} options
   */
  async #answerInstantly(answer, { signal }) {
    try {
      return await answer;
    } catch (error) {
      if (signal?.aborted) throw new RanvierError(CANCELLED);
      throw (await this.#isUpdated()) ? new RanvierError(UPDATED) : toRanvierError(error);
    }
  }

  /** Whether a file is missing because the site was updated. */
  async #isUpdated() {
    if (this.#options.layer) return this.#options.layer.isUpdated();
    try {
      const { titles, lists } = await readEntry(this.#base, this.#timeout);
      return titles !== this.#entry.titles || lists !== this.#entry.lists;
    } catch {
      return false;
    }
  }

  /**
   * One attempt: the instant answers' files have their own check, and repeat the request if it fails.
   *
   * @param {string} url
   * @param {RequestInit} [init]
   */
  async #fetchFile(url, init) {
    const name = url.slice(this.#base.href.length);
    const source = this.#options.layer ?? globalThis;
    const data = await download(name, (signal) => source.fetch(url, { ...init, signal }), { timeout: this.#timeout });
    return new Response(/** @type {BodyInit} */ (data));
  }

  get #timeout() {
    return this.#options.timeout ?? TIMEOUT;
  }

  /**
   * Download all files of the site's search, for offline use.
   *
   * @param {{onProgress?: (progress: Progress) => void, signal?: AbortSignal}} options
   */
  async preload({ onProgress, signal }) {
    this.#options.layer?.refuseStorage();
    const { downloadAll } = await this.#register();
    await downloadAll(this.#base, this.#entry, { onProgress, signal });
  }

  /** @returns {Promise<typeof import("./offline/register.js")>} */
  #register() {
    return importModule(new URL("./offline/register.js", import.meta.url).href, this.#timeout);
  }

  status() {
    const client = this.#client;
    const state = !client ? (this.#pendingFetches ? "starting" : "idle") : client.failure ? "failed" : client.isReady ? "ready" : "starting";
    const { locked = "", version } = this.#entry;
    const audience = this.#options.layer?.audience ?? "public";
    return { state, version, shared: client?.shared ?? false, locked, audience };
  }

  close() {
    this.#isClosed = true;
    this.#client?.close();
  }

  /**
   * Report fetched files to the service worker, which starts after the first of them, so that they are available offline.
   *
   * @param {string[]} names
   */
  async #reportUsed(names) {
    if (!this.#entry.offline || !globalThis.navigator?.serviceWorker) return;
    try {
      const { reportUsed } = await this.#register();
      await reportUsed(this.#base, this.#entry, names);
    } catch {
      // Answers do not depend on it.
    }
  }

  /** Return the worker; replace one that has failed. */
  #liveClient() {
    if (this.#isClosed) throw new RanvierError(CLOSED);
    if (!this.#client || this.#client.failure) {
      const { onProgress, frugal = isFrugal(), layer: openLayer } = this.#options;
      const [base, entry, shared, timeout] = [this.#base.href, this.#entry, this.#isShared, this.#timeout];
      const layer = openLayer?.layer;
      const onUsed = (/** @type {string[]} */ names) => void this.#reportUsed(names);
      this.#client = new WorkerClient({ base, entry, frugal, timeout, shared, layer, onProgress, onUsed });
    }
    return this.#client;
  }
}
