/** The client of the engine. It is loaded on first use and shared by all search boxes of a page. */

import { importModule } from "../modules.js";
import { isConstrained, readDeviceInfo } from "./preload-policy.js";

/** @import { Engine, PreloadOptions, SearchOptions, SuggestOptions } from "../options.js" */
/** @import { Progress } from "../protocol.js" */

const API = new URL("../api.js", import.meta.url).href;

/** Sends "change" whenever `progress` changes. */
export class EngineClient extends EventTarget {
  /** The address of the `_ranvier/` folder. */
  base;
  /** Addresses of several sites, as in the attribute `sites`; empty for one site. */
  #sites;
  /** @type {Promise<Engine> | null} */
  #opening = null;
  /** @type {Engine | null} */
  engine = null;
  /** Changes answers before they are shown. @type {<T>(answer: T) => T} */
  adapt = (answer) => answer;

  /** Progress of the engine's start; null if it is not starting. @type {Progress | null} */
  progress = null;

  /**
   * @param {string} base
   * @param {string} sites
   */
  constructor(base, sites) {
    super();
    this.base = base;
    this.#sites = sites;
  }

  /** Whether the engine is ready. */
  get ready() {
    return this.engine?.status().state === "ready";
  }

  /** Whether only a query starts the engine: it is not started, and bytes or memory are scarce. */
  get isLazy() {
    return (this.engine?.status().state ?? "idle") === "idle" && isConstrained(readDeviceInfo());
  }

  /** Prepare for a search: load the files of the suggestions, and start the engine unless only a query starts it. */
  warm() {
    this.suggest("").catch(() => {}); // queries report their errors
    if (!this.isLazy) this.start();
  }

  /** Start the engine if it is not started yet. Failures are reported by searches. */
  start() {
    this.use((engine) => engine.preload()).catch(() => {});
  }

  /**
   * @param {string} query
   * @param {SearchOptions} options
   */
  async search(query, options) {
    return this.adapt(await this.use((engine) => engine.search(query, options)));
  }

  /**
   * @param {string} query
   * @param {SuggestOptions} [options]
   */
  suggest(query, options) {
    return this.#answerInstantly((engine) => engine.suggest(query, options));
  }

  /**
   * @param {string} query
   * @param {SuggestOptions} [options]
   */
  instant(query, options) {
    return this.#answerInstantly((engine) => engine.instant(query, options));
  }

  folders() {
    return this.#answerInstantly((engine) => engine.folders());
  }

  /**
   * @template T
   * @param {(engine: Engine) => Promise<T>} call
   */
  async #answerInstantly(call) {
    return this.adapt(await call(await this.#getEngine()));
  }

  /** Download all files of the search. @param {PreloadOptions} options */
  async download(options) {
    await (await this.#getEngine()).preload({ all: true, ...options });
  }

  /**
   * Send a request that needs the engine, and report the progress of its start.
   *
   * @template T
   * @param {(engine: Engine) => Promise<T>} call
   */
  async use(call) {
    if (!this.ready) this.#setProgress(this.progress ?? { stage: "engine", loaded: 0, total: 0 });
    try {
      return await call(await this.#getEngine());
    } finally {
      // After an aborted request the engine may still be starting.
      if (this.engine?.status().state !== "starting") this.#setProgress(null);
    }
  }

  #getEngine() {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open() {
    try {
      /** @type {typeof import("../api.js")} */
      const { open } = await importModule(API);
      const options = { start: /** @type {const} */ ("on-demand"), onProgress: (/** @type {Progress} */ progress) => this.#setProgress(progress) };
      const engine = this.#sites ? open(this.#sites.split(/\s+/), options) : open(this.base, options);
      this.engine = /** @type {Engine} */ (engine);
      return this.engine;
    } catch (error) {
      this.#opening = null;
      throw Object.assign(new Error(String(error)), { code: "fetch" });
    }
  }

  /** @param {Progress | null} progress */
  #setProgress(progress) {
    this.progress = this.ready ? null : progress;
    this.dispatchEvent(new Event("change"));
  }
}

/** @type {Map<string, EngineClient>} */
const clients = new Map();

/**
 * Return the page's client of the engine at `base`. Search boxes share one worker.
 *
 * @param {string} base
 * @param {string} sites  addresses of several sites, as in the attribute; empty for one site
 */
export function engineClient(base, sites) {
  const key = `${base} ${sites}`;
  let client = clients.get(key);
  if (!client) clients.set(key, (client = new EngineClient(base, sites.trim())));
  return client;
}
