/**
 * Ranvier in a page: the whole public API.
 *
 *     import { open } from "/_ranvier/web-<hash>/api.js";   // `api` in /_ranvier/entry.json names it
 *     const engine = open("/_ranvier/");
 *     const { hits } = await engine.search("how to install", { limit: 8 });
 *
 * Every failure is a `RanvierError` with a `code`; a request can always be repeated. The answers always come from the version that
 * the site's entry file names, even if this copy of the module belongs to an older page or to a bundle.
 */

import { readEntry } from "./entry.js";
import { RanvierError } from "./errors.js";
import { ABORTED, CLOSED } from "./worker-client.js";
import { importModule } from "./modules.js";
import { inScript, request } from "./options.js";
import { fetchWorker } from "./start-worker.js";
import { SiteVersion } from "./site-version.js";

export { RanvierError } from "./errors.js";

/** @import { UnlockedLayer } from "./layers/unlock.js" */
/** @import { Engine, OpenOptions, Question, SitesEngine, SiteToOpen } from "./options.js" */
/** @import { Entry } from "./protocol.js" */

const LAYERS = new URL("./layers/unlock.js", import.meta.url).href;
const SITES = new URL("./sites/sites.js", import.meta.url).href;
/** The methods of several sites that wait for their module. */
const METHODS = "search retrieve backlinks suggest instant folders preload".split(" ");

/**
 * Open a site's search. The engine (Python in a worker) starts immediately, or with the first request if `start` is "asked".
 * Requests are accepted before it is ready.
 *
 * A list of sites is opened as one; one of them must have the origin of the page.
 *
 * @template {string | URL | readonly (string | URL | SiteToOpen)[]} T
 * @param {T} base  the address of the site's `_ranvier/` folder, or several; in a string of a list `=0.8` at the end is a weight
 * @param {OpenOptions} [options]
 * @returns {T extends readonly unknown[] ? SitesEngine : Engine}
 */
export function open(base, options) {
  /** @type {any} */
  const engine = Array.isArray(base) ? openSites(base, options) : openOne(/** @type {string | URL} */ (base), options);
  return engine;
}

/**
 * @param {string | URL} base
 * @param {OpenOptions & Adapting} [options]
 * @returns {Engine}
 */
function openOne(base, { start = "now", ...options } = {}) {
  const address = new URL(base, globalThis.location?.href);
  if (!address.pathname.endsWith("/")) address.pathname += "/";
  const visits = new Visits(address, options);
  /** Run an action that needs the worker. The first also starts fetching the worker's script. @type {typeof visits.latest} */
  const working = (act, signal) => {
    // Only at the start: a later site version may have another worker script.
    if (visits.status().state === "idle") fetchWorker(options.timeout).catch(() => {}); // the site version reports the error
    return visits.latest(act, signal);
  };
  /** @type {(what: Question, query: string, options?: Record<string, any>) => Promise<any>} */
  const ask = async (what, query, { signal, ...rest } = {}) => {
    try {
      const job = request(what, query, rest);
      return await working((visit) => visit.ask(what, job, signal), signal);
    } catch (error) {
      throw inScript(error);
    }
  };
  const begin = () => working((visit) => visit.ready());
  if (start === "now") begin().catch(() => {}); // callers receive the error
  return {
    get ready() {
      return begin();
    },
    search: (query, options) => ask("search", query, options),
    retrieve: (query, options) => ask("retrieve", query, options),
    backlinks: (item, options) => ask("backlinks", item, options),
    suggest: (query, options = {}) => visits.latest((visit) => visit.suggest(query, options), options.signal),
    instant: (query, options = {}) => visits.latest((visit) => visit.instant(query, options), options.signal),
    folders: () => visits.latest((visit) => visit.folders()),
    preload: ({ all = false, ...options } = {}) =>
      all ? visits.latest((visit) => visit.preload(options), options.signal) : working((visit) => visit.ready(), options.signal),
    async unlock(passphrase, unlocking) {
      const { UnlockedLayer } = await importModule(LAYERS, options.timeout);
      return visits.change(await UnlockedLayer.open(address, passphrase, { ...options, ...unlocking }));
    },
    lock: () => visits.change(null),
    status: () => visits.status(),
    close: () => visits.close(),
  };
}

/**
 * Open several sites; their module is loaded with the first request.
 *
 * @param {readonly (string | URL | SiteToOpen)[]} sites
 * @param {OpenOptions} [options]
 */
function openSites(sites, { start = "now", ...options } = {}) {
  /** @type {any} */
  let all;
  let status = NOT_OPEN;
  const act = (/** @type {string} */ name) => async (/** @type {any[]} */ ...request) => {
    const { Sites } = await importModule(SITES, options.timeout);
    if (status !== NOT_OPEN) throw new RanvierError(CLOSED);
    return (all ??= new Sites(sites, options, openOne))[name](...request);
  };
  const ready = act("ready");
  if (start === "now") ready().catch(() => {}); // callers receive the error
  return {
    get ready() {
      return ready();
    },
    ...Object.fromEntries(METHODS.map((name) => [name, act(name)])),
    status: () => all?.status() ?? status,
    close: () => {
      status = IS_CLOSED;
      all?.close();
    },
  };
}

