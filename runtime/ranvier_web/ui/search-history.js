/** The search box in the browser's history: Back closes the dialog, and reopens it after a visit of a result. */

import { queryOf } from "./urls.js";

/** @import { BoxParts } from "./box-features.js" */

/**
 * @typedef {object} HistoryEntry  a search in the history
 * @property {number} box     index of the box in the page
 * @property {string} query
 * @property {string} href    the opened result; "" for none
 * @property {number} rows    number of pages in the list
 */

const NEW_ENTRY_DELAY = 1500; // ms: a query that stays for this time is a search of its own

/**
 * Return the same address with another query; all other parameters and the fragment stay.
 *
 * @param {string} href
 * @param {string} query
 */
export function withQuery(href, query) {
  const url = new URL(href);
  if (query) url.searchParams.set("q", query);
  else url.searchParams.delete("q");
  return url.href;
}

/**
 * Change the history. Some browsers limit how often this is possible; the next change then includes this one.
 *
 * @param {"pushState" | "replaceState"} change
 * @param {object | null} state
 * @param {string} [href]
 */
function changeHistory(change, state, href = location.href) {
  try {
    history[change](state, "", href);
  } catch {
    // explained above
  }
}

/** Return the state of the current entry without the search. */
function pageState() {
  const { ranvier, ...state } = history.state ?? {};
  return state;
}

const titlePrefix = (/** @type {string} */ query) => query && `${query} · `;

/** The common part of dialogs and inline boxes: it restores the list and its selection. */
class SearchHistory {
  box;
  /** The entry whose list is being restored. @type {HistoryEntry | null} */
  #restoring = null;

  /** @param {BoxParts} box */
  constructor(box) {
    this.box = box;
    const { signal } = box;
    addEventListener("popstate", () => this.onPopState(), { signal });
    addEventListener("pageshow", ({ persisted }) => persisted && this.onPopState(), { signal });
  }

  /** Number of this box in the page. */
  get #boxIndex() {
    return [...document.querySelectorAll("ranvier-search")].indexOf(this.box.host);
  }

  /** The current entry, if it belongs to this box. @returns {HistoryEntry | null} */
  get entry() {
    const entry = history.state?.ranvier;
    return entry?.box === this.#boxIndex ? entry : null;
  }

  /**
   * @param {"pushState" | "replaceState"} change
   * @param {Partial<HistoryEntry>} entry
   * @param {string} [href]
   */
  save(change, entry, href) {
    const merged = { query: "", href: "", rows: 0, ...this.entry, ...entry, box: this.#boxIndex };
    changeHistory(change, { ...history.state, ranvier: merged }, href);
  }

  /** @param {HistoryEntry} entry */
  restore(entry) {
    this.#restoring = entry.href ? entry : null;
  }

  /** @param {string} query */
  onQuery(query) {
    if (this.#restoring && this.#restoring.query !== query) this.#restoring = null;
  }

  /** An answer is in the list: fetch more until it is as long as before, and select the result. */
  onResults() {
    const { list } = this.box.panel;
    if (!this.#restoring || list.isChosen) return;
    const moreButton = this.box.root.querySelector(".more:not([hidden])");
    if (list.rows.length < this.#restoring.rows && moreButton instanceof HTMLButtonElement) {
      moreButton.click();
    } else if (list.select(this.#restoring.href)) this.#restoring = null;
  }

  /** The reader follows a result. @param {HTMLAnchorElement} link */
  onLeave(link) {
    const { list, query } = this.box.panel;
    this.save("replaceState", { query: query.trim(), href: link.href, rows: list.rows.length });
  }

  /** The browser has gone back or forward to this entry. */
  onPopState() {}
}

/** An open dialog is an entry of the history. */
export class DialogHistory extends SearchHistory {
  /** The dialog was closed by its button or a key; the browser goes back. */
  #isReturning = false;
  /** The reader follows a result: the entry stays, so that Back returns to it. */
  #isLeaving = false;

  /** Reopen the dialog when the page is loaded: by its history, or by a link with a query. */
  start() {
    if (this.entry) return this.onPopState();
    const query = queryOf(location.href);
    if (!query || document.querySelector("ranvier-search[inline]")) return;
    const address = location.href;
    changeHistory("replaceState", history.state, withQuery(address, ""));
    this.save("pushState", { query }, address);
    this.box.host.open(query);
  }

  onOpen() {
    this.#isLeaving = false;
    this.#syncEntry();
  }

  /** @override @param {string} query */
  onQuery(query) {
    super.onQuery(query);
    if (!this.entry || this.entry.query === query) return;
    const { href } = location;
    this.save("replaceState", { query, href: "", rows: 0 }, queryOf(href) ? withQuery(href, query) : href);
  }

  /** @override @param {HTMLAnchorElement} link */
  onLeave(link) {
    if (!this.entry) return;
    super.onLeave(link);
    this.#isLeaving = true;
    // The browser adds no entry for the same address. This one has no dialog, which a reload would open.
    if (link.href === location.href) changeHistory("pushState", pageState());
  }

  onClose() {
    if (!this.#isLeaving) this.#syncEntry();
  }

  /** Add the entry of an open dialog, or leave that of a closed one, when the browser has done its last step. */
  #syncEntry() {
    const isOpen = this.box.host.hasAttribute("open");
    if (this.#isReturning || isOpen === (this.entry !== null)) return;
    if (isOpen) return this.save("pushState", { query: this.box.panel.query.trim() });
    this.#isReturning = true;
    history.back();
  }

  /** @override */
  onPopState() {
    if (this.#isReturning) {
      this.#isReturning = false;
      return this.#syncEntry();
    }
    const { host, panel } = this.box;
    const { entry } = this;
    if (!entry) return host.close();
    if (host.hasAttribute("open")) return;
    if (!entry.query || panel.query.trim() === entry.query) return host.open();
    this.restore(entry);
    host.open(entry.query);
  }
}

/** On the search page each search is an entry of the history, with the query in the address. */
export class PageHistory extends SearchHistory {
  #lastChange = -NEW_ENTRY_DELAY;
  /** The title of the page without a query: a box that moves in its page, or that a router restores, finds one in the title. */
  #title = document.title.replace(titlePrefix(queryOf(location.href)), "");

  start() {
    if (this.entry) this.restore(this.entry);
  }

  onOpen() {}

  onClose() {}

  /** @override @param {string} query */
  onQuery(query) {
    super.onQuery(query);
    const before = queryOf(location.href);
    if (before !== query) {
      const isNew = before !== "" && performance.now() - this.#lastChange > NEW_ENTRY_DELAY;
      this.#lastChange = performance.now();
      changeHistory(isNew ? "pushState" : "replaceState", pageState(), withQuery(location.href, query));
    }
    document.title = titlePrefix(query) + this.#title; // of this entry
  }

  /** @override */
  onPopState() {
    const query = queryOf(location.href);
    if (query === this.box.panel.query.trim()) return;
    if (this.entry) this.restore(this.entry);
    this.box.panel.search(query);
  }
}
