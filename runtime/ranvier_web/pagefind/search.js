/** One search: its results, and the data of each. */

import { countFacet, countValues, fold, hasTag, matches, selectTags } from "./filters.js";

/** @import { Engine, SearchOptions } from "../options.js" */
/** @import { Hit, SearchResult } from "../protocol.js" */
/** @import { FilterValue, Options, PageData, Result, ResultData, Results, SubResult } from "./types.js" */

const ROOT = new URL("../../", import.meta.url).pathname; // of the site
const BATCH_SIZE = 10; // results of one search; the others are searched when their data are requested
const MAX_LIMIT = 100; // hits of one search
const CHARACTERS = new Map(Object.entries({ "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" }));

/**
 * Fetch a JSON file.
 *
 * @param {string | URL} url
 * @param {RequestInit} [init]
 */
export async function json(url, init) {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`Ranvier: ${response.url}: the server answered ${response.status}`);
  return response.json();
}

export const dataUrl = (/** @type {string} */ name) => new URL(name, import.meta.url);

/** @param {string} highlight  escaped text with marks */
const plain = (highlight) => highlight.replace(/<\/?mark>|&(?:amp|lt|gt|quot|#x27);/g, (code) => CHARACTERS.get(code) ?? "");

/** Whether the site may have no answer. @param {SearchResult} answer */
const isDoubtful = ({ notices }) => notices.some(({ code }) => ["little", "near", "no-phrase"].includes(code));

/** One search. */
export class Search {
  #engine;
  #values;
  #query;
  #options;
  /** @type {SearchOptions} */
  #scope;

  /**
   * @param {Engine} engine
   * @param {FilterValue[]} values
   * @param {SearchOptions} scope
   * @param {string} query  empty: all pages
   * @param {Options} options
   */
  constructor(engine, values, scope, query, options) {
    this.#engine = engine;
    this.#values = values;
    this.#query = query;
    this.#options = { ...options };
    this.#scope = { ...scope, prefix: true, ...(query ? {} : { path: "*" }) };
  }

  /**
   * @param {Record<string, any>} filters
   * @param {Record<string, "asc" | "desc">} sort
   * @returns {Promise<Omit<Results, "timings">>}
   */
  async run(filters, sort) {
    const { tags, isComplete } = selectTags(filters);
    const options = tags ? { tags } : {};
    const [key, direction] = Object.entries(sort)[0] ?? [];
    const answer = (isComplete && !key && (await this.#searchLazily(options))) || (await this.#searchAll(options, filters, key, direction));
    const isFiltered = Object.keys(filters).length > 0;
    const all = isFiltered ? ((await this.#searchLazily({})) ?? (await this.#searchAll({}, {}))) : answer;
    return { ...answer, unfilteredResultCount: all.results.length, totalFilters: all.filters };
  }

  /** @param {SearchOptions} options */
  #search(options) {
    return this.#engine.search(this.#query, { ...this.#scope, ...options });
  }

  /**
   * The first results, and later ones that are searched when their data are requested; null if the answer is doubtful.
   *
   * @param {SearchOptions} options
   */
  async #searchLazily(options) {
    const facets = /** @type {SearchOptions} */ (this.#values.length > 0 ? { facets: "tags" } : {});
    const first = await this.#search({ ...options, limit: BATCH_SIZE, ...facets });
    if (isDoubtful(first)) return null;
    const filters = countFacet(this.#values, first.facets?.tags);
    const results = first.hits.map((hit) => this.#result(hit));
    /** @type {Map<number, Promise<Hit[]>>} */
    const batches = new Map();
    const hitAt = async (/** @type {number} */ rank) => {
      const offset = rank - (rank % BATCH_SIZE);
      if (!batches.has(offset)) batches.set(offset, this.#search({ ...options, limit: BATCH_SIZE, offset }).then(({ hits }) => hits));
      const hit = (await batches.get(offset))?.[rank % BATCH_SIZE];
      if (!hit) throw new Error("Ranvier: the site was built again: repeat the search");
      return hit;
    };
    for (let rank = results.length; rank < first.totalHits; rank += 1) {
      results.push({ id: `${this.#query}#${rank}`, score: 0, words: [], data: async () => this.#data(await hitAt(rank)) });
    }
    return { results, filters };
  }

  /**
   * All results: their filters are compared here, or their order is made here. Of a doubtful answer, only pages with all words
   * are results: an interface made for Pagefind shows no notice.
   *
   * @param {SearchOptions} options
   * @param {Record<string, any>} filters
   * @param {string} [key]
   * @param {"asc" | "desc"} [direction]
   */
  async #searchAll(options, filters, key, direction) {
    /** @type {Hit[]} */
    let hits = [];
    for (let offset = /** @type {number | null} */ (0); offset !== null; ) {
      const page = await this.#search({ ...options, limit: MAX_LIMIT, offset });
      hits.push(...page.hits.filter(({ coverage }) => coverage === "all" || !isDoubtful(page)));
      offset = page.nextOffset;
    }
    hits = hits.filter(({ tags }) => matches(filters, hasTag(tags)));
    if (key) hits = await sortHits(hits, key, direction === "desc");
    const matchers = hits.map(({ tags }) => hasTag(tags));
    const counts = countValues(this.#values, ([filter, value]) => matchers.filter((has) => has(fold(`${filter}/${value}`))).length);
    return { results: hits.map((hit) => this.#result(hit)), filters: counts };
  }

  /** @param {Hit} hit @returns {Result} */
  #result(hit) {
    return { id: hit.id, score: hit.score, words: [], data: () => this.#data(hit) };
  }

  /** @param {Hit} hit @returns {Promise<ResultData>} */
  async #data(hit) {
    /** @type {PageData} */
    const page = (await json(dataUrl(`pages/${hit.seqId.slice(-8)}.json`)))[hit.id];
    const { title } = page.meta;
    const excerpt = (/** @type {string} */ snippet, anchor = "") => ({
      url: this.#address(page.raw_url, anchor),
      excerpt: snippet,
      plain_excerpt: plain(snippet),
      locations: [],
      weighted_locations: [],
    });
    /** @type {SubResult[]} */
    const sections = hit.subResults.map(({ title, snippet, anchor }) => ({
      title,
      ...excerpt(snippet, anchor),
      anchor: page.anchors.find(({ id }) => id === anchor) ?? { element: "", id: anchor, text: title, location: 0 },
    }));
    const isInSections = sections.some(({ anchor }) => anchor?.id === hit.anchor);
    const start = { title: title ?? hit.title, ...excerpt(hit.snippet) };
    return { ...page, ...excerpt(hit.snippet), sub_results: isInSections ? sections : [start, ...sections] };
  }

  /** @param {string} raw @param {string} anchor */
  #address(raw, anchor) {
    const { baseUrl = ROOT, highlightParam } = this.#options;
    const words = highlightParam ? this.#query.match(/[^\s"]+/g) : null;
    const parameters = new URLSearchParams((words ?? []).map((word) => [String(highlightParam), word])).toString();
    return `${baseUrl.replace(/\/+$/, "")}${raw}${parameters && `?${parameters}`}${anchor && `#${anchor}`}`;
  }
}

/** Hits that have a sort key, in its order. @param {Hit[]} hits @param {string} key @param {boolean} isDescending */
async function sortHits(hits, key, isDescending) {
  /** @type {Record<string, string[]>} */
  const sorts = await json(dataUrl("sorts.json"));
  const ranks = new Map((sorts[key] ?? []).map((id, rank) => [id, isDescending ? -rank : rank]));
  const rankOf = (/** @type {Hit} */ { id }) => ranks.get(id) ?? 0;
  return hits.filter(({ id }) => ranks.has(id)).sort((left, right) => rankOf(left) - rankOf(right));
}
