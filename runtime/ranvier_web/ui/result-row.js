/** Converts a hit to a group of links: the page, and below it its sections. */

import { element } from "./dom.js";
import { markNodes, plainText } from "./marks.js";
import { emptyOption } from "./suggestion-row.js";
import { resultHref } from "./urls.js";

/** @import { Hit, SubResult } from "../protocol.js" */
/** @import { Row } from "./suggestion-row.js" */

const CRUMB_SEPARATOR = " > ";

/**
 * Return the location of a hit, without its title: headings if there are any, otherwise the parts of its path.
 *
 * @param {{title: string, breadcrumb?: string, path?: string}} hit
 * @returns {string[]}
 */
export function whereabouts({ title, breadcrumb, path }) {
  const start = title + CRUMB_SEPARATOR;
  if (breadcrumb?.startsWith(start)) return breadcrumb.slice(start.length).split(CRUMB_SEPARATOR);
  if (breadcrumb && breadcrumb !== title) return breadcrumb.split(CRUMB_SEPARATOR);
  return (path ?? "")
    .replace(/\.\w+$/, "")
    .split("/")
    .filter(Boolean);
}

/**
 * @param {string} className
 * @param {string | undefined} highlight
 * @returns {HTMLElement[]} empty for an empty text
 */
function line(className, highlight) {
  if (!highlight) return [];
  const span = element("span", { class: className });
  span.append(markNodes(highlight));
  return [span];
}

/**
 * @param {string[]} crumbs
 * @returns {HTMLElement[]}
 */
function crumbLine(crumbs) {
  return crumbs.length === 0 ? [] : [element("span", { class: "crumbs" }, crumbs.join(" › "))];
}

/**
 * @typedef {{url: string, kind: "page" | "section", title: string, crumbs: string[], snippet: string}} Entry  content of an option
 */

/**
 * @param {Hit} hit
 * @returns {[Entry, ...Entry[]]}
 */
function entriesOf(hit) {
  const { subResults } = hit;
  const title = hit.titleHighlight || hit.title;
  // If the section of the best chunk is listed below, the snippet is shown only there.
  const snippet = subResults.some(({ anchor }) => anchor === hit.anchor) ? "" : hit.snippet;
  return [
    { url: hit.url, kind: "page", title, crumbs: whereabouts(hit), snippet },
    ...subResults.map((section) => sectionEntry(section)),
  ];
}

/**
 * @param {SubResult} section
 * @returns {Entry}
 */
function sectionEntry({ url, titleHighlight, title, snippet }) {
  return { url, kind: "section", title: titleHighlight || title, crumbs: [], snippet };
}

/**
 * Return the row of a hit. Its old row is used again, and updated only if its content changes, so that the browser keeps the state
 * of its elements.
 *
 * @param {Hit} hit
 * @param {string} siteRoot
 * @param {Row} [row]
 * @returns {Row}
 */
export function rowOf(hit, siteRoot, row) {
  const entries = entriesOf(hit);
  const shows = JSON.stringify(entries);
  if (row?.shows === shows) return row;
  const group = row?.element ?? element("div", { class: "group", role: "group" });
  const old = new Map(row?.options.map((option) => [option.className + option.href, option]));
  const options = entries.map((entry) => optionOf(entry, siteRoot, old));
  group.setAttribute("aria-label", plainText(entries[0].title));
  group.replaceChildren(...options);
  return { id: hit.id, shows, element: group, options };
}

/**
 * @param {Entry} entry
 * @param {string} siteRoot
 * @param {Map<string, HTMLAnchorElement>} old reusable options
 * @returns {HTMLAnchorElement}
 */
function optionOf({ url, kind, title, crumbs, snippet }, siteRoot, old) {
  const [href, className] = [resultHref(url, siteRoot), `option ${kind}`];
  const option = old.get(className + href) ?? emptyOption(href, className);
  old.delete(className + href);
  option.replaceChildren(...line("title", title), ...crumbLine(crumbs), ...line("snippet", snippet));
  return option;
}
