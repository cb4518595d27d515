/** Merges the answers of several sites, with the rules of the core's `ranvier/sites.py`, which describes them. Pure functions. */

/** @import { FacetCount, Hit, InstantHit, Notice, RetrievedChunk, SearchResult, SiteNotice, Suggestion } from "../protocol.js" */
/** @import { SearchOptions } from "../options.js" */

import { UNSPACED_CHARACTER } from "../instant/keys.js";
import { TIERS } from "../instant/names.js";

const WEAK = new Set(["some-words", "little", "near"]);

/**
 * Merge lists: the best of their first rows is next; of equal rows, that of the first list. The order of each list stays.
 *
 * @template T
 * @param {readonly (readonly T[])[]} lists
 * @param {(row: T, other: T) => number} compare  negative if the row comes before the other
 */
export function mergeLists(lists, compare) {
  const at = lists.map(() => 0);
  const first = (/** @type {number} */ list) => /** @type {T} */ (lists[list]?.[at[list] ?? 0]);
  /** @type {T[]} */
  const merged = [];
  for (;;) {
    const openLists = at.flatMap((position, list) => (position < (lists[list]?.length ?? 0) ? [list] : []));
    if (!openLists.length) return merged;
    const best = openLists.reduce((a, b) => (compare(first(b), first(a)) < 0 ? b : a));
    merged.push(first(best));
    at[best] = (at[best] ?? 0) + 1;
  }
}

/** Compare code points, as Python does: `<` sorts an emoji before some other letters. @param {string} a @param {string} b */
function compareText(a, b) {
  const pointsOf = (/** @type {string} */ text) => Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const points = pointsOf(a);
  const others = pointsOf(b);
  const at = points.findIndex((point, index) => point !== others[index]);
  return at < 0 ? points.length - others.length : (points[at] ?? 0) - (others[at] ?? -1);
}

/**
 * Compare hits whose scores include the weight of their site.
 *
 * @type {Record<NonNullable<SearchOptions["sort"]>, (a: Hit, b: Hit) => number>}
 */
export const ORDERS = {
  relevance: (a, b) => Number(b.isFilterResult) - Number(a.isFilterResult) || b.score - a.score,
  title: (a, b) => compareText(a.title.toLowerCase(), b.title.toLowerCase()),
  path: (a, b) => compareText(a.path, b.path),
  updated: (a, b) => compareText(b.updated, a.updated),
  created: () => 0, // hits have no date of creation
};

/** @param {RetrievedChunk} a @param {RetrievedChunk} b */
export const byRank = (a, b) => Number(b.isFilterResult) - Number(a.isFilterResult) || b.rank - a.rank;

/** @param {SearchResult} result */
const isWeak = ({ notices }) => notices.some(({ code }) => WEAK.has(code));

/** @param {SearchResult} result @param {string} code */
const hasNotice = ({ notices }, code) => notices.some((notice) => notice.code === code);

/**
 * Return the sites that corrected the query, if another one has a page with all words as typed.
 *
 * @param {Map<number, SearchResult>} results  by site
 */
export function findCorrectedSites(results) {
  const all = [...results];
  const sites = all.flatMap(([site, result]) => (hasNotice(result, "corrected") ? [site] : []));
  const uncorrected = all.filter(([site, result]) => !sites.includes(site) && !isWeak(result));
  return uncorrected.some(([, { hits }]) => hits.some(({ coverage }) => coverage === "all")) ? sites : [];
}

/**
 * Empty the results of sites that do not have a filter's value, if another site has it.
 *
 * @param {Map<number, SearchResult>} results
 * @returns {Map<number, SearchResult>}
 */
export function clearUnknownFilters(results) {
  const hasUnknownFilter = (/** @type {SearchResult} */ result) => hasNotice(result, "unknown-filter");
  if ([...results.values()].every(hasUnknownFilter)) return results;
  const emptyResult = { hits: [], totalHits: 0, nextOffset: null, truncated: false, notices: [], facets: {}, unsettled: false };
  return new Map([...results].map(([site, result]) => [site, hasUnknownFilter(result) ? { ...result, ...emptyResult } : result]));
}

/**
 * Return each notice once. It has a site, unless all results with hits (of none: all results) have it.
 *
 * @param {Map<number, Pick<SearchResult, "hits" | "notices">>} results
 * @param {(site: number) => string} titleOf
 * @returns {SiteNotice[]}
 */
export function mergeNotices(results, titleOf) {
  const withHits = [...results].filter(([, { hits }]) => hits.length > 0);
  const shown = withHits.length ? withHits : [...results];
  const isStrong = shown.some(([, result]) => !isWeak(/** @type {SearchResult} */ (result)));
  /** @type {Map<string, {notice: Notice, sites: number[]}>} */
  const all = new Map();
  for (const [site, { notices }] of shown) {
    for (const notice of notices.filter(({ code }) => !(isStrong && WEAK.has(code)))) {
      const key = JSON.stringify([notice.code, notice.subject]);
      const { sites } = all.get(key) ?? { sites: [] };
      all.set(key, { notice: all.get(key)?.notice ?? notice, sites: [...sites, site] });
    }
  }
  return [...all.values()].flatMap(({ notice, sites }) =>
    sites.length === shown.length ? [notice] : sites.map((site) => ({ ...notice, site: titleOf(site) })),
  );
}

/**
 * Add the counts of equal values; the largest first, then by value.
 *
 * @param {Record<string, FacetCount[]>[]} facets
 * @returns {Record<string, FacetCount[]>}
 */
export function sumFacets(facets) {
  /** @type {Map<string, Map<string, number>>} */
  const totals = new Map();
  for (const [facet, counts] of facets.flatMap((site) => Object.entries(site))) {
    const facetTotals = totals.get(facet) ?? new Map();
    for (const { value, count } of counts) facetTotals.set(value, (facetTotals.get(value) ?? 0) + count);
    totals.set(facet, facetTotals);
  }
  const sorted = (/** @type {Map<string, number>} */ counts) =>
    [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count || compareText(a.value, b.value));
  return Object.fromEntries([...totals].map(([facet, counts]) => [facet, sorted(counts)]));
}

/**
 * Return the tier of a suggestion, from the pieces of its text: every second piece matched. A smaller tier is better.
 *
 * @param {Suggestion} suggestion
 */
export function tierOf({ kind, text }) {
  const isPrefix = text[0]?.trim() === "";
  const isEqual = isPrefix && text.every((piece, at) => at % 2 === 1 || !piece.trim());
  const matched = text.flatMap((piece, at) => (at % 2 ? [{ piece: piece.toLowerCase(), next: text[at + 1] ?? "" }] : []));
  const isWhole = (/** @type {{piece: string, next: string}} */ { piece, next }) =>
    !/^[\p{L}\p{N}]/u.test(next) || UNSPACED_CHARACTER.test(piece.at(-1) ?? "");
  const whole = new Set(matched.filter(isWhole).map(({ piece }) => piece));
  const isUnfinished = matched.some(({ piece }) => !whole.has(piece));
  const tiers = TIERS[kind];
  const rank = isEqual ? 0 : isPrefix ? 1 : 2;
  return (tiers[rank] ?? 0) + (rank && isUnfinished ? tiers.length - 1 : 0);
}

/** Length of a name. @param {Suggestion} suggestion */
const lengthOf = ({ text }) => [...text.join("")].length;

/** @param {Suggestion} a @param {Suggestion} b */
export const byTier = (a, b) => tierOf(a) - tierOf(b) || lengthOf(a) - lengthOf(b);

/** @param {InstantHit} a @param {InstantHit} b */
export const byScore = (a, b) => b.score - a.score;
