/**
 * Several sites in one engine. Each site keeps its own worker, snapshot and version; this merges their answers. It is loaded only
 * if `open` gets a list.
 *
 * Addresses of the merged answers are absolute, and an id has the number of its site in front: `1:guide/install`.
 */

import { resolveBase } from "../entry.js";
import { CANCELLED, RanvierError } from "../errors.js";
import { byRank, byScore, byTier, clearUnknownFilters, findCorrectedSites, mergeLists, mergeNotices, ORDERS, sumFacets } from "./merge.js";
import { formatContext, limitChunks } from "./context.js";
import { MAX_LIMIT, parseSite, requestError, Site } from "./site.js";

/** @import { OpenOptions, PreloadOptions, RetrieveOptions, SearchOptions, SiteToOpen, Status, SuggestOptions } from "../options.js" */
/** @import { OpenSite, SiteAnswer } from "./site.js" */
/** @import { Backlink, InstantHit, Progress, RetrieveResult, SearchResult, SiteFolders, SiteHit, SitesResult, Suggestion } from "../protocol.js" */

const DEFAULT_LIMIT = 30; // hits, if there is no limit; a preset of one site does not decide for the others
const ANSWER_TIMEOUT = 10_000; // ms after the first answer of a site, for the others
const WITH_SITE = /^(\d+):(.*)$/s;

export class Sites {
  #sites;

