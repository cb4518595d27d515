/** Converts a hit to a group of links: the page, and below it its sections. */

import { element, icon, PAGE, SECTION } from "./dom.js";
import { markNodes, plainText } from "./marks.js";
import { makeCrumbs, makeOption } from "./suggestion-row.js";
import { resultHref } from "./urls.js";

/** @import { AnswerStrings } from "./answer-strings.js" */
/** @import { Hit, SubResult } from "../protocol.js" */
/** @import { Row, Site } from "./suggestion-row.js" */

/** A picture: media. */
const MEDIA = "M3 4h14v12H3ZM3 14l4-4 3 3 3-4 4 5";
/** A pencil: a note. */
const NOTE = "M4 16v-3l9-9 3 3-9 9ZM11 6l3 3";
const MAX_TAGS = 3;

/**
 * @param {string} className
 * @param {string | undefined} highlight
 * @returns {HTMLElement[]} empty for an empty text
 */
function makeLine(className, highlight) {
  return highlight ? [element("span", { class: className }, ...markNodes(highlight))] : [];
}

/**
 * @typedef {object} OptionContent
 * @property {string} url
 * @property {"page" | "section"} kind
 * @property {string} iconPath
 * @property {string} title
 * @property {string} [alias]    if it has more of the query's words
 * @property {string[]} above    titles
 * @property {string} details    date and tags
 * @property {string} snippet
 * @property {string} [snippetKind]  prose, code or table
 */

/**
 * Return the content of the options of a hit: the page, and its sections.
 *
 * @param {Hit} hit
 * @param {string[]} above  titles of the folders above it
 * @param {AnswerStrings} strings
 * @returns {[OptionContent, ...OptionContent[]]}
 */
export function makeOptionContents(hit, above, strings) {
  const { field, highlight, subResults, title, titleHighlight, url, kind, modality, snippetKind } = hit;
  const sections = subResults.length || hit.coverage !== "none" || !hit.anchor ? subResults : [makeNearSection(hit)];
  // If the section of the best chunk is listed below, the snippet is shown only there.
  const snippet = sections.some(({ anchor }) => anchor === hit.anchor) ? "" : hit.snippet;
  const alias = field === "alias" ? highlight : "";
  const iconPath = (modality ?? "text") !== "text" ? MEDIA : kind === "note" ? NOTE : PAGE;
  return [
    { url, kind: "page", iconPath, title: titleHighlight || title, alias, above, details: makeDetails(hit, strings), snippet, snippetKind },
    ...sections.map((section) => makeSectionContent(section)),
  ];
}

/**
 * Return the section that is near in meaning, which has no word of the query.
 *
 * @param {Hit} hit
 * @returns {SubResult}
 */
function makeNearSection({ anchor, breadcrumb, score, snippet, snippetKind, title, url }) {
  const heading = breadcrumb.startsWith(`${title} > `) ? (breadcrumb.split(" > ").at(-1) ?? "") : breadcrumb;
  return { anchor, breadcrumb, score, snippet, snippetKind, title: heading, titleHighlight: "", url: `${url}#${anchor}` };
}

/**
 * Return what helps to choose a page: the date of a note, and the tags if one of them has a word of the query.
 *
 * @param {Hit} hit
 * @param {AnswerStrings} strings
 */
function makeDetails({ coverage, field, kind, tags = [], updated = "" }, strings) {
  const date = kind === "note" ? updated : "";
  const tagTexts = field === "tags" ? tags.slice(0, MAX_TAGS).map((tag) => `#${tag}`) : [];
  return [date, ...tagTexts, coverage === "none" ? strings.near : ""].filter(Boolean).join(" · ");
}

/**
 * @param {SubResult} section
 * @returns {OptionContent}
 */
function makeSectionContent({ url, titleHighlight, title, snippet, snippetKind }) {
  return { url, kind: "section", iconPath: SECTION, title: titleHighlight || title, above: [], details: "", snippet, snippetKind };
}

/**
 * Return the row of a hit. Its old row is used again, and updated only if its content changes, so that the browser keeps the state
 * of its elements.
 *
 * @param {Hit} hit
 * @param {Site} site
 * @param {AnswerStrings} strings
 * @param {Row} [row]
 */
export function makeHitRow(hit, site, strings, row) {
  const contents = makeOptionContents(hit, site.trail(hit.url), strings);
  const content = JSON.stringify(contents);
  if (row?.content === content) return row;
  const group = row?.element ?? element("div", { class: "group", role: "group" });
  const oldOptions = new Map(row?.options.map((option) => [option.className + option.href, option]));
  const options = contents.map((option) => updateOption(option, site, oldOptions));
  const isNear = hit.coverage === "none";
  group.classList.toggle("near", isNear);
  if (!document.documentElement.lang.startsWith(hit.lang)) group.lang = hit.lang; // for voices and fonts
  group.setAttribute("aria-label", [plainText(contents[0].title), ...(isNear ? [strings.nearOnly] : [])].join(", "));
  group.replaceChildren(...options);
  return { id: hit.id, content, element: group, options };
}

/**
 * @param {OptionContent} content
 * @param {Site} site
 * @param {Map<string, HTMLAnchorElement>} oldOptions reusable options
 */
function updateOption({ url, kind, iconPath, title, alias, above, details, snippet, snippetKind = "" }, site, oldOptions) {
  const [href, className] = [resultHref(url, site.root), `option ${kind}`];
  const option = oldOptions.get(className + href) ?? makeOption(href, className);
  oldOptions.delete(className + href);
  const place = makeCrumbs([...(above.length ? [above.join(" › ")] : []), ...(details ? [details] : [])], " · ");
  const lines = [...makeLine("title", title), ...place, ...makeLine("crumbs alias", alias), ...makeLine(`snippet ${snippetKind}`, snippet)];
  option.replaceChildren(icon(iconPath), ...lines);
  return option;
}
