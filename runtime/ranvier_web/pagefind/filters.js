/** Filters in Pagefind's form, compared with the tags of pages: the filter `color` with the value `red` is the tag `color/red`. */

/** @import { FacetCount } from "../protocol.js" */
/** @import { Counts, FilterValue } from "./types.js" */

/** @typedef {(tag: string) => boolean} HasTag */

const OPERATORS = ["any", "all", "none", "not"];

/** The form in which tags are compared. */
export const fold = (/** @type {string} */ tag) => tag.normalize("NFC").toLowerCase();

/** The parts of an operand: `[a, b]` and `{a, b}` have two. @param {any} operand */
function parts(operand) {
  if (Array.isArray(operand)) return operand;
  if (operand === null || typeof operand !== "object") return [operand];
  return Object.entries(operand).map(([key, value]) => ({ [key]: value }));
}

/**
 * Whether a page has the tags that filters require. `filter` is the name that a value without a name belongs to.
 *
 * @param {any} filters
 * @param {HasTag} has
 * @param {string} [filter]
 * @returns {boolean}
 */
export function matches(filters, has, filter = "") {
  const matchesPart = (/** @type {any} */ part) => matches(part, has, filter);
  if (Array.isArray(filters)) return filters.every(matchesPart);
  if (filters === null || typeof filters !== "object") return has(fold(`${filter}/${filters}`));
  return Object.entries(filters).every(([key, value]) => {
    if (key === "any") return parts(value).some(matchesPart);
    if (key === "none") return !parts(value).some(matchesPart);
    if (key === "not") return !parts(value).every(matchesPart);
    return key === "all" ? parts(value).every(matchesPart) : matches(value, has, key);
  });
}

/** @param {string[]} tags @returns {HasTag} whether one of them is the tag, or below it: `a/b` is below `a` */
export function hasTag(tags) {
  const names = tags.map(fold);
  return (tag) => names.some((name) => name === tag || name.startsWith(`${tag}/`));
}

/**
 * Return tags of which each matching page has one, or null; `isComplete`: the filters require nothing else.
 *
 * @param {Record<string, any>} filters
 * @returns {{tags: string[] | null, isComplete: boolean}}
 */
export function selectTags(filters) {
  const entries = Object.entries(filters);
  for (const [filter, value] of entries) {
    const isAny = value?.any !== undefined && Object.keys(value).length === 1;
    const values = isAny ? parts(value.any) : Array.isArray(value) ? value : [value];
    if (OPERATORS.includes(filter) || values.length === 0 || values.some((item) => typeof item !== "string")) continue;
    const tags = values.map((item) => `${filter}/${item}`);
    if (isAny || tags.length === 1) return { tags, isComplete: entries.length === 1 };
    return { tags: tags.slice(0, 1), isComplete: false };
  }
  return { tags: null, isComplete: entries.length === 0 };
}

/** @param {FilterValue[]} values @param {(value: FilterValue) => number} count */
export function countValues(values, count) {
  /** @type {Counts} */
  const counts = Object.create(null); // a page may have a filter "__proto__"
  for (const value of values) (counts[value[0]] ??= {})[value[1]] = count(value);
  return counts;
}

/** @param {FilterValue[]} values @param {FacetCount[]} [tags] */
export function countFacet(values, tags = []) {
  const numbers = new Map(tags.map(({ value, count }) => [value, count]));
  return countValues(values, ([, , tag]) => numbers.get(tag) ?? 0);
}
