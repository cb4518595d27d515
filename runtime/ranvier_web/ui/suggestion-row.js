/** Converts a suggestion to a row of one link, in the style of result rows. */

import { element, icon, PAGE, SECTION, TAG } from "./dom.js";
import { resultHref } from "./urls.js";

/** @import { InstantHit, Suggestion } from "../protocol.js" */

/**
 * @typedef {object} Row  a page and its sections, or a suggestion
 * @property {string} id
 * @property {string} content  the content of its options, as JSON
 * @property {HTMLElement} element
 * @property {HTMLAnchorElement[]} options
 *
 * @typedef {object} Site
 * @property {string} root  address
 * @property {(url: string) => string[]} trail  the titles of the folders above a page
 */

let optionCount = 0;

/**
 * @param {string} href
 * @param {string} className
 */
export function makeOption(href, className) {
  optionCount += 1; // numbers are unique: `aria-activedescendant` stays correct when the option moves
  // The focus stays in the field; the arrow keys select options.
  const attributes = { class: className, role: "option", id: `option-${optionCount}`, href, tabindex: -1 };
  return element("a", { ...attributes, "aria-selected": "false" });
}

/**
 * Return the id of a row by its address: suggestions have no page id.
 *
 * @param {string} url
 */
export const rowId = (url) => `at ${url}`;

/**
 * Return the address of a suggestion.
 *
 * @param {Suggestion | InstantHit} suggestion
 */
function addressOf({ url, anchor }) {
  return anchor && !url.includes("#") ? `${url}#${anchor}` : url;
}

/**
 * Return where a page is, as a path of titles.
 *
 * @param {string[]} titles
 * @param {string} [separator]
 * @returns {HTMLElement[]} empty for an empty path
 */
export const makeCrumbs = (titles, separator = " › ") => (titles.length ? [element("span", { class: "crumbs" }, titles.join(separator))] : []);

/**
 * @param {Suggestion[]} suggestions
 * @param {Site} site
 * @returns {Row[]} one for each address
 */
export function suggestionRows(suggestions, site) {
  const seen = new Set();
  const unique = suggestions.filter((item) => !seen.has(addressOf(item)) && seen.add(addressOf(item)));
  return unique.map((suggestion) => {
    const { kind, title, url } = suggestion;
    const above = [...site.trail(url), ...(kind === "title" ? [] : [title])];
    return makeRow(suggestion, rowId(addressOf(suggestion)), makeCrumbs(above), site);
  });
}

/**
 * @param {InstantHit[]} hits
 * @param {Site} site
 * @returns {Row[]} one for each page: its id is that of the page, so that the engine's hit can replace it
 */
export function instantRows(hits, site) {
  return hits.map((hit) => {
    const heading = hit.heading ? [element("span", { class: "crumbs" }, `# ${hit.heading}`)] : [];
    return makeRow(hit, rowId(hit.url), [...makeCrumbs(site.trail(hit.url)), ...heading], site);
  });
}

/**
 * @param {Suggestion | InstantHit} item
 * @param {string} id
 * @param {HTMLElement[]} lines  below the name
 * @param {Site} site
 * @returns {Row}
 */
function makeRow(item, id, lines, site) {
  const pieces = item.text.map((piece, at) => (at % 2 ? element("mark", { part: "mark" }, piece) : piece)); // every second one matched
  const name = element("span", { class: "title" }, item.kind === "tag" ? "#" : "", ...pieces);
  const option = makeOption(resultHref(addressOf(item), site.root), "option page");
  option.append(icon({ heading: SECTION, tag: TAG }[/** @type {string} */ (item.kind)] ?? PAGE), name, ...lines);
  const group = element("div", { class: "group", role: "group", "aria-label": item.title }, option);
  return { id, content: "", element: group, options: [option] };
}

const { compare } = new Intl.Collator("en", { sensitivity: "base" });

/**
 * Whether the query equals the title of this page, ignoring case and accents.
 *
 * @param {string} query
 * @param {Suggestion | undefined} suggestion
 */
export function isExact(query, suggestion) {
  const normalize = (/** @type {string} */ text) => text.trim().replace(/\s+/g, " ");
  return suggestion?.kind === "title" && compare(normalize(suggestion.text.join("")), normalize(query)) === 0;
}