/** @type {import("./options.js").Status} */
const NOT_OPEN = { state: "idle", version: "", shared: false, bootMethod: null, locked: "", audience: "public" };
const IS_CLOSED = { ...NOT_OPEN, state: "closed" };

/** @typedef {{adapt?: (entry: Entry) => Promise<Entry>}} Adapting  changes the entry file of one of several sites */

/** The current site version. If the site was rebuilt, it is replaced by the new version, and the request is repeated once. */
class Visits {
  #address;
  #options;
  /** @type {Promise<SiteVersion> | null} */
  #opening = null;
  /** @type {SiteVersion | null} */
  #visit = null;
  /** The entry file of the current version, as JSON. */
  #built = "";
  #closed = false;
  /** @type {UnlockedLayer | null} */
  #layer = null;
  /** Rejects the waiting requests on `close`. @type {Set<(error: RanvierError) => void>} */
  #waiting = new Set();

  /**
   * @param {URL} address
   * @param {import("./site-version.js").SiteVersionOptions & Adapting} options
   */
  constructor(address, options) {
    this.#address = address;
    this.#options = options;
  }

  /**
   * Send a request to the current site version. It is rejected immediately on abort or on `close`.
   *
   * @template T
   * @param {(visit: SiteVersion) => Promise<T>} ask
   * @param {AbortSignal} [signal]
   * @returns {Promise<T>}
   */
  latest(ask, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new RanvierError(ABORTED));
      const giveUp = () => reject(new RanvierError(ABORTED));
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiting.add(reject);
      const over = () => {
        signal?.removeEventListener("abort", giveUp);
        this.#waiting.delete(reject);
      };
      this.#ask(ask).finally(over).then(resolve, reject);
    });
  }

  /**
   * @template T
   * @param {(visit: SiteVersion) => Promise<T>} ask
   * @returns {Promise<T>}
   */
  async #ask(ask) {
    const opening = this.#current();
    try {
      return await ask(await opening);
    } catch (error) {
      const { code } = /** @type {any} */ (error) ?? {};
      // A failed start may come from an outdated or damaged entry file: read it again.
      const failed = code !== "gone" && this.#visit?.status().state === "failed";
      const built = this.#built;
      if ((code === "updated" || failed) && this.#opening === opening) this.#leave();
      // Another request that failed may have closed the version of this one.
      const isLeft = code === CLOSED.code && !this.#closed && this.#opening !== opening;
      if (code === "updated" || isLeft || (failed && (await this.#isAnother(built)))) return ask(await this.#current());
      throw error;
    }
  }

  /**
   * Whether the site's entry file differs from this one.
   *
   * @param {string} built
   */
  async #isAnother(built) {
    try {
      await this.#current();
    } catch {
      return false;
    }
    return this.#built !== built;
  }

  status() {
    if (this.#closed) return IS_CLOSED;
    return this.#visit?.status() ?? NOT_OPEN;
  }

  /**
   * Search an encrypted layer from now on; null: search the public site again, and forget the keys.
   *
   * @template {UnlockedLayer | null} T
   * @param {T} layer
   * @returns {T}
   */
  change(layer) {
    if (!layer) this.#layer?.forget();
    this.#layer = layer;
    this.#leave();
    return layer;
  }

  close() {
    this.#closed = true;
    this.#leave();
    for (const reject of this.#waiting) reject(new RanvierError(CLOSED));
  }

  #leave() {
    this.#opening?.then((visit) => visit.close()).catch(() => {});
    this.#opening = this.#visit = null;
  }

  /** @returns {Promise<SiteVersion>} */
  #current() {
    if (this.#closed) return Promise.reject(new RanvierError(CLOSED));
    if (!this.#opening) {
      const opening = (this.#opening = this.#open());
      opening.catch(() => {
        if (this.#opening === opening) this.#opening = null; // the next request tries again
      });
    }
    return this.#opening;
  }

  /** @returns {Promise<SiteVersion>} */
  async #open() {
    const { adapt, timeout } = this.#options;
    const layer = this.#layer;
    const stored = await (layer?.entry() ?? readEntry(this.#address, timeout));
    const entry = (await adapt?.(stored)) ?? stored;
    this.#built = JSON.stringify(entry);
    const url = new URL(entry.api, this.#address);
    const isThis = url.pathname === new URL(import.meta.url).pathname;
    /** @type {{SiteVersion: typeof SiteVersion}} */
    const version = isThis ? { SiteVersion } : await importModule(new URL("site-version.js", url).href, timeout);
    this.#visit = new version.SiteVersion(this.#address, entry, { ...this.#options, layer });
    if (this.#closed) this.#visit.close();
    return this.#visit;
  }
}
