/** One of several sites: its engine, and its hits with absolute addresses, unique ids and weighted scores. */

import { resolveBase } from "../entry.js";
import { RanvierError } from "../errors.js";
import { withSharedEngine } from "./shared-engine.js";

/** @import { Engine, OpenOptions, SearchOptions, SiteToOpen } from "../options.js" */
/** @import { Entry, Hit, Progress, SearchResult, SiteHit } from "../protocol.js" */

/** @typedef {(base: URL, options: OpenOptions & {adapt: (entry: Entry) => Promise<Entry>}) => Engine} OpenSite */
/** @typedef {SearchResult & {namedCount: number}} SiteAnswer */

export const MAX_LIMIT = 100; // hits of one request
const WITH_WEIGHT = /^(.+)=(\d+\.?\d*|\.\d+)$/s;

export class Site {
  /** The site's root. */
  root;
  /** A factor of its scores. */
  weight;
  #number;
  #title = "";
  engine;
  /** @type {Progress | null} */
  progress = null;

  /**
   * @param {number} number
   * @param {SiteToOpen} site
   * @param {URL | undefined} hostBase
   * @param {OpenOptions} options
   * @param {OpenSite} open
   */
  constructor(number, { base, weight = 1, title = "" }, hostBase, { onProgress, ...options }, open) {
    const address = resolveBase(base);
    this.#number = number;
    this.root = new URL("../", address).href;
    this.weight = weight;
    this.#title = title;
    this.engine = open(address, {
      start: "on-demand",
      ...options,
      adapt: async (entry) => {
        this.#title ||= entry.site?.title ?? "";
        return hostBase && hostBase.href !== address.href ? withSharedEngine(entry, address, hostBase, options.timeout) : entry;
      },
      onProgress: (progress) => ((this.progress = progress), onProgress?.(progress)),
    });
  }

  get title() {
    return this.#title || this.root.replace(/^\w+:\/\//, "");
  }

  /** @param {string} url  relative to the site's root */
  resolveUrl(url) {
    return new URL(url, this.root).href;
  }

  /** @param {string} id */
  idOf(id) {
    return `${this.#number}:${id}`;
  }

  /**
   * Return the first `count` hits, and before them the hits that filters name. `namedCount` is the number of those.
   *
   * @param {string} query
   * @param {SearchOptions} options
   * @param {number} count
   * @returns {Promise<SiteAnswer>}
   */
  async search(query, options, count) {
    const firstLimit = Math.min(count, MAX_LIMIT);
    const first = await this.engine.search(query, { ...options, offset: 0, limit: firstLimit });
    const hits = [...first.hits];
    const namedCount = Math.max(0, hits.length - firstLimit);
    for (let page = first; page.nextOffset !== null && hits.length < count + namedCount; ) {
      const limit = Math.min(count + namedCount - hits.length, MAX_LIMIT);
      page = await this.engine.search(query, { ...options, facets: [], offset: page.nextOffset, limit });
      hits.push(...page.hits);
    }
    return { ...first, hits: hits.map((hit) => this.#toSiteHit(hit)), namedCount };
  }

  /**
   * @param {Hit} hit
   * @returns {SiteHit}
   */
  #toSiteHit(hit) {
    const score = hit.score * this.weight;
    const subResults = hit.subResults.map((section) => ({ ...section, url: this.resolveUrl(section.url), score: section.score * this.weight }));
    const step = { stage: "site", effect: `×${this.weight}`, score, reason: this.title };
    const steps = [...(hit.explain?.steps ?? []), ...(this.weight === 1 ? [] : [step])];
    const explain = hit.explain && { explain: { ...hit.explain, steps, finalScore: score } };
    const site = { title: this.title, root: this.root };
    return { ...hit, ...explain, id: this.idOf(hit.id), url: this.resolveUrl(hit.url), score, subResults, site };
  }
}

/** @param {string} message */
export const requestError = (message) => new RanvierError({ code: "request", message });

/**
 * Read a site of the list: an address, an address with a weight (`/blog/_ranvier/=0.8`), or an object.
 *
 * @param {string | URL | SiteToOpen} site
 * @throws {RanvierError}
 */
export function parseSite(site) {
  const [, base = site, weight = 1] = typeof site === "string" ? (WITH_WEIGHT.exec(site) ?? []) : [];
  const parsed = typeof base === "string" || base instanceof URL ? { base, weight: Number(weight) } : base;
  const { weight: factor = 1 } = parsed;
  if (!(factor > 0 && factor < Infinity)) throw requestError(`the weight of a site must be a positive number, not ${factor}`);
  return parsed;
}
