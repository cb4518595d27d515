/** A suggestion → a row of one link, as the rows of results look. */

import { element } from "./dom.js";
import { resultHref } from "./urls.js";

/** @import { Suggestion } from "../protocol.js" */

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
 * @param {Suggestion} suggestion
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
  const fresh = suggestions.filter((one) => !seen.has(addressOf(one)) && seen.add(addressOf(one)));
  return fresh.map((suggestion) => {
    const { kind, text, title } = suggestion;
    const url = addressOf(suggestion);
    const name = element("span", { class: "title" }, kind === "tag" ? "#" : "", ...text.map(piece));
    const option = emptyOption(resultHref(url, siteRoot), "option page");
    option.append(name, ...(kind === "title" ? [] : [element("span", { class: "crumbs" }, title)]));
    const group = element("div", { class: "group", role: "group", "aria-label": title }, option);
    return { id: idAt(url), shows: "", element: group, options: [option] };
  });
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
