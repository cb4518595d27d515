/**
 * Several sites in one engine. Each site keeps its own worker, snapshot and version; this merges their answers. It is loaded only
 * if `open` gets a list.
 *
 * Addresses of the merged answers are absolute, and an id has the number of its site in front: `1:guide/install`.
 */

import { RanvierError } from "../errors.js";
import { ABORTED } from "../worker-client.js";
import { late } from "./late.js";
import { byRank, byScore, byTier, corrected, inOrder, noticesOf, ORDERS, sums, withKnownFilters } from "./merge.js";
import { contextOf, within } from "./retrieved.js";
import { addressOf, MOST, Site, siteOf, wrong } from "./site.js";

/** @import { OpenOptions, PreloadOptions, RetrieveOptions, SearchOptions, SiteToOpen, Status, SuggestOptions } from "../options.js" */
/** @import { Collected, OpenOne } from "./site.js" */
/** @import { Backlink, InstantHit, Progress, RetrieveResult, SearchResult, SiteFolders, SiteHit, SitesResult, Suggestion } from "../protocol.js" */

const LIMIT = 30; // hits, if there is no limit; a preset of one site does not decide for the others
const WITH_SITE = /^(\d+):(.*)$/s;

export class Sites {
  /** @type {Site[]} */
  #sites;

