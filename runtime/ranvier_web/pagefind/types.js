/** The types of Pagefind's API, as far as this module has it. */

/** @import { Engine, SearchOptions } from "../options.js" */

/**
 * @typedef {Record<string, Record<string, number>>} Counts  number of pages by filter and value
 *
 * @typedef {object} Options  others of Pagefind have no effect
 * @property {string} [baseUrl]         put before each address; default: the site's root
 * @property {string} [highlightParam]  a parameter that gets the words of the search, in each address
 * @property {string} [language]        default: that of the page
 *
 * @typedef {object} SearchArguments
 * @property {Record<string, any>} [filters]
 * @property {Record<string, "asc" | "desc">} [sort]  one key
 *
 * @typedef {{element: string, id: string, text: string, location: number}} Anchor
 * @typedef {{location: number, weight: number, balanced_score: number}} WordLocation
 *
 * @typedef {object} Excerpt
 * @property {string} url
 * @property {string} excerpt                    escaped, with `<mark>`
 * @property {string} plain_excerpt
 * @property {number[]} locations                always empty
 * @property {WordLocation[]} weighted_locations always empty
 *
 * @typedef {object} PageData  of a page, as `ranvier index` wrote it
 * @property {string} raw_url
 * @property {string} content
 * @property {number} word_count
 * @property {Record<string, string[]>} filters
 * @property {Record<string, string>} meta
 * @property {Anchor[]} anchors
 *
 * @typedef {Excerpt & {title: string, anchor?: Anchor}} SubResult
 * @typedef {PageData & Excerpt & {sub_results: SubResult[]}} ResultData
 * @typedef {{id: string, score: number, words: number[], data: () => Promise<ResultData>}} Result
 *
 * @typedef {object} Results
 * @property {Result[]} results
 * @property {number} unfilteredResultCount
 * @property {Counts} filters
 * @property {Counts} totalFilters
 * @property {{preload: number, search: number, total: number}} timings  ms
 *
 * @typedef {[filter: string, value: string, tag: string, pages: number]} FilterValue
 * @typedef {{langs: Record<string, string>, main: string, filters: Record<string, FilterValue[]>}} Site
 * @typedef {{engine: Engine, values: FilterValue[], scope: SearchOptions}} OpenSite
 */

export {};
