/** The one way to the engine: fetched when first wanted, shared by a page's search boxes, reopened after a failure. */

/** @import { Engine, SearchOptions } from "../options.js" */
/** @import { Progress, SearchResult } from "../protocol.js" */

/** @typedef {typeof import("../api.js")} Api */

/** A search failed. `code` says how: "fetch", "stale", "engine" or "internal". */
export class SearchFailure extends Error {
  /**
   * @param {string} code
   * @param {unknown} cause
   */
  constructor(code, cause) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "SearchFailure";
    this.code = code;
  }
}

/**
 * @param {unknown} error
 * @param {string} fallback
 * @returns {string}
 */
function codeOf(error, fallback) {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : null;
  return typeof code === "string" ? code : fallback;
}

/** Sends "change" whenever `progress` or `ready` changes. */
export class EngineDoor extends EventTarget {
  /** @type {string} */
  #base;
  /** @type {string} */
  #apiUrl;
  /** @type {Promise<Engine> | null} */
  #opening = null;
  /** @type {Engine | null} */
  #engine = null;
  #openings = 0;
  #failedImports = 0;

  ready = false;
  /** @type {Progress | null} */
  progress = null;

  /**
   * @param {string} base
   * @param {string} apiUrl
   */
  constructor(base, apiUrl) {
    super();
    this.#base = base;
    this.#apiUrl = apiUrl;
  }

  /** Start the engine unless that has been done. Failures are reported by the search that needs it. */
  warm() {
    this.#wanted().catch(() => {});
  }

  /**
   * @param {string} query
   * @param {SearchOptions} options
   * @returns {Promise<SearchResult>}
   */
  async search(query, options) {
    const engine = await this.#wanted();
    try {
      return await engine.search(query, options);
    } catch (error) {
      throw new SearchFailure(codeOf(error, "internal"), error);
    }
  }

  /** Throw the engine away; the next search opens a new one. */
  reset() {
    this.#engine?.close();
    this.#engine = null;
    this.#opening = null;
    this.#tell(false, null);
  }

  /** @returns {Promise<Engine>} */
  #wanted() {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** @returns {Promise<Engine>} */
  async #open() {
    this.#openings += 1;
    const opening = this.#openings;
    this.#tell(false, { stage: "engine", loaded: 0, total: 0 });
    try {
      const api = await this.#import();
      const engine = api.open(this.#base, {
        onProgress: (progress) => {
          if (opening === this.#openings && !this.ready) this.#tell(false, progress);
        },
      });
      this.#engine = engine;
      await engine.ready;
      this.#tell(true, null);
      return engine;
    } catch (error) {
      if (opening === this.#openings) this.#tell(false, null);
      throw new SearchFailure("engine", error);
    }
  }

  /** @returns {Promise<Api>} */
  async #import() {
    const url = new URL(this.#apiUrl);
    // Browsers may remember that a module could not be loaded; under another address it gets a second chance.
    if (this.#failedImports > 0) url.searchParams.set("try", String(this.#failedImports));
    try {
      return await import(url.href);
    } catch (error) {
      this.#failedImports += 1;
      throw error;
    }
  }

  /**
   * @param {boolean} ready
   * @param {Progress | null} progress
   */
  #tell(ready, progress) {
    this.ready = ready;
    this.progress = progress;
    this.dispatchEvent(new Event("change"));
  }
}

/** @type {Map<string, EngineDoor>} */
const doors = new Map();

/**
 * The page's door to the engine at `base`: two boxes share one worker.
 *
 * @param {string} base
 * @param {string} apiUrl
 * @returns {EngineDoor}
 */
export function doorTo(base, apiUrl) {
  let door = doors.get(base);
  if (!door) doors.set(base, (door = new EngineDoor(base, apiUrl)));
  return door;
}
