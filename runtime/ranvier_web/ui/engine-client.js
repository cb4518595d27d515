/** The one way to the engine: fetched when first wanted, shared by a page's search boxes. */

import { imported } from "../modules.js";
import { isDear, surroundings } from "./preload-policy.js";

/** @import { Engine, PreloadOptions, SearchOptions, SuggestOptions } from "../options.js" */
/** @import { InstantHit, Progress, SearchResult, Suggestion } from "../protocol.js" */

/** Sends "change" whenever `progress` changes. */
export class EngineClient extends EventTarget {
  /** The address of the `_ranvier/` folder. @type {string} */
  base;
  /** @type {string} */
  #apiUrl;
  /** @type {Promise<Engine> | null} */
  #opening = null;
  /** @type {Engine | null} */
  #engine = null;

  /** How far the engine's start has come; null when it is not being started. @type {Progress | null} */
  progress = null;

  /**
   * @param {string} base
   * @param {string} apiUrl
   */
  constructor(base, apiUrl) {
    super();
    this.base = base;
    this.#apiUrl = apiUrl;
  }

  /** Whether the engine is there. */
  get ready() {
    return this.#engine?.status().state === "ready";
  }

  /** Whether only a query starts the engine: bytes are dear here, and it has not been started. */
  get spares() {
    return (this.#engine?.status().state ?? "idle") === "idle" && isDear(surroundings());
  }

  /** Somebody may be about to search: have what answers first ready, and start the engine where that may be. */
  warm() {
    this.suggest("").catch(() => {}); // the question itself will tell
    if (!this.spares) this.start();
  }

  /** Start the engine unless that has been done. Failures are reported by the search that needs it. */
  start() {
    this.#asking((engine) => engine.preload()).catch(() => {});
  }

  /**
   * @param {string} query
   * @param {SearchOptions} options
   * @returns {Promise<SearchResult>}
   */
  search(query, options) {
    return this.#asking((engine) => engine.search(query, options));
  }

  /**
   * @param {string} query
   * @param {SuggestOptions} [options]
   * @returns {Promise<Suggestion[]>}
   */
  async suggest(query, options) {
    return (await this.#opened()).suggest(query, options);
  }

  /**
   * @param {string} query
   * @param {SuggestOptions} [options]
   * @returns {Promise<InstantHit[]>}
   */
  async instant(query, options) {
    return (await this.#opened()).instant(query, options);
  }

  /** Take all files of the search. @param {PreloadOptions} options */
  async download(options) {
    await (await this.#opened()).preload({ all: true, ...options });
  }

  /**
   * @template T
   * @param {(engine: Engine) => Promise<T>} ask
   * @returns {Promise<T>}
   */
  async #asking(ask) {
    if (!this.ready) this.#tell(this.progress ?? { stage: "engine", loaded: 0, total: 0 });
    try {
      return await ask(await this.#opened());
    } finally {
      this.#told();
    }
  }

  /** @returns {Promise<Engine>} */
  #opened() {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** @returns {Promise<Engine>} */
  async #open() {
    try {
      /** @type {typeof import("../api.js")} */
      const { open } = await imported(this.#apiUrl);
      this.#engine = open(this.base, { start: "asked", onProgress: (progress) => this.#tell(progress) });
      return this.#engine;
    } catch (error) {
      this.#opening = null;
      throw Object.assign(new Error(String(error)), { code: "fetch" });
    }
  }

  /** A question is over: one that was given up leaves the engine on its way. */
  #told() {
    if (this.#engine?.status().state !== "starting") this.#tell(null);
  }

  /** @param {Progress | null} progress */
  #tell(progress) {
    this.progress = this.ready ? null : progress;
    this.dispatchEvent(new Event("change"));
  }
}

/** @type {Map<string, EngineClient>} */
const clients = new Map();

/**
 * The page's client to the engine at `base`: two boxes share one worker.
 *
 * @param {string} base
 * @param {string} apiUrl
 * @returns {EngineClient}
 */
export function engineClient(base, apiUrl) {
  let client = clients.get(base);
  if (!client) clients.set(base, (client = new EngineClient(base, apiUrl)));
  return client;
}
