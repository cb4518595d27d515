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

import { readEntry, resolveBase } from "./entry.js";
import { CANCELLED, CLOSED, RanvierError } from "./errors.js";
import { importModule } from "./modules.js";
import { buildRequest, withScriptNames } from "./options.js";
import { fetchWorker } from "./start-worker.js";
import { SiteVersion } from "./site-version.js";

export { RanvierError } from "./errors.js";

/** @import { UnlockedLayer } from "./layers/unlock.js" */
/** @import { Engine, Method, OpenOptions, SitesEngine, SiteToOpen } from "./options.js" */
/** @import { Entry } from "./protocol.js" */

const LAYERS = new URL("./layers/unlock.js", import.meta.url).href;
const SITES = new URL("./sites/sites.js", import.meta.url).href;
/** The methods of several sites that wait for their module. */
const METHODS = "search retrieve backlinks suggest instant folders preload".split(" ");

/**
 * Open a site's search. The engine (Python in a worker) starts immediately, or with the first request if `start` is "on-demand".
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
  const engine = Array.isArray(base) ? openSites(base, options) : openSite(/** @type {string | URL} */ (base), options);
  return engine;
}

/**
 * @param {string | URL} base
 * @param {OpenOptions & AdaptOptions} [options]
 * @returns {Engine}
 */