  /**
   * @param {readonly (string | URL | SiteToOpen)[]} sites
   * @param {OpenOptions} options
   * @param {OpenOne} open  opens one site
   * @throws {RanvierError} "request"
   */
  constructor(sites, { onProgress, ...options }, open) {
    const all = sites.map(siteOf);
    const own = all.map(({ base }) => addressOf(base)).find(({ origin }) => origin === globalThis.location?.origin);
    if (!own && globalThis.location) throw wrong("one of the sites must have the origin of this page");
    const tell = () => onProgress?.(this.#progress());
    this.#sites = all.map((site, number) => new Site(number, site, own, { ...options, onProgress: tell }, open));
  }

  /** @returns {Promise<void>} */
  async ready() {
    await this.#each((site) => site.engine.ready);
  }

  /**
   * @param {string} query
   * @param {SearchOptions} [options]
   * @returns {Promise<SitesResult>}
   */
  async search(query, options = {}) {
    const started = performance.now();
    const offset = options.offset ?? 0;
    if (!(Number.isInteger(offset) && offset >= 0)) throw wrong(`offset must be an integer of at least 0, not ${offset}`);
    const limit = Math.min(options.limit ?? (options.returnAll ? MOST : LIMIT), MOST);
    const [inside, sites] = this.#narrowed(options);
    const many = offset + limit;
    const ask = (/** @type {Site} */ site, /** @type {SearchOptions} */ how) => site.search(query, how, many);
    const { results, errors } = await this.#each((site, signal) => ask(site, { ...inside, signal }), options.signal, sites);
    const again = corrected(results).map(this.#site);
    if (again.length) {
      const exact = this.#each((site, signal) => ask(site, { ...inside, exact: true, signal }), options.signal, again);
      for (const [site, result] of (await exact.catch(() => ({ results: [] }))).results) results.set(site, result);
    }
    if (options.signal?.aborted) throw new RanvierError(ABORTED);
    return { ...this.#merged(results, errors, options, offset, limit), timing: { totalMs: performance.now() - started } };
  }

  /**
   * @param {Map<number, Collected>} answers
   * @param {Map<number, Error>} errors
   * @param {SearchOptions} options
   * @param {number} offset
   * @param {number} limit
   */
  #merged(answers, errors, options, offset, limit) {
    const results = withKnownFilters(answers);
    const all = [...results.values()];
    const hits = /** @type {SiteHit[]} */ (inOrder(all.map((result) => result.hits), ORDERS[options.sort ?? "relevance"]));
    const last = Math.max(offset, [...answers.values()].reduce((sum, { named }) => sum + named, 0)) + limit;
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
      notices: [...noticesOf(results, (site) => this.#site(site).title), ...this.#failures(errors)],
      ...(options.facets ? { facets: sums(all.map(({ facets }) => facets ?? {})) } : {}),
    };
  }

  /**
   * @param {string} query
   * @param {RetrieveOptions} [options]
   * @returns {Promise<RetrieveResult>}
   */
  async retrieve(query, options = {}) {
    const started = performance.now();
    const [inside, sites] = this.#narrowed(options);
    const ask = (/** @type {Site} */ site, /** @type {AbortSignal} */ signal) => site.engine.retrieve(query, { ...inside, signal });
    const { results, errors } = await this.#each(ask, options.signal, sites);
    const lists = [...results].map(([number, { chunks }]) => {
      const site = this.#site(number);
      return chunks.map((chunk) => {
        return { ...chunk, documentId: site.idOf(chunk.documentId), url: site.at(chunk.url), rank: chunk.rank * site.weight };
      });
    });
    const chunks = within(inOrder(lists, byRank), options);
    const found = new Map([...results].map(([site, { chunks: hits, notices }]) => [site, { hits: /** @type {any} */ (hits), notices }]));
    return {
      hitCount: chunks.length,
      totalChars: chunks.reduce((sum, { content }) => sum + [...content].length, 0),
      formattedContext: contextOf(chunks),
      chunks,
      timing: { totalMs: performance.now() - started },
      notices: [...noticesOf(found, (site) => this.#site(site).title), ...this.#failures(errors)],
    };
  }

  /**
   * @param {string} item  an id of a merged answer, or what names a page on any of the sites
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<Backlink[]>}
   */
  async backlinks(item, options = {}) {
    const [inside, sites] = this.#narrowed({ item });
    const { results } = await this.#each((site, signal) => site.engine.backlinks(inside.item ?? "", { signal }), options.signal, sites);
    return [...results].flatMap(([number, links]) => {
      const site = this.#site(number);
      return links.map((link) => ({ ...link, id: site.idOf(link.id), url: site.at(link.url) }));
    });
  }

  /**
   * @param {string} query
   * @param {SuggestOptions} [options]
   * @returns {Promise<Suggestion[]>}
   */
  async suggest(query, options = {}) {
    const { results } = await this.#each((site) => site.engine.suggest(query, options), options.signal);
    const lists = [...results].map(([site, names]) => names.map((name) => ({ ...name, url: this.#site(site).at(name.url) })));
    return inOrder(lists, byTier).slice(0, options.limit ?? 8);
  }

  /**
   * @param {string} query
   * @param {SuggestOptions} [options]
   * @returns {Promise<InstantHit[]>}
   */
  async instant(query, options = {}) {
    const { results } = await this.#each((site) => site.engine.instant(query, options), options.signal);
    const lists = [...results].map(([number, hits]) => {
      const site = this.#site(number);
      return hits.map((hit) => ({ ...hit, url: site.at(hit.url), score: (hit.score ?? 0) * site.weight }));
    });
    return inOrder(lists, byScore).slice(0, options.limit ?? 10);
  }

  /** The titles of folders, below the titles of their sites. @returns {Promise<SiteFolders>} */
  async folders() {
    const { results } = await this.#each((site) => site.engine.folders());
    const trailOf = (/** @type {number} */ site, /** @type {string} */ url) => results.get(site)?.trail(url) ?? [];
    return {
      trail: (url) => {
        const number = this.#sites.findIndex(({ root }) => url.startsWith(root));
        const site = this.#sites[number];
        if (site) return [site.title, ...trailOf(number, url.slice(site.root.length))];
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
    if (!all) return void (await this.#each((site) => site.engine.preload({}), options.signal));
    const own = this.#sites.find(({ root }) => globalThis.location?.href.startsWith(root));
    if (!own) throw new RanvierError({ code: "offline", message: "the page belongs to none of the sites" });
    await own.engine.preload({ all, ...options });
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

  #site = (/** @type {number} */ number) => /** @type {Site} */ (this.#sites[number]);

  /** The progress of all sites. @returns {Progress} */
  #progress() {
    const all = this.#sites.flatMap(({ progress }) => progress ?? []);
    const sum = (/** @type {(progress: Progress) => number} */ of) => all.reduce((total, progress) => total + of(progress), 0);
    return {
      stage: all.find(({ stage }) => stage === "engine")?.stage ?? all[0]?.stage ?? "engine",
      loaded: sum(({ loaded }) => loaded),
      total: sum(({ total }) => total),
      received: sum(({ loaded, received = loaded }) => received),
      expected: all.every(({ expected, total }) => expected ?? total) ? sum(({ expected, total }) => expected ?? total) : 0,
    };
  }

  /**
   * Ask the sites at once, and return what they answer, by site. A site that is much later than another counts as failed.
   *
   * @template T
   * @param {(site: Site, signal: AbortSignal) => Promise<T>} ask
   * @param {AbortSignal} [signal]
   * @param {Site[]} [sites]
   * @returns {Promise<{results: Map<number, T>, errors: Map<number, Error>}>}
   * @throws {Error} all fail: the error of the first
   */
  async #each(ask, signal, sites = this.#sites) {
    const over = new AbortController();
    const giveUp = () => over.abort();
    signal?.addEventListener("abort", giveUp, { once: true });
    if (signal?.aborted) giveUp();
    const asking = sites.map(async (site) => ask(site, over.signal));
    const { settled, stop } = late(asking);
    const all = await Promise.allSettled(asking.map((answer) => Promise.race([answer, settled])));
    stop();
    giveUp();
    signal?.removeEventListener("abort", giveUp);
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
   * @returns {[T, Site[]]}  the options for the sites to ask
   */
  #narrowed(options) {
    for (const name of /** @type {const} */ (["item", "ancestor"])) {
      const [, number, id] = WITH_SITE.exec(options[name] ?? "") ?? [];
      const site = this.#sites[Number(number)];
      if (site) return [{ ...options, [name]: id }, [site]];
    }
    return [options, this.#sites];
  }
}
