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

/**
 * @param {Options} options
 * @returns {Promise<OpenSite>}
 */
async function openSite({ language }) {
  /** @type {[{api: string}, Site]} */
  const [entry, { langs, main, filters }] = await Promise.all([
    json(new URL("entry.json", BASE), { cache: "no-cache" }),
    json(dataUrl("site.json")),
  ]);
  /** @type {typeof import("../api.js")} */
  const { open } = await import(new URL(entry.api, BASE).href);
  const engine = open(BASE);
  const pageLang = (language ?? document.documentElement.lang).toLowerCase();
  const lang = langs[pageLang] ?? Object.values(langs).find((code) => code === pageLang.split(/[-_]/)[0]) ?? main;
  const scope = Object.keys(filters).length > 1 ? { lang } : {};
  return { engine, values: filters[lang] ?? [], scope };
}

/** @param {Options} [initial] */
export function createInstance(initial = {}) {
  let settings = { ...initial };
  /** @type {Promise<OpenSite> | null} */
  let opening = null;
  let lastCall = 0;

  function open() {
    opening ??= openSite(settings).catch((error) => {
      opening = null; // the next call tries again
      throw error;
    });
    return opening;
  }

  async function start() {
    const { engine } = await open();
    await engine.preload();
  }

  /**
   * @param {string | null} term  null lists the pages that the filters match
   * @param {SearchArguments} [args]
   * @returns {Promise<Results>}
   */
  async function search(term, { filters, sort } = {}) {
    const startTime = performance.now();
    const { engine, values, scope } = await open();
    await engine.ready;
    const preload = performance.now() - startTime;
    const answer =
      term !== null && !term?.trim()
        ? { results: [], unfilteredResultCount: 0, filters: {}, totalFilters: {} }
        : await new Search(engine, values, scope, term ?? "", settings).run(filters ?? {}, sort ?? {});
    const total = performance.now() - startTime;
    return { ...answer, timings: { preload, search: total - preload, total } };
  }

  /**
   * @param {string | null} term
   * @param {SearchArguments} [args]
   * @param {number} [delay]  ms
   * @returns {Promise<Results | null>}  null if there was a later call
   */
  async function debouncedSearch(term, args, delay = 300) {
    const callNumber = (lastCall += 1);
    start().catch(() => {}); // the search reports the error
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (callNumber !== lastCall) return null;
    const results = await search(term, args);
    return callNumber === lastCall ? results : null;
  }

  return {
    search,
    debouncedSearch,
    options: async (/** @type {Options} */ options) => void Object.assign(settings, options),
    init: async () => void (await open()),
    filters: async () => countValues((await open()).values, ([, , , pages]) => pages),
    preload: (/** @type {string | null} */ _term, /** @type {SearchArguments} */ _args) => start(),
    destroy: async () => {
      opening?.then(({ engine }) => engine.close()).catch(() => {});
      [opening, settings] = [null, {}];
    },
    mergeIndex: async (/** @type {string} */ path) => {
      throw new Error(`Ranvier searches one site: ${path} cannot be merged. Index both sites as one folder.`);
    },
  };
}

export const { options, init, filters, preload, search, debouncedSearch, destroy, mergeIndex } = createInstance();
