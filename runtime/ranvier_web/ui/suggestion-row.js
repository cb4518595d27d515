/** A suggestion → a row of one link, as the rows of results look. */

import { element } from "./dom.js";
import { resultHref } from "./urls.js";

/** @import { InstantHit, Suggestion } from "../protocol.js" */

/**
 * @typedef {object} Row  a page and its sections, or what was suggested
 * @property {string} id
 * @property {string} shows  what its options show
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
  made += 1; // a number is never given twice: a field that points at an option means this one, wherever it stands
  // The focus stays in the field; the arrows reach the options.
  const attributes = { class: className, role: "option", id: `option-${made}`, href, tabindex: -1 };
  return element("a", { ...attributes, "aria-selected": "false" });
}

/**
 * The id of the row that leads to this address: until there are results nothing else is known of a page.
 *
 * @param {string} url
 */
export const idAt = (url) => `at ${url}`;

/**
 * Where a suggestion leads.
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
 * @returns {Row[]} one for each page: its id is the page's, so that the engine's hit takes its place
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
  return at % 2 ? element("mark", {}, text) : text;
}

const { compare } = new Intl.Collator("en", { sensitivity: "base" });

/**
 * Whether what was typed is the whole title of this page, but for case and accents.
 *
 * @param {string} query
 * @param {Suggestion | undefined} suggestion
 */
export function isExact(query, suggestion) {
  const spaced = (/** @type {string} */ text) => text.trim().replace(/\s+/g, " ");
  return suggestion?.kind === "title" && compare(spaced(suggestion.text.join("")), spaced(query)) === 0;
}