  /**
   * @param {readonly (string | URL | SiteToOpen)[]} sites
   * @param {OpenOptions} options
   * @param {OpenSite} open  opens one site
   * @throws {RanvierError} "request"
   */
  constructor(sites, { onProgress, ...options }, open) {
    const all = sites.map(parseSite);
    const hostBase = all.map(({ base }) => resolveBase(base)).find(({ origin }) => origin === globalThis.location?.origin);
    if (!hostBase && globalThis.location) throw requestError("one of the sites must have the origin of this page");
    const report = () => onProgress?.(this.#progress());
    this.#sites = all.map((site, number) => new Site(number, site, hostBase, { ...options, onProgress: report }, open));
  }

  async ready() {
    await this.#callEach((site) => site.engine.ready);
  }

  /**
   * @param {string} query
   * @param {SearchOptions} [options]
   * @returns {Promise<SitesResult>}
   */
  async search(query, options = {}) {
    const startTime = performance.now();
    const offset = options.offset ?? 0;
    if (!(Number.isInteger(offset) && offset >= 0)) throw requestError(`offset must be an integer of at least 0, not ${offset}`);
    const limit = Math.min(options.limit ?? (options.returnAll ? MAX_LIMIT : DEFAULT_LIMIT), MAX_LIMIT);
    const [siteOptions, sites] = this.#selectSites(options);
    const count = offset + limit;
    const call = (/** @type {Site} */ site, /** @type {SearchOptions} */ searchOptions) => site.search(query, searchOptions, count);
    const { results, errors } = await this.#callEach((site, signal) => call(site, { ...siteOptions, signal }), options.signal, sites);
    const correctedSites = findCorrectedSites(results).map(this.#site);
    if (correctedSites.length) {
      const exact = this.#callEach((site, signal) => call(site, { ...siteOptions, exact: true, signal }), options.signal, correctedSites);
      for (const [site, result] of (await exact.catch(() => ({ results: [] }))).results) results.set(site, result);
    }
    if (options.signal?.aborted) throw new RanvierError(CANCELLED);
    return { ...this.#mergeResults(results, errors, options, offset, limit), timing: { totalMs: performance.now() - startTime } };
  }

  /**
   * @param {Map<number, SiteAnswer>} answers
   * @param {Map<number, Error>} errors
   * @param {SearchOptions} options
   * @param {number} offset
   * @param {number} limit
   */
  #mergeResults(answers, errors, options, offset, limit) {
    const results = clearUnknownFilters(answers);
    const all = [...results.values()];
    const hits = /** @type {SiteHit[]} */ (mergeLists(all.map((result) => result.hits), ORDERS[options.sort ?? "relevance"]));
    const last = Math.max(offset, [...answers.values()].reduce((sum, { namedCount }) => sum + namedCount, 0)) + limit;
    const totalHits = all.reduce((sum, result) => sum + result.totalHits, 0);
    const { strategy, intent } = /** @type {SearchResult} */ (all.find((result) => result.hits.length) ?? all[0]);
    return {
      hits: hits.slice(offset, last).map((hit, at) => ({ ...hit, rank: offset + at + 1 })),
      totalHits,
      nextOffset: last < totalHits ? last : null,
      truncated: all.some(({ truncated }) => truncated),
      strategy,
      intent,
      unsettled: all.some(({ unsettled }) => unsettled),
      notices: [...mergeNotices(results, (site) => this.#site(site).title), ...this.#failures(errors)],
      ...(options.facets ? { facets: sumFacets(all.map(({ facets }) => facets ?? {})) } : {}),
    };
  }

  /**
   * @param {string} query
   * @param {RetrieveOptions} [options]
   * @returns {Promise<RetrieveResult>}
   */
  async retrieve(query, options = {}) {
    const startTime = performance.now();
    const [siteOptions, sites] = this.#selectSites(options);
    const call = (/** @type {Site} */ site, /** @type {AbortSignal} */ signal) => site.engine.retrieve(query, { ...siteOptions, signal });
    const { results, errors } = await this.#callEach(call, options.signal, sites);
    const lists = [...results].map(([number, { chunks }]) => {
      const site = this.#site(number);
      return chunks.map((chunk) => {
        return { ...chunk, documentId: site.idOf(chunk.documentId), url: site.resolveUrl(chunk.url), rank: chunk.rank * site.weight };
      });
    });
    const chunks = limitChunks(mergeLists(lists, byRank), options);
    const answers = new Map([...results].map(([site, { chunks: hits, notices }]) => [site, { hits: /** @type {any} */ (hits), notices }]));
    return {
      hitCount: chunks.length,
      totalChars: chunks.reduce((sum, { content }) => sum + [...content].length, 0),
      formattedContext: formatContext(chunks),
      chunks,
      timing: { totalMs: performance.now() - startTime },
      notices: [...mergeNotices(answers, (site) => this.#site(site).title), ...this.#failures(errors)],
    };
  }

  /**
   * @param {string} item  an id of a merged answer, or the name of a page on any site
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<Backlink[]>}
   */
  async backlinks(item, options = {}) {
    const [siteOptions, sites] = this.#selectSites({ item });
    const { results } = await this.#callEach((site, signal) => site.engine.backlinks(siteOptions.item ?? "", { signal }), options.signal, sites);
    return [...results].flatMap(([number, links]) => {
      const site = this.#site(number);
      return links.map((link) => ({ ...link, id: site.idOf(link.id), url: site.resolveUrl(link.url) }));
    });
  }

  /**
   * @param {string} query
   * @param {SuggestOptions} [options]
   * @returns {Promise<Suggestion[]>}
   */
  async suggest(query, options = {}) {
    const { results } = await this.#callEach((site) => site.engine.suggest(query, options), options.signal);
    const lists = [...results].map(([site, names]) => names.map((name) => ({ ...name, url: this.#site(site).resolveUrl(name.url) })));
    return mergeLists(lists, byTier).slice(0, options.limit ?? 8);
  }

  /**
   * @param {string} query
   * @param {SuggestOptions} [options]
   * @returns {Promise<InstantHit[]>}
   */
  async instant(query, options = {}) {
    const { results } = await this.#callEach((site) => site.engine.instant(query, options), options.signal);
    const lists = [...results].map(([number, hits]) => {
      const site = this.#site(number);
      return hits.map((hit) => ({ ...hit, url: site.resolveUrl(hit.url), score: (hit.score ?? 0) * site.weight }));
    });
    return mergeLists(lists, byScore).slice(0, options.limit ?? 10);
  }

  /** The titles of folders, below the titles of their sites. @returns {Promise<SiteFolders>} */
  async folders() {
    const { results } = await this.#callEach((site) => site.engine.folders());
    const trailOf = (/** @type {number} */ site, /** @type {string} */ url) => results.get(site)?.trail(url) ?? [];
    return {
      trail: (url) => {
        const site = this.#siteOf(url);
        if (site) return [site.title, ...trailOf(this.#sites.indexOf(site), url.slice(site.root.length))];
        return this.#sites.map((_, at) => trailOf(at, url)).find((titles) => titles.length) ?? [];
      },
      top: this.#sites.map(({ title, root }) => ({ title, url: root })),
    };
  }

  /**
   * Start all engines; or download all files of the page's own site: its service worker serves no other site to this page.
   *
   * @param {PreloadOptions} [options]
   */
  async preload({ all = false, ...options } = {}) {
    if (!all) return void (await this.#callEach((site, signal) => site.engine.preload({ signal }), options.signal));
    const hostSite = this.#siteOf(globalThis.location?.href ?? "");
    if (!hostSite) throw new RanvierError({ code: "offline", message: "the page belongs to none of the sites" });
    await hostSite.engine.preload({ all, ...options });
  }

  /** @returns {Status} */
  status() {
    const all = this.#sites.map(({ engine }) => engine.status());
    const state = ["starting", "ready", "failed", "closed"].find((name) => all.some((status) => status.state === name)) ?? "idle";
    const first = /** @type {Status} */ (all.find((status) => status.state === state) ?? all[0]);
    return { ...first, state, locked: "" }; // layers are opened one site at a time
  }

  close() {
    for (const { engine } of this.#sites) engine.close();
  }

  /** Return the site of an address. A site may be in a folder of another one. @param {string} url */
  #siteOf(url) {
    const sites = this.#sites.filter(({ root }) => url.startsWith(root));
    return sites.sort((a, b) => b.root.length - a.root.length)[0];
  }

  #site = (/** @type {number} */ number) => /** @type {Site} */ (this.#sites[number]);

  /** The progress of all sites. @returns {Progress} */
  #progress() {
    const all = this.#sites.flatMap(({ progress }) => progress ?? []);
    const sum = (/** @type {(progress: Progress) => number} */ valueOf) => all.reduce((total, progress) => total + valueOf(progress), 0);
    return {
      stage: all.find(({ stage }) => stage === "engine")?.stage ?? all[0]?.stage ?? "engine",
      loaded: sum(({ loaded }) => loaded),
      total: sum(({ total }) => total),
      received: sum(({ loaded, received = loaded }) => received),
      expected: all.every(({ expected, total }) => expected ?? total) ? sum(({ expected, total }) => expected ?? total) : 0,
    };
  }

  /**
   * Ask the sites in parallel, and return their answers by site. A site that answers much later than another one has failed.
   *
   * @template T
   * @param {(site: Site, signal: AbortSignal) => Promise<T>} call
   * @param {AbortSignal} [signal]
   * @param {Site[]} [sites]
   * @returns {Promise<{results: Map<number, T>, errors: Map<number, Error>}>}
   * @throws {Error} all fail: the error of the first
   */
  async #callEach(call, signal, sites = this.#sites) {
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    const answers = sites.map(async (site) => call(site, controller.signal));
    const { expired, stop } = startDeadline(answers);
    const all = await Promise.allSettled(answers.map((answer) => Promise.race([answer, expired])));
    stop();
    abort();
    signal?.removeEventListener("abort", abort);
    const results = new Map();
    const errors = new Map();
    all.forEach((answer, at) => {
      const number = this.#sites.indexOf(/** @type {Site} */ (sites[at]));
      if (answer.status === "fulfilled") results.set(number, answer.value);
      else errors.set(number, answer.reason);
    });
    if (!results.size) throw errors.values().next().value;
    return { results, errors };
  }

  /** @param {Map<number, Error>} errors */
  #failures(errors) {
    return [...errors].map(([number, { message }]) => {
      const { title } = this.#site(number);
      return { code: "no-site", text: `${title} could not be searched: ${message}`, subject: title };
    });
  }

  /**
   * An id of a merged answer names one site.
   *
   * @template {{item?: string, ancestor?: string}} T
   * @param {T} options
   * @returns {[T, Site[]]}  the options for the sites to call
   */
  #selectSites(options) {
    for (const name of /** @type {const} */ (["item", "ancestor"])) {
      const [, number, id] = WITH_SITE.exec(options[name] ?? "") ?? [];
      const site = this.#sites[Number(number)];
      if (site) return [{ ...options, [name]: id }, [site]];
    }
    return [options, this.#sites];
  }
}

/**
 * Return a promise that is rejected some time after the first answer.
 *
 * @param {Promise<unknown>[]} answers
 */
function startDeadline(answers) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isStopped = false;
  /** @type {Promise<never>} */
  const expired = new Promise((_, reject) => {
    const start = () => {
      const error = new RanvierError({ code: "fetch", message: `no answer for ${ANSWER_TIMEOUT / 1000} seconds` });
      if (!isStopped) timer ??= setTimeout(() => reject(error), ANSWER_TIMEOUT);
    };
    for (const answer of answers) answer.then(start, () => {});
  });
  expired.catch(() => {});
  return { expired, stop: () => ((isStopped = true), clearTimeout(timer)) };
}
