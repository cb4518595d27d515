/** The search box in the browser's history: Back closes the dialog, and reopens it after a visit of a result. */

import { queryOf, withQuery } from "./urls.js";

/** @import { BoxParts } from "./box-features.js" */

/**
 * @typedef {object} Visit  what the history keeps of a search
 * @property {number} box     which box of the page, from 0
 * @property {string} query
 * @property {string} href    the opened result; "" for none
 * @property {number} rows    how many pages the list had
 */

const SETTLED = 1500; // ms: a query that stays for this time is a search of its own

/**
 * Change the history. Some browsers limit how often this is possible; the next change then includes this one.
 *
 * @param {"pushState" | "replaceState"} change
 * @param {object | null} state
 * @param {string} [href]
 */
function write(change, state, href = location.href) {
  try {
    history[change](state, "", href);
  } catch {
    // explained above
  }
}

/** The part that is common to dialogs and inline boxes: the list and its selection come back. */
class WayBack {
  /** @type {BoxParts} */
  box;
  /** The visit whose list is being restored. @type {Visit | null} */
  #visit = null;

  /** @param {BoxParts} box */
  constructor(box) {
    this.box = box;
    const { signal } = box;
    addEventListener("popstate", () => this.popped(), { signal });
    addEventListener("pageshow", ({ persisted }) => persisted && this.popped(), { signal });
  }

  /** Number of this box in the page. */
  get #number() {
    return [...document.querySelectorAll("ranvier-search")].indexOf(this.box.host);
  }

  /** The visit in the current history entry, if it is of this box. @returns {Visit | null} */
  get visit() {
    const visit = history.state?.ranvier;
    return visit?.box === this.#number ? visit : null;
  }

  /**
   * @param {"pushState" | "replaceState"} change
   * @param {Partial<Visit>} visit
   * @param {string} [href]
   */
  write(change, visit, href) {
    const merged = { query: "", href: "", rows: 0, ...this.visit, ...visit, box: this.#number };
    write(change, { ...history.state, ranvier: merged }, href);
  }

  /** @param {Visit} visit */
  restore(visit) {
    this.#visit = visit.href ? visit : null;
  }

  /** @param {string} query */
  searched(query) {
    if (this.#visit && this.#visit.query !== query) this.#visit = null;
  }

  /** An answer is in the list: fetch more until it is as long as before, and select the result. */
  answered() {
    const { list } = this.box.panel;
    if (!this.#visit || list.isChosen) return;
    const more = this.box.root.querySelector(".more:not([hidden])");
    if (list.rows.length < this.#visit.rows && more instanceof HTMLButtonElement) {
      more.click();
    } else if (list.select(this.#visit.href)) this.#visit = null;
  }

  /** The reader follows a result. @param {HTMLAnchorElement} link */
  left(link) {
    const { list, query } = this.box.panel;
    this.write("replaceState", { query: query.trim(), href: link.href, rows: list.rows.length });
  }

  /** The browser has gone back or forward to this entry. */
  popped() {}
}

/** An open dialog is an entry of the history. */
export class DialogHistory extends WayBack {
  /** The dialog was closed by its button or a key; the browser goes back. */
  #isReturning = false;
  /** The reader follows a result: the entry stays, to come back to. */
  #isLeaving = false;

  /** Reopen the dialog when the page is loaded: by its history, or by a link with a query. */
  begin() {
    if (this.visit) return this.popped();
    const query = queryOf(location.href);
    if (!query || document.querySelector("ranvier-search[inline]")) return;
    const address = location.href;
    write("replaceState", history.state, withQuery(address, ""));
    this.write("pushState", { query }, address);
    this.box.host.open(query);
  }

  opened() {
    this.#isLeaving = false;
    this.#adjust();
  }

  /** @override @param {string} query */
  searched(query) {
    super.searched(query);
    if (!this.visit || this.visit.query === query) return;
    const { href } = location;
    this.write("replaceState", { query, href: "", rows: 0 }, queryOf(href) ? withQuery(href, query) : href);
  }

  /** @override @param {HTMLAnchorElement} link */
  left(link) {
    if (!this.visit) return;
    super.left(link);
    this.#isLeaving = true;
  }

  closed() {
    if (!this.#isLeaving) this.#adjust();
  }

  /** Add the entry of an open dialog, or leave that of a closed one, when the browser has done its last step. */
  #adjust() {
    const isOpen = this.box.host.hasAttribute("open");
    if (this.#isReturning || isOpen === (this.visit !== null)) return;
    if (isOpen) return this.write("pushState", { query: this.box.panel.query.trim() });
    this.#isReturning = true;
    history.back();
  }

  /** @override */
  popped() {
    if (this.#isReturning) {
      this.#isReturning = false;
      return this.#adjust();
    }
    const { host, panel } = this.box;
    const { visit } = this;
    if (!visit) return host.close();
    if (host.hasAttribute("open")) return;
    if (!visit.query || panel.query.trim() === visit.query) return host.open();
    this.restore(visit);
    host.open(visit.query);
  }
}

/** On the search page each search is an entry of the history, with the query in the address. */
export class PageHistory extends WayBack {
  #changedAt = -SETTLED;

  begin() {
    if (this.visit) this.restore(this.visit);
  }

  opened() {}

  closed() {}

  /** @override @param {string} query */
  searched(query) {
    super.searched(query);
    const before = queryOf(location.href);
    if (before === query) return;
    const isNew = before !== "" && performance.now() - this.#changedAt > SETTLED;
    this.#changedAt = performance.now();
    const { ranvier, ...state } = history.state ?? {};
    write(isNew ? "pushState" : "replaceState", state, withQuery(location.href, query));
  }

  /** @override */
  popped() {
    const query = queryOf(location.href);
    if (query === this.box.panel.query.trim()) return;
    if (this.visit) this.restore(this.visit);
    this.box.panel.ask(query);
  }
}
