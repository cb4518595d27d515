/** A visit: one entry file, the worker that it names and the titles that answer before it. */

import { RanvierError } from "./errors.js";
import { Host } from "./host.js";
import { PATIENCE } from "./store/chunk-source.js";

/** @import { Question, SuggestOptions } from "./options.js" */
/** @import { Entry, Progress, Suggestion } from "./protocol.js" */
/** @import { Titles } from "./instant/titles.js" */

/**
 * @typedef {object} VisitOptions
 * @property {(progress: Progress) => void} [onProgress]
 * @property {boolean} [frugal]    fewer bytes before less time; left out, the connection decides
 * @property {number} [patience]   ms in which a file may send nothing before it is given up; 20,000
 * @property {boolean} [shared]    one worker for all pages of the site, where the browser has that; true
 */

const SLOW = 4; // Mbit/s below which the snapshot's additional bytes cost more time than they save

/** Whether bytes are dear here: the reader says so, or the line is slow. */
export function isFrugal() {
  const { connection } = /** @type {any} */ (globalThis.navigator ?? {});
  if (connection?.saveData || (connection?.downlink ?? SLOW) < SLOW) return true;
  return globalThis.matchMedia?.("(prefers-reduced-data: reduce)").matches ?? false;
}

/** An older `api.js` may drive it: this module's name, and what is public here, stay as they are. */
export class Visit {
  /** @type {URL} */
  #base;
  /** @type {Entry} */
  #entry;
  /** @type {VisitOptions} */
  #options;
  /** @type {Host | null} */
  #host = null;
  /** @type {Promise<Titles> | null} */
  #titles = null;
  #shared;

  /**
   * @param {URL} base
   * @param {Entry} entry
   * @param {VisitOptions} options
   */
  constructor(base, entry, options) {
    this.#base = base;
    this.#entry = entry;
    this.#options = options;
    this.#shared = options.shared ?? true;
    if (entry.titles) void this.#prepare();
  }

  /** @returns {Promise<void>} */
  ready() {
    return this.#living().ready;
  }

  /**
   * @param {Question} what
   * @param {Record<string, unknown>} request
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  async ask(what, request, signal) {
    try {
      return await this.#living().ask(what, request, signal);
    } catch (error) {
      if (!(error instanceof RanvierError && error.code === "gone")) throw error;
      this.#shared = false; // whatever became of it, a page's own worker is not shared with it
      return this.#living().ask(what, request, signal);
    }
  }

  /**
   * @param {string} query
   * @param {SuggestOptions} options
   * @returns {Promise<Suggestion[]>}
   */
  async suggest(query, options) {
    return this.#entry.titles ? (await this.#opened()).suggest(query, options) : [];
  }

  /** Have the names before the first key is pressed. Whatever fails is told to who asks for them. */
  async #prepare() {
    try {
      await (await this.#opened()).prepare();
    } catch {}
  }

  /** The titles' module; where it could not be had, it is asked for again the next time. @returns {Promise<Titles>} */
  #opened() {
    const { titles } = this.#entry;
    this.#titles ??= import("./instant/titles.js").then(({ Titles }) => new Titles(this.#base.href, titles ?? ""));
    const opening = this.#titles;
    opening.catch(() => (this.#titles = null));
    return opening;
  }

  /**
   * Take all files of the site's search, for use without a network.
   *
   * @param {{onProgress?: (progress: Progress) => void, signal?: AbortSignal}} options
   * @returns {Promise<void>}
   */
  async preload({ onProgress, signal }) {
    const { downloadAll } = await import("./offline/register.js");
    const tell = (/** @type {{loaded: number, total: number}} */ { loaded, total }) =>
      onProgress?.({ stage: "files", loaded, total });
    await downloadAll(this.#base, this.#entry, null, { onProgress: tell, signal });
  }

  status() {
    const host = this.#host;
    const state = !host ? "idle" : host.dead ? "failed" : host.way ? "ready" : "starting";
    return { state, version: this.#entry.version, shared: host?.shared ?? false, way: host?.way ?? null };
  }

  close() {
    this.#host?.close();
  }

  /**
   * The service worker comes after the first files were fetched: it is told of them, for the visit without a network.
   *
   * @param {string[]} names
   */
  async #keep(names) {
    if (!this.#entry.offline || !globalThis.navigator?.serviceWorker) return;
    try {
      const { used } = await import("./offline/register.js");
      await used(this.#base, this.#entry, names, { engine: true });
    } catch {
      // An answer does not depend on it.
    }
  }

  /** The worker; one that has died is followed by another. */
  #living() {
    if (!this.#host || this.#host.dead) {
      const { onProgress, patience = PATIENCE, frugal = isFrugal() } = this.#options;
      const [base, entry, shared] = [this.#base, this.#entry, this.#shared];
      const onUsed = (/** @type {string[]} */ names) => void this.#keep(names);
      this.#host = new Host({ base, entry, frugal, patience, shared, onProgress, onUsed });
    }
    return this.#host;
  }
}
