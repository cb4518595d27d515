/**
 * The field and the results below it, in the dialog and on the search page.
 *
 * From the first key on it lists results that need no engine: names that match as a prefix, and pages with the words. The engine's
 * answers are in `answers.js`, which is loaded with the first search.
 */

import { imported } from "../modules.js";
import { element } from "./dom.js";
import { makeField, makeInput } from "./field.js";
import { fieldAction } from "./key-bindings.js";
import { PanelView } from "./panel-view.js";
import { ResultList } from "./result-list.js";
import { instantRows, isExact, suggestionRows } from "./suggestion-row.js";
import { Debounce } from "./debounce.js";
import { pauseAfter } from "./preload-policy.js";

/** @import { Answers } from "./answers.js" */
/** @import { EngineClient } from "./engine-client.js" */
/** @import { Hit, InstantHit, SearchResult, Suggestion } from "../protocol.js" */
/** @import { Strings } from "./strings.js" */
/** @import { Site } from "./suggestion-row.js" */

/**
 * @typedef {object} PanelOptions
 * @property {EngineClient} client
 * @property {string} siteRoot
 * @property {string} placeholder
 * @property {Strings} words
 * @property {(query: string) => void} onQuery  a search starts; "" if the field is empty
 * @property {(answers: Answers) => void} onAnswers  the first search of the engine starts
 * @property {<T>(english: T) => T} translate   translates a table of English strings
 * @property {(hit: Hit, link: HTMLAnchorElement) => Node | null | void} render  the site's own content of a hit's link
 * @property {(query: string, result: SearchResult) => void} onResults  an answer is in the list
 * @property {(link: HTMLAnchorElement, event: Event) => void} onLeave  the reader opens a result in this tab
 * @property {(() => void) | null} onClose      the reader closes the dialog; null if there is no dialog
 *
 * @typedef {{query: string, first: Suggestion | undefined}} Suggested  a query and its first suggestion
 */

const GRACE = 180; // ms: a ready engine usually answers within this time, so suggestions would only flash
const SUGGESTIONS = 6;
const ROWS = 8; // suggestions, and pages with the words below them

/** A search field with its results. */
export class SearchPanel {
  /** @type {HTMLElement} */
  element;
  /** @type {HTMLInputElement} */
  input;
  /** @type {ResultList} */
  list;
  /** @type {PanelView} */
  view;
  /** @type {PanelOptions} */
  options;
  /** @type {Site} */
  site;
  /** The visible suggestions. @type {Suggested | null} */
  suggested = null;
  /** @type {Debounce<string>} */
  #typing = new Debounce((query) => this.#run(query), 0);
  #suggesting = new AbortController();
  /** @type {Answers | null} */
  #answers = null;
  /** Time of the last key. */
  #keyAt = -Infinity;
  #entered = false;
  /** Set if Enter was pressed before this query had any row to open. @type {{query: string, newTab: boolean} | null} */
  #awaited = null;

