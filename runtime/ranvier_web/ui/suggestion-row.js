/** Converts a suggestion to a row of one link, in the style of result rows. */

import { element } from "./dom.js";
import { resultHref } from "./urls.js";

/** @import { InstantHit, Suggestion } from "../protocol.js" */

/**
 * @typedef {object} Row  a page and its sections, or a suggestion
 * @property {string} id
 * @property {string} shows  the content of its options, as JSON
 * @property {HTMLElement} element
 * @property {HTMLAnchorElement[]} options
 */

let made = 0;

/**
 * @param {string} href
 * @param {string} className
 * @returns {HTMLAnchorElement}
 */
export function emptyOption(href, className) {
  made += 1; // numbers are unique: `aria-activedescendant` stays correct when the option moves
  // The focus stays in the field; the arrow keys select options.
  const attributes = { class: className, role: "option", id: `option-${made}`, href, tabindex: -1 };
  return element("a", { ...attributes, "aria-selected": "false" });
}

/**
 * Return the id of a row by its address: suggestions have no page id.
 *
 * @param {string} url
 */
export const idAt = (url) => `at ${url}`;

/**
 * Return the address of a suggestion.
 *
 * @param {Suggestion | InstantHit} suggestion
 */
function addressOf({ url, anchor }) {
  return anchor && !url.includes("#") ? `${url}#${anchor}` : url;
}

/**
 * @param {Suggestion[]} suggestions
 * @param {string} siteRoot
 * @returns {Row[]} one for each address
 */
export function suggestionRows(suggestions, siteRoot) {
  const seen = new Set();
  const fresh = suggestions.filter((item) => !seen.has(addressOf(item)) && seen.add(addressOf(item)));
  return fresh.map((suggestion) => {
    const { kind, title } = suggestion;
    return rowAt(suggestion, idAt(addressOf(suggestion)), kind === "title" ? "" : title, siteRoot);
  });
}

/**
 * @param {InstantHit[]} hits
 * @param {string} siteRoot
 * @returns {Row[]} one for each page: its id is that of the page, so that the engine's hit can replace it
 */
export function instantRows(hits, siteRoot) {
  return hits.map((hit) => rowAt(hit, idAt(hit.url), hit.heading, siteRoot));
}

/**
 * @param {Suggestion | InstantHit} item
 * @param {string} id
 * @param {string} second  the second line
 * @param {string} siteRoot
 * @returns {Row}
 */
function rowAt(item, id, second, siteRoot) {
  const name = element("span", { class: "title" }, item.kind === "tag" ? "#" : "", ...item.text.map(piece));
  const option = emptyOption(resultHref(addressOf(item), siteRoot), "option page");
  option.append(name, ...(second ? [element("span", { class: "crumbs" }, second)] : []));
  const group = element("div", { class: "group", role: "group", "aria-label": item.title }, option);
  return { id, shows: "", element: group, options: [option] };
}

/**
 * @param {string} text
 * @param {number} at  every second piece matched
 */
function piece(text, at) {
  return at % 2 ? element("mark", { part: "mark" }, text) : text;
}

const { compare } = new Intl.Collator("en", { sensitivity: "base" });

/**
 * Whether the query equals the title of this page, ignoring case and accents.
 *
 * @param {string} query
 * @param {Suggestion | undefined} suggestion
 */
export function isExact(query, suggestion) {
  const spaced = (/** @type {string} */ text) => text.trim().replace(/\s+/g, " ");
  return suggestion?.kind === "title" && compare(spaced(suggestion.text.join("")), spaced(query)) === 0;
}