function openSite(base, { start = "now", ...options } = {}) {
  const address = resolveBase(base);
  const versions = new VersionManager(address, options);
  /** Send a request that needs the worker. The first also starts fetching the worker's script. @type {typeof versions.send} */
  const useWorker = (request, signal) => {
    // Only at the start: a later site version may have another worker script.
    if (versions.status().state === "idle") fetchWorker(options.timeout).catch(() => {}); // the site version reports the error
    return versions.send(request, signal);
  };
  /** @type {(method: Method, query: string, options?: Record<string, any>) => Promise<any>} */
  const call = async (method, query, { signal, ...requestOptions } = {}) => {
    try {
      const request = buildRequest(method, query, requestOptions);
      return await useWorker((version) => version.call(method, request, signal), signal);
    } catch (error) {
      throw withScriptNames(error);
    }
  };
  const startEngine = () => useWorker((version) => version.ready());
  if (start === "now") startEngine().catch(() => {}); // callers receive the error
  return {
    get ready() {
      return startEngine();
    },
    search: (query, options) => call("search", query, options),
    retrieve: (query, options) => call("retrieve", query, options),
    backlinks: (item, options) => call("backlinks", item, options),
    suggest: (query, options = {}) => versions.send((version) => version.suggest(query, options), options.signal),
    instant: (query, options = {}) => versions.send((version) => version.instant(query, options), options.signal),
    folders: () => versions.send((version) => version.folders()),
    preload: ({ all = false, ...options } = {}) =>
      all ? versions.send((version) => version.preload(options), options.signal) : useWorker((version) => version.ready(), options.signal),
    async unlock(passphrase, unlocking) {
      const { UnlockedLayer } = await importModule(LAYERS, options.timeout);
      return versions.setLayer(await UnlockedLayer.open(address, passphrase, { ...options, ...unlocking }));
    },
    lock: () => versions.setLayer(null),
    status: () => versions.status(),
    close: () => versions.close(),
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
  let engine;
  let status = IDLE_STATUS;
  const method = (/** @type {string} */ name) => async (/** @type {any[]} */ ...args) => {
    const { Sites } = await importModule(SITES, options.timeout);
    if (status !== IDLE_STATUS) throw new RanvierError(CLOSED);
    return (engine ??= new Sites(sites, options, openSite))[name](...args);
  };
  const ready = method("ready");
  if (start === "now") ready().catch(() => {}); // callers receive the error
  return {
    get ready() {
      return ready();
    },
    ...Object.fromEntries(METHODS.map((name) => [name, method(name)])),
    status: () => engine?.status() ?? status,
    close: () => {
      status = CLOSED_STATUS;
      engine?.close();
    },
  };
}

/** @type {import("./options.js").Status} */
const IDLE_STATUS = { state: "idle", version: "", shared: false, locked: "", audience: "public" };
const CLOSED_STATUS = { ...IDLE_STATUS, state: "closed" };

/** @typedef {{adapt?: (entry: Entry) => Promise<Entry>}} AdaptOptions  changes the entry file of one of several sites */

/** Holds the current site version. After a rebuild of the site, it opens the new version and repeats the request once. */
class VersionManager {
  #address;
  #options;
  /** @type {Promise<SiteVersion> | null} */
  #opening = null;
  /** @type {SiteVersion | null} */
  #version = null;
  /** The entry file of the current version, as JSON. */
  #entryJson = "";
  #isClosed = false;
  /** @type {UnlockedLayer | null} */
  #layer = null;
  /** Rejects the waiting requests on `close`. @type {Set<(error: RanvierError) => void>} */
  #rejecters = new Set();

  /**
   * @param {URL} address
   * @param {import("./site-version.js").SiteVersionOptions & AdaptOptions} options
   */
  constructor(address, options) {
    this.#address = address;
    this.#options = options;
  }

  /**
   * Send a request to the current site version. It is rejected immediately on abort or on `close`.
   *
   * @template T
   * @param {(version: SiteVersion) => Promise<T>} call
   * @param {AbortSignal} [signal]
   * @returns {Promise<T>}
   */
  send(call, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new RanvierError(CANCELLED));
      const abort = () => reject(new RanvierError(CANCELLED));
      signal?.addEventListener("abort", abort, { once: true });
      this.#rejecters.add(reject);
      const cleanUp = () => {
        signal?.removeEventListener("abort", abort);
        this.#rejecters.delete(reject);
      };
      this.#call(call).finally(cleanUp).then(resolve, reject);
    });
  }

  /**
   * @template T
   * @param {(version: SiteVersion) => Promise<T>} call
   * @returns {Promise<T>}
   */
  async #call(call) {
    const opening = this.#current();
    /** @type {SiteVersion | undefined} */
    let version;
    let entryJson = "";
    try {
      version = await opening;
      entryJson = this.#entryJson;
      return await call(version);
    } catch (error) {
      const { code } = /** @type {any} */ (error) ?? {};
      // A failed start may come from an outdated or damaged entry file: read it again. Several requests fail with one start.
      const hasFailed = code !== "worker" && version?.status().state === "failed";
      if ((code === "updated" || hasFailed) && this.#opening === opening) this.#closeVersion();
      // Another request that failed may have closed the version of this one.
      const isReplaced = code === CLOSED.code && !this.#isClosed && this.#opening !== opening;
      if (code === "updated" || isReplaced || (hasFailed && (await this.#hasChanged(entryJson)))) return call(await this.#current());
      throw error;
    }
  }

  /**
   * Whether the site has another entry file now.
   *
   * @param {string} entryJson
   */
  async #hasChanged(entryJson) {
    try {
      await this.#current();
    } catch {
      return false;
    }
    return this.#entryJson !== entryJson;
  }

  status() {
    if (this.#isClosed) return CLOSED_STATUS;
    return this.#version?.status() ?? IDLE_STATUS;
  }

  /**
   * Search an encrypted layer from now on; null: search the public site again, and forget the keys.
   *
   * @template {UnlockedLayer | null} T
   * @param {T} layer
   * @returns {T}
   */
  setLayer(layer) {
    if (!layer) this.#layer?.forget();
    this.#layer = layer;
    this.#closeVersion();
    return layer;
  }

  close() {
    this.#isClosed = true;
    this.#closeVersion();
    for (const reject of this.#rejecters) reject(new RanvierError(CLOSED));
  }

  #closeVersion() {
    this.#opening?.then((version) => version.close()).catch(() => {});
    this.#opening = this.#version = null;
  }

  /** @returns {Promise<SiteVersion>} */
  #current() {
    if (this.#isClosed) return Promise.reject(new RanvierError(CLOSED));
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
    const original = await (layer?.entry() ?? readEntry(this.#address, timeout));
    const entry = (await adapt?.(original)) ?? original;
    this.#entryJson = JSON.stringify(entry);
    const url = new URL(entry.api, this.#address);
    const isThis = url.pathname === new URL(import.meta.url).pathname;
    /** @type {{SiteVersion: typeof SiteVersion}} */
    const module = isThis ? { SiteVersion } : await importModule(new URL("site-version.js", url).href, timeout);
    this.#version = new module.SiteVersion(this.#address, entry, { ...this.#options, layer });
    if (this.#isClosed) this.#version.close();
    return this.#version;
  }
}