  /** @param {PanelOptions} options */
  constructor(options) {
    const { onClose, onLeave, placeholder, words } = options;
    this.options = options;
    this.site = { root: options.siteRoot, trail: () => [] };
    this.input = makeInput(placeholder, words);
    this.list = new ResultList({ label: words.listLabel, onSelect: (option) => this.#point(option), onLeave });
    this.view = new PanelView(words, this.list.element);
    this.element = element("div", { class: "panel", part: "panel" }, makeField(this.input, onClose, words), ...this.view.elements);
    this.#listen();
    this.view.showIdle();
  }

  /** The query. A blank at its end is kept: the last word is then complete. */
  get query() {
    const query = this.input.value.trimStart();
    return query.trim() ? query : "";
  }

  /** Whether the first visible suggestion is exactly the query. */
  get isExact() {
    return this.suggested !== null && isExact(this.suggested.query, this.suggested.first);
  }

  /** Focus the field and select its text, so that typing replaces it. */
  focus() {
    this.input.focus();
    this.input.select();
  }

  /**
   * Set the query and search for it immediately.
   *
   * @param {string} query
   */
  ask(query) {
    this.input.value = query;
    this.#keyAt = -Infinity;
    this.#answers?.begin();
    void this.#suggest();
    this.#typing.now(this.query);
  }

  #listen() {
    this.input.addEventListener("focus", () => this.#warm());
    this.input.addEventListener("keydown", (event) => this.#press(event));
    this.input.addEventListener("input", (event) => {
      // Skip incomplete input of an input method; `compositionend` follows.
      if (/** @type {InputEvent} */ (event).isComposing) this.#answers?.begin();
      else this.#changed();
    });
    this.input.addEventListener("compositionend", () => this.#changed());
    this.view.retry.addEventListener("click", () => this.#again());
  }

  #warm() {
    const { client } = this.options;
    client.warm();
    // Without it, rows have no path.
    client.folders().then((folders) => (this.site.trail = (url) => folders.trail(url))).catch(() => {});
  }

  #changed() {
    const { query } = this;
    this.list.moved = this.#entered = false;
    this.#awaited = null;
    this.#keyAt = performance.now();
    this.#answers?.begin(0);
    void this.#suggest();
    const pause = pauseAfter(query, this.options.client.spares);
    // An empty field is handled immediately, without a flash of old results.
    if (!query) this.#typing.now("");
    else if (pause === null) this.#typing.cancel();
    else this.#typing.later(query, pause);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const action = fieldAction(event, { hasOptions: this.list.count > 0, moved: this.list.moved });
    if (action === null) return;
    event.preventDefault();
    if (action === "go" || action === "go-new-tab") return this.#go(action === "go-new-tab");
    this.#awaited = null;
    this.list.move(action);
  }

  /** @param {boolean} newTab */
  #go(newTab) {
    const { query } = this;
    if (!query) return;
    // If Enter is pressed before the pause ends, the visible results belong to an older query.
    const another = this.#typing.pending || this.#answers?.answered !== query;
    // If it is pressed without interaction, it starts the semantic refresh, which may change the first row.
    const early = another || (this.#answers?.waiting && !newTab && this.list.held < 0);
    const suggested = this.suggested?.query === query;
    // If the engine has failed, the suggestions are the result.
    const jumps = suggested && (this.list.isChosen || this.isExact || (this.view.isError && !this.#typing.pending));
    if (early && !jumps) {
      if (!suggested && this.#answers?.answered !== query) this.#awaited = { query, newTab };
      return this.#enter(query);
    }
    this.#open(this.list.target, newTab);
  }

  /**
   * @param {HTMLAnchorElement | null} link
   * @param {boolean} newTab
   */
  #open(link, newTab) {
    if (link && newTab) window.open(link.href, "_blank", "noopener");
    else link?.click();
  }

  /**
   * The rows of a query are complete: open the first one if the reader has pressed Enter for it, and the field still has the focus.
   *
   * @param {string} query
   */
  arrived(query) {
    const awaited = this.#awaited;
    if (awaited?.query !== query) return;
    this.#awaited = null;
    const root = /** @type {Document | ShadowRoot} */ (this.input.getRootNode());
    // A closed dialog keeps the focus until the next frame, but its field is not rendered any more.
    const present = root.activeElement === this.input && this.input.getClientRects().length > 0;
    if (present) this.#open(this.list.selected, awaited.newTab);
  }

  /** Search immediately, including the semantic refresh. @param {string} query */
  #enter(query) {
    this.#entered = true;
    this.#answers?.now();
    const { pending, answered } = this.#answers ?? {};
    if (this.#typing.pending || (pending !== query && answered !== query)) this.#typing.now(query);
  }

  /** @param {HTMLAnchorElement | null} option */
  #point(option) {
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-expanded", String(this.list.count > 0));
  }

  /** Show suggestions, unless the answer arrives first. A newer query cancels this one. */
  async #suggest() {
    const { query } = this;
    this.#suggesting.abort();
    const { signal } = (this.#suggesting = new AbortController());
    if (!query) return;
    const { client } = this.options;
    const none = () => []; // the search reports the error
    const grace = client.ready ? new Promise((resolve) => setTimeout(resolve, GRACE)) : null;
    // A ready engine answers soon, and with more than the lists contain.
    const hits = client.ready ? [] : client.instant(query, { limit: ROWS, signal }).catch(none);
    const [names] = await Promise.all([client.suggest(query, { limit: SUGGESTIONS, signal }).catch(none), grace]);
    const over = () => signal.aborted || (this.#answers?.answered === query && this.list.count > 0);
    if (over()) return;
    if (names.length > 0) this.#showNames(query, names);
    const pages = await hits;
    if (over() || this.#answers?.answered === query) return;
    if (pages.length > 0) this.#showHits(query, names, pages);
    // Keep the suggestions of an older query until there are new rows.
    else if (names.length === 0 && this.suggested) this.view.age();
  }

  /**
   * @param {string} query
   * @param {Suggestion[]} names
   */
  #showNames(query, names) {
    const over = this.#answers?.answered === query;
    if (!over) this.#answers?.forget();
    this.suggested = over ? null : { query, first: names[0] };
    this.list.show(suggestionRows(names, this.site));
    if (over) this.#answers?.leave(query);
    else this.view.showSuggestions(true);
    this.list.shown();
    if (this.isExact) this.arrived(query);
  }

  /**
   * Show pages with the words, below the names.
   *
   * @param {string} query
   * @param {Suggestion[]} names
   * @param {InstantHit[]} hits
   */
  #showHits(query, names, hits) {
    const { list } = this;
    const above = names.length > 0 ? list.rows : [];
    const named = new Set(names.map(({ url }) => url));
    const rows = instantRows(hits.filter(({ url }) => !named.has(url)), this.site);
    const all = [...above, ...rows].slice(0, Math.max(ROWS, above.length));
    if (above.length > 0) return list.change(all, list.selected);
    this.#answers?.forget();
    this.suggested = { query, first: undefined };
    list.show(all);
    this.view.showSuggestions(false);
    list.shown();
  }

  /** Remove suggestions of other queries; return whether any are left. @param {string | null} query */
  dropSuggestions(query) {
    if (this.suggested && this.suggested.query !== query) {
      this.suggested = null;
      this.list.show([]);
    }
    return this.suggested !== null;
  }

  /** @param {string} query */
  #run(query) {
    this.options.onQuery(query.trim());
    if (!query) {
      this.#answers?.stop();
      this.suggested = null;
      this.list.show([]);
      return this.view.showIdle();
    }
    this.view.wait();
    if (this.#answers) this.#answers.ask(query);
    else void this.#askFirst(query);
  }

  /** @param {string} query */
  async #askFirst(query) {
    this.options.client.start();
    try {
      /** @type {typeof import("./answers.js")} */
      const { Answers } = await imported(new URL("./answers.js", import.meta.url).href);
      if (this.query !== query || this.#answers) return; // a newer query comes here, too
      this.#answers = new Answers(this);
    } catch (error) {
      if (this.query === query) this.view.showError(this.options.words.unreached, String(error), this.dropSuggestions(query));
      return;
    }
    this.options.onAnswers(this.#answers);
    this.#answers.begin(performance.now() - this.#keyAt);
    if (this.#entered) this.#answers.now();
    this.#answers.ask(query);
  }

  #again() {
    this.input.focus();
    if (this.#answers?.isOutdated) location.reload();
    else this.ask(this.input.value);
  }
}
