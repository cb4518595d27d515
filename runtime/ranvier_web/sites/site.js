/** One of several sites: its engine, and its hits with absolute addresses, unique ids and weighted scores. */

import { RanvierError } from "../errors.js";
import { lent } from "./lend.js";

/** @import { Engine, OpenOptions, SearchOptions, SiteToOpen } from "../options.js" */
/** @import { Entry, Hit, Progress, SearchResult, SiteHit } from "../protocol.js" */

/** @typedef {(base: URL, options: OpenOptions & {adapt: (entry: Entry) => Promise<Entry>}) => Engine} OpenOne */
/** @typedef {SearchResult & {named: number}} Collected */

export const MOST = 100; // hits of one request
const WITH_WEIGHT = /^(.+)=(\d+\.?\d*|\.\d+)$/s;

export class Site {
  /** The site's root. @type {string} */
  root;
  /** A factor of its scores. @type {number} */
  weight;
  #number;
  #title = "";
  /** @type {Engine} */
  engine;
  /** @type {Progress | null} */
  progress = null;

  /**
   * @param {number} number
   * @param {SiteToOpen} site
   * @param {URL | undefined} lender
   * @param {OpenOptions} options
   * @param {OpenOne} open
   */
  constructor(number, { base, weight = 1, title = "" }, lender, { onProgress, ...options }, open) {
    const address = addressOf(base);
    this.#number = number;
    this.root = new URL("../", address).href;
    this.weight = weight;
    this.#title = title;
    this.engine = open(address, {
      start: "asked",
      ...options,
      adapt: async (entry) => {
        this.#title ||= entry.site?.title ?? "";
        return lender && lender.href !== address.href ? lent(entry, address, lender, options.timeout) : entry;
      },
      onProgress: (progress) => ((this.progress = progress), onProgress?.(progress)),
    });
  }

  get title() {
    return this.#title || this.root.replace(/^\w+:\/\//, "");
  }

  /** @param {string} url  relative to the site's root */
  at(url) {
    return new URL(url, this.root).href;
  }

  /** @param {string} id */
  idOf(id) {
    return `${this.#number}:${id}`;
  }

  /**
   * Return the first hits: `named` ones that filters name, which do not count, and `many` others.
   *
   * @param {string} query
   * @param {SearchOptions} options
   * @param {number} many
   * @returns {Promise<Collected>}
   */
  async search(query, options, many) {
    const least = Math.min(many, MOST);
    const first = await this.engine.search(query, { ...options, offset: 0, limit: least });
    const hits = [...first.hits];
    const named = Math.max(0, hits.length - least);
    for (let page = first; page.nextOffset !== null && hits.length < many + named; ) {
      const limit = Math.min(many + named - hits.length, MOST);
      page = await this.engine.search(query, { ...options, facets: [], offset: page.nextOffset, limit });
      hits.push(...page.hits);
    }
    return { ...first, hits: hits.map((hit) => this.#marked(hit)), named };
  }

  /**
   * @param {Hit} hit
   * @returns {SiteHit}
   */
  #marked(hit) {
    const score = hit.score * this.weight;
    const subResults = hit.subResults.map((part) => ({ ...part, url: this.at(part.url), score: part.score * this.weight }));
    const step = { stage: "site", effect: `×${this.weight}`, score, why: this.title };
    const steps = [...(hit.explain?.steps ?? []), ...(this.weight === 1 ? [] : [step])];
    const explain = hit.explain && { explain: { ...hit.explain, steps, finalScore: score } };
    const site = { title: this.title, root: this.root };
    return { ...hit, ...explain, id: this.idOf(hit.id), url: this.at(hit.url), score, subResults, site };
  }
}

/** @param {string} message */
export const wrong = (message) => new RanvierError({ code: "request", message });

/** @param {string | URL} base */
export function addressOf(base) {
  const address = new URL(base, globalThis.location?.href);
  if (!address.pathname.endsWith("/")) address.pathname += "/";
  return address;
}

/**
 * Read a site of the list: an address, an address with a weight (`/blog/_ranvier/=0.8`), or an object.
 *
 * @param {string | URL | SiteToOpen} site
 * @returns {SiteToOpen}
 * @throws {RanvierError}
 */
export function siteOf(site) {
  const [, base = site, weight = 1] = typeof site === "string" ? (WITH_WEIGHT.exec(site) ?? []) : [];
  const read = typeof base === "string" || base instanceof URL ? { base, weight: Number(weight) } : base;
  const { weight: factor = 1 } = read;
  if (!(factor > 0 && factor < Infinity)) throw wrong(`the weight of a site must be a positive number, not ${factor}`);
  return read;
}
