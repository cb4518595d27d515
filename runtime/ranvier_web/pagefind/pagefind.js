/**
 * The search API of Pagefind, for search interfaces that are made for it. It calls Ranvier's public API and nothing else.
 *
 *     const pagefind = await import("/pagefind/pagefind.js");      // written by `ranvier index --pagefind`
 *     const { results } = await pagefind.search("install");
 *     const { url, meta, excerpt } = await results[0].data();
 *
 * This module is in a folder below `_ranvier/`, with the data of each page. Its names are those of Pagefind.
 */

import { countValues } from "./filters.js";
import { dataUrl, json, Search } from "./search.js";

/** @import { OpenSite, Options, Results, SearchArguments, Site } from "./types.js" */

const BASE = new URL("../", import.meta.url); // _ranvier/

class Instance {
  /** @type {Options} */
  #options = {};
  /** @type {Promise<OpenSite> | null} */
  #opening = null;
  #lastCall = 0;

  /** @param {Options} options */
  options(options) {
    Object.assign(this.#options, options);
  }

  /** @returns {Promise<OpenSite>} */
  open() {
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = null; // the next call tries again
      throw error;
    });
    return this.#opening;
  }

  async #open() {
    /** @type {[{api: string}, Site]} */
    const [entry, { langs, main, filters }] = await Promise.all([
      json(new URL("entry.json", BASE), { cache: "no-cache" }),
      json(dataUrl("site.json")),
    ]);
    /** @type {typeof import("../api.js")} */
    const { open } = await import(new URL(entry.api, BASE).href);
    const engine = open(BASE);
    const pageLang = (this.#options.language ?? document.documentElement.lang).toLowerCase();
    const lang = langs[pageLang] ?? Object.values(langs).find((code) => code === pageLang.split(/[-_]/)[0]) ?? main;
    const scope = Object.keys(filters).length > 1 ? { lang } : {};
    return { engine, values: filters[lang] ?? [], scope };
  }

  close() {
    this.#opening?.then(({ engine }) => engine.close()).catch(() => {});
    this.#opening = null;
    this.#options = {};
  }

  async filters() {
    const { values } = await this.open();
    return countValues(values, ([, , , pages]) => pages);
  }

  async preload() {
    const { engine } = await this.open();
    await engine.preload();
  }

  /**
   * @param {string | null} term
   * @param {SearchArguments} [args]
   * @param {number} [delay]  ms
   * @returns {Promise<Results | null>}  null if there was a later call
   */
  async debounced(term, args, delay = 300) {
    const callNumber = (this.#lastCall += 1);
    this.preload().catch(() => {}); // the search reports the error
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (callNumber !== this.#lastCall) return null;
    const results = await this.search(term, args);
    return callNumber === this.#lastCall ? results : null;
  }

  /**
   * @param {string | null} term  null lists the pages that the filters match
   * @param {SearchArguments} [args]
   * @returns {Promise<Results>}
   */
  async search(term, { filters, sort } = {}) {
    const start = performance.now();
    const { engine, values, scope } = await this.open();
    await engine.ready;
    const preload = performance.now() - start;
    const answer =
      term !== null && !term?.trim()
        ? { results: [], unfilteredResultCount: 0, filters: {}, totalFilters: {} }
        : await new Search(engine, values, scope, term ?? "", this.#options).run(filters ?? {}, sort ?? {});
    const total = performance.now() - start;
    return { ...answer, timings: { preload, search: total - preload, total } };
  }
}

/** @param {Options} [initial] */
export function createInstance(initial = {}) {
  const instance = new Instance();
  instance.options(initial);
  return {
    options: async (/** @type {Options} */ options) => instance.options(options),
    init: async () => void (await instance.open()),
    filters: () => instance.filters(),
    preload: (/** @type {string | null} */ _term, /** @type {SearchArguments} */ _args) => instance.preload(),
    search: instance.search.bind(instance),
    debouncedSearch: instance.debounced.bind(instance),
    destroy: async () => instance.close(),
    mergeIndex: async (/** @type {string} */ path) => {
      throw new Error(`Ranvier searches one site: ${path} cannot be merged. Index both sites as one folder.`);
    },
  };
}

export const { options, init, filters, preload, search, debouncedSearch, destroy, mergeIndex } = createInstance();
