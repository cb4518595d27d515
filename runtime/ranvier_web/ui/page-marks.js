/**
 * Marks the words of a search on the page of the opened result, and scrolls to the first of them.
 *
 * The CSS Custom Highlight API draws the marks: the elements of the page stay unchanged. A browser without it shows none.
 */

import { element, icon, CROSS } from "./dom.js";
import { wordPattern } from "./marks.js";
import { MARKS_KEY } from "./urls.js";

/** @import { BoxParts } from "./box-features.js" */
/** @import { FeatureStrings } from "./feature-strings.js" */

/** @typedef {{url: string, exact: string[], words: string[]}} Marked  words as the result shows them, and those of the query */

const HIGHLIGHT = "ranvier-marks";
const MOST_MARKS = 500; // ranges
const SHORTEST = 2; // letters of a word without an exact form; in other scripts one sign is a word
const PATIENCE = 5_000; // ms in which a site's own router shows the page
const SKIPPED = "script, style, noscript, template, textarea, select, ranvier-search, nav, [hidden]";
const OPERATOR = /^(and|or|not|near)$/i;

/**
 * Return the words of a query, without operators, filters and exclusions.
 *
 * @param {string} query
 * @returns {string[]}
 */
export function wordsOf(query) {
  const pieces = query.replace(/\[\[.*?\]\]|[\p{L}-]+:("[^"]*"|\S*)|(^|\s)-\S+/gu, " ").match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const words = pieces.filter((word) => !OPERATOR.test(word) && (word.length > SHORTEST || /[^\u0000-\u024f]/.test(word)));
  return [...new Set(words)];
}

/**
 * Return the ranges of the words in the text of an element.
 *
 * @param {Element} root
 * @param {RegExp} pattern
 * @returns {Range[]}
 */
function rangesIn(root, pattern) {
  /** @type {Range[]} */
  const ranges = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < MOST_MARKS; node = walker.nextNode()) {
    if (node.parentElement?.closest(SKIPPED)) continue;
    for (const { 0: word, index } of (node.textContent ?? "").matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** Keep the words for the page of a result. @param {HTMLAnchorElement} link @param {string} query @param {boolean} isAnswer */
export function keepMarks(link, query, isAnswer) {
  const marks = isAnswer ? [...(link.closest(".group")?.querySelectorAll("mark") ?? [])] : [];
  const exact = [...new Set(marks.map(({ textContent }) => textContent ?? ""))].filter(Boolean);
  try {
    sessionStorage.setItem(MARKS_KEY, JSON.stringify({ url: link.href, exact, words: wordsOf(query) }));
  } catch {
    // without storage there are no marks
  }
}

/** Return the kept words, and remove them. @returns {Marked | null} */
function takeMarks() {
  try {
    const { url, exact, words } = JSON.parse(sessionStorage.getItem(MARKS_KEY) ?? "null") ?? {};
    if (!Array.isArray(exact) || !Array.isArray(words) || pageOf(url) !== pageOf(location.href)) return null;
    sessionStorage.removeItem(MARKS_KEY);
    return { url, exact, words };
  } catch {
    return null;
  }
}

const pageOf = (/** @type {string} */ href) => href.replace(/#.*/, "").replace(/\/index\.html$/, "/");

export class PageMarks {
  /** @type {BoxParts} */
  #box;
  /** @type {FeatureStrings} */
  #words;
  /** @type {HTMLButtonElement | null} */
  #button = null;

  /**
   * @param {BoxParts} box
   * @param {FeatureStrings} words
   */
  constructor(box, words) {
    this.#box = box;
    this.#words = words;
    addEventListener("keydown", (event) => event.key === "Escape" && !event.defaultPrevented && this.clear(), { signal: box.signal });
    box.signal.addEventListener("abort", () => this.clear());
    this.show();
  }

  /** The reader has opened a result: mark its words, if a router or a link within this page shows it. */
  async follow() {
    this.clear();
    for (const start = performance.now(); performance.now() - start < PATIENCE && !this.#box.signal.aborted; ) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      if (this.show()) return;
    }
  }

  /** Mark the words that a search has kept for this page. @returns {boolean} whether any are marked */
  show() {
    if (!("highlights" in CSS)) return false;
    const marked = takeMarks();
    const root = document.querySelector("main, [role=main], article") ?? document.body;
    const ranges = marked ? find(root, marked) : [];
    if (!marked || ranges.length === 0) return false;
    CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
    this.#paint();
    reveal(ranges, new URL(marked.url).hash);
    this.#offer(ranges.length);
    return true;
  }

  clear() {
    if (!("highlights" in CSS)) return;
    CSS.highlights.delete(HIGHLIGHT);
    this.#button?.remove();
    this.#button = null;
  }

  #paint() {
    const { host } = this.#box;
    const colour = (/** @type {string} */ name) => getComputedStyle(host).getPropertyValue(name);
    markSheet.replaceSync(`::highlight(${HIGHLIGHT}) { background-color: ${colour("--mark")}; color: ${colour("--mark-ink")}; }`);
    if (!document.adoptedStyleSheets.includes(markSheet)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, markSheet];
  }

  /** @param {number} count */
  #offer(count) {
    this.#button?.remove();
    const button = (this.#button = element("button", { type: "button", class: "unmark", popover: "manual" }));
    button.append(icon(CROSS), this.#words.unmark(count));
    button.addEventListener("click", () => this.clear());
    this.#box.root.append(button);
    button.showPopover?.();
  }
}

const markSheet = new CSSStyleSheet();

/**
 * @param {Element} root
 * @param {Marked} marked
 */
function find(root, { exact, words }) {
  const tries = [[exact, true], [exact, false], [words, true], [words, false]];
  for (const [list, isExact] of /** @type {[string[], boolean][]} */ (tries)) {
    const ranges = list.length > 0 ? rangesIn(root, wordPattern(list, isExact)) : [];
    if (ranges.length > 0) return ranges;
  }
  return [];
}

/**
 * Scroll to the first visible range: after the section of the address, if there is one.
 *
 * @param {Range[]} ranges
 * @param {string} hash
 */
function reveal(ranges, hash) {
  const section = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  const visible = ranges.filter((range) => range.getClientRects().length > 0);
  const below = visible.find((range) => section && section.compareDocumentPosition(range.startContainer) & 4);
  const first = below ?? visible[0];
  const place = first?.getBoundingClientRect();
  if (!first || !place || (place.top > 80 && place.bottom < innerHeight)) return;
  first.startContainer.parentElement?.scrollIntoView({ behavior: "instant", block: "center" });
}
