/**
 * Marks the words of a search on the page of the opened result, and scrolls to the first of them.
 *
 * The CSS Custom Highlight API draws the marks: the elements of the page stay unchanged. A browser without it shows none.
 */

import { element, icon, CROSS } from "./dom.js";
import { decodePart, wordPattern } from "./marks.js";
import { MARKS_KEY } from "./urls.js";

/** @import { BoxParts } from "./box-features.js" */
/** @import { FeatureStrings } from "./feature-strings.js" */
/** @import { StoredMarks } from "./marks-store.js" */

const HIGHLIGHT = "ranvier-marks";
const MAX_MARKS = 500; // ranges
const SHOW_TIMEOUT = 5_000; // ms in which a site's own router shows the page
const STILL = { frames: 10, ms: 100 }; // a smooth scroll moves within them
const EXCLUDED = "script, style, noscript, template, textarea, select, ranvier-search, nav, [hidden]";

/**
 * Return the ranges of the words in the text of an element.
 *
 * @param {Element} root
 * @param {RegExp} pattern
 */
function rangesIn(root, pattern) {
  /** @type {Range[]} */
  const ranges = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < MAX_MARKS; node = walker.nextNode()) {
    if (node.parentElement?.closest(EXCLUDED)) continue;
    for (const { 0: word, index } of (node.textContent ?? "").matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** Return the words that are stored for this page. @returns {StoredMarks | null} */
function readMarks() {
  try {
    const { url, exact, words } = JSON.parse(sessionStorage.getItem(MARKS_KEY) ?? "null") ?? {};
    return Array.isArray(exact) && Array.isArray(words) && pageOf(url) === pageOf(location.href) ? { url, exact, words } : null;
  } catch {
    return null;
  }
}

/** A host may redirect a page to another form of its address. @param {string} href */
const pageOf = (href) => href.replace(/#.*/, "").replace(/(\/index)?(\.html)?\/?$/, "");

/** The button that removes the marks, and its box. A page has one set of marks for all its boxes. @type {{box: BoxParts, button: HTMLElement} | null} */
let shown = null;

export class PageMarks {
  #box;
  #strings;

  /**
   * @param {BoxParts} box
   * @param {FeatureStrings} strings
   */
  constructor(box, strings) {
    this.#box = box;
    this.#strings = strings;
    addEventListener("keydown", (event) => event.key === "Escape" && !event.defaultPrevented && this.clear(), { signal: box.signal });
    box.signal.addEventListener("abort", () => shown?.box === box && this.clear());
  }

  /** The reader has opened a result: mark its words, if a router or a link within this page shows it. */
  async follow() {
    this.clear();
    for (const start = performance.now(); performance.now() - start < SHOW_TIMEOUT && !this.#box.signal.aborted; ) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      if (this.show(true)) return;
    }
    if (!this.#box.signal.aborted && readMarks()) sessionStorage.removeItem(MARKS_KEY);
  }

  /**
   * Mark the words that a search has stored for this page.
   *
   * @param {boolean} [isOpened]  the reader has opened it just now: something else may have stopped the browser's scroll to the section
   * @returns {boolean} whether any are marked
   */
  show(isOpened = false) {
    if (!("highlights" in CSS) || this.#box.signal.aborted) return false; // the words are for the box that replaces this one
    const stored = readMarks();
    if (!stored) return false;
    const isSearching = this.#box.root.querySelector("dialog[open]"); // the page behind the dialog stays as it is
    const root = document.querySelector("main, [role=main], article") ?? document.body;
    const ranges = isSearching ? [] : findRanges(root, stored);
    const isPending = isOpened && !isSearching && ranges.length === 0; // a router may draw the page after it has changed the address
    if (!isPending) sessionStorage.removeItem(MARKS_KEY);
    if (ranges.length === 0) return false;
    CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
    this.#applyStyles();
    void scrollToFirst(ranges, new URL(stored.url).hash, isOpened);
    this.#showButton(ranges.length);
    return true;
  }

  clear() {
    CSS.highlights?.delete(HIGHLIGHT);
    shown?.button.remove();
    shown = null;
  }

  #applyStyles() {
    const { host } = this.#box;
    const colour = (/** @type {string} */ name) => getComputedStyle(host).getPropertyValue(name);
    markSheet.replaceSync(`::highlight(${HIGHLIGHT}) { background-color: ${colour("--mark")}; color: ${colour("--mark-ink")}; }`);
    if (!document.adoptedStyleSheets.includes(markSheet)) document.adoptedStyleSheets.push(markSheet);
  }

  /** @param {number} count */
  #showButton(count) {
    shown?.button.remove();
    const button = element("button", { type: "button", class: "unmark", popover: "manual" });
    shown = { box: this.#box, button };
    button.append(icon(CROSS), this.#strings.unmark(count));
    button.addEventListener("click", () => this.clear());
    this.#box.root.append(button);
    button.showPopover?.();
  }
}

const markSheet = new CSSStyleSheet();

/**
 * @param {Element} root
 * @param {StoredMarks} stored
 */
function findRanges(root, { exact, words }) {
  const attempts = [[exact, true], [exact, false], [words, true], [words, false]];
  for (const [list, isExact] of /** @type {[string[], boolean][]} */ (attempts)) {
    const ranges = list.length > 0 ? rangesIn(root, wordPattern(list, isExact)) : [];
    if (ranges.length > 0) return ranges;
  }
  return [];
}

/** Wait until the page does not scroll: Chromium adds the rest of a smooth scroll to a jump. A busy browser may draw late. */
async function scrollEnd() {
  for (let [place, start, frames] = [NaN, 0, 0]; frames < STILL.frames || performance.now() - start < STILL.ms; frames++) {
    if (place !== scrollY) [place, start, frames] = [scrollY, performance.now(), 0];
    await new Promise(requestAnimationFrame);
  }
}

/**
 * Scroll to the first visible range: after the section of the address, if there is one. A reader who has scrolled is not moved.
 *
 * @param {Range[]} ranges
 * @param {string} hash
 * @param {boolean} isOpened
 */
async function scrollToFirst(ranges, hash, isOpened) {
  await scrollEnd();
  const section = hash ? document.getElementById(decodePart(hash.slice(1))) : null; // Firefox warns of an empty id
  const top = section?.getBoundingClientRect().top ?? -scrollY; // of the section, which the browser has scrolled to its top
  if (!CSS.highlights.has(HIGHLIGHT) || (!isOpened && (top < -1 || top > innerHeight))) return;
  const follows = (/** @type {Range} */ range) => section && section.compareDocumentPosition(range.startContainer) & 4;
  // Chromium knows the place of text in a closed block.
  const isVisible = (/** @type {Range} */ range) => range.getClientRects().length > 0 && closedBlocks(range).length === 0;
  if (!ranges.some(isVisible)) {
    const hidden = ranges.filter((range) => closedBlocks(range).length > 0);
    for (const block of closedBlocks(hidden.find(follows) ?? hidden[0])) block.open = true;
  }
  const visible = ranges.filter(isVisible);
  const below = visible.find(follows);
  const first = below ?? visible[0];
  // The heading of the section is close to the top; elsewhere, a header of the page may cover the mark.
  const isShown = () => !first || isInView(first, below ? 0 : 80);
  if (section && isInView(section, 0) && isShown()) return;
  section?.scrollIntoView({ behavior: "instant" });
  if (!isShown()) first?.startContainer.parentElement?.scrollIntoView({ behavior: "instant", block: "center" });
}

/** Return the closed tabs and other blocks that hide a range. Their summaries are visible. @param {Range} [range] */
function closedBlocks(range) {
  const blocks = [];
  for (let node = range?.startContainer; node?.parentElement; node = node.parentElement) {
    const block = node.parentElement;
    if (block instanceof HTMLDetailsElement && !block.open && node.nodeName !== "SUMMARY") blocks.push(block);
  }
  return blocks;
}

/**
 * @param {Element | Range} part
 * @param {number} top
 */
function isInView(part, top) {
  const place = part.getBoundingClientRect();
  return place.top > top && place.bottom < innerHeight;
}
