/**
 * The field and what is below it: the inside of the dialog and of the search page alike.
 *
 * From the first key on it lists what needs no engine: names that begin so, and pages that have the words. The engine's answers are `answers.js`, fetched with the first search.
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
/** @import { InstantHit, Suggestion } from "../protocol.js" */
/** @import { Strings } from "./strings.js" */

/**
 * @typedef {object} PanelOptions
 * @property {EngineClient} client
 * @property {string} siteRoot
 * @property {string} placeholder
 * @property {Strings} words
 * @property {(query: string) => void} onQuery  a query is looked up; "" when the field has been emptied
 * @property {(answers: Answers) => void} onAnswers  the engine is asked for the first time
 * @property {() => void} onLeave               the reader has followed a result in this tab
 * @property {(() => void) | null} onClose      the reader has asked to close; null where nothing can be closed
 *
 * @typedef {{query: string, first: Suggestion | undefined}} Suggested  the first name
 */

const GRACE = 180; // ms after a key in which an engine that is there answers: before that suggestions would but flash
const SUGGESTIONS = 6;
const ROWS = 8; // suggestions, and below them pages that have the words

/** A search field with what it finds. */
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
  /** The suggestions on show. @type {Suggested | null} */
  suggested = null;
  /** @type {Debounce<string>} */
  #typing = new Debounce((query) => this.#run(query), 0);
  #suggesting = new AbortController();
  /** @type {Answers | null} */
  #answers = null;
  /** When the last key was pressed. */
  #keyAt = -Infinity;
  #entered = false;
  /** Enter was pressed before there was anything to open for this query. @type {{query: string, newTab: boolean} | null} */
  #awaited = null;

  /** @param {PanelOptions} options */
  constructor(options) {
    const { onClose, onLeave, placeholder, words } = options;
    this.options = options;
    this.input = makeInput(placeholder, words);
    this.list = new ResultList({ label: words.listLabel, onSelect: (option) => this.#point(option), onLeave });
    this.view = new PanelView(words, this.list.element);
    this.element = element("div", { class: "panel", part: "panel" }, makeField(this.input, onClose, words), ...this.view.elements);
    this.#listen();
    this.view.showIdle();
  }

  /** What is to be looked up: a blank at the end stays, for it tells that the last word is complete. */
  get query() {
    const query = this.input.value.trimStart();
    return query.trim() ? query : "";
  }

  /** Whether the first of the suggestions on show is exactly what was typed. */
  get isExact() {
    return this.suggested !== null && isExact(this.suggested.query, this.suggested.first);
  }

  /** Put the cursor into the field, with its text selected: typing replaces it. */
  focus() {
    this.input.focus();
    this.input.select();
  }

  /**
   * Set the query and search for it at once.
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
    this.input.addEventListener("focus", () => this.options.client.warm());
    this.input.addEventListener("keydown", (event) => this.#press(event));
    this.input.addEventListener("input", (event) => {
      // Half a word of an input method is no query; its end is another event.
      if (/** @type {InputEvent} */ (event).isComposing) this.#answers?.begin();
      else this.#changed();
    });
    this.input.addEventListener("compositionend", () => this.#changed());
    this.view.retry.addEventListener("click", () => this.#again());
  }

  #changed() {
    const { query } = this;
    this.list.moved = this.#entered = false;
    this.#awaited = null;
    this.#keyAt = performance.now();
    this.#answers?.begin(0);
    void this.#suggest();
    const pause = pauseAfter(query, this.options.client.spares);
    // An emptied field is answered at once, without a flicker of old results.
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
    // Enter may come before the pause is over: the results on show would then belong to an older query.
    const another = this.#typing.pending || this.#answers?.answered !== query;
    // Or before anybody has looked at them: then it asks for the whole answer, which may begin with another page.
    const early = another || (this.#answers?.waiting && !newTab && this.list.held < 0);
    const suggested = this.suggested?.query === query;
    // Where the engine has failed, the suggestions are the search.
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
   * The rows of a query are there: open the first if the reader has pressed Enter for it, and has not gone elsewhere since.
   *
   * @param {string} query
   */
  arrived(query) {
    const awaited = this.#awaited;
    if (awaited?.query !== query) return;
    this.#awaited = null;
    const root = /** @type {Document | ShadowRoot} */ (this.input.getRootNode());
    // A dialog that has just been closed keeps the focus until the next frame; its field is not drawn any more.
    const present = root.activeElement === this.input && this.input.getClientRects().length > 0;
    if (present) this.#open(this.list.selected, awaited.newTab);
  }

  /** The reader wants the whole answer, and waits for no pause. @param {string} query */
  #enter(query) {
    this.#entered = true;
    this.#answers?.now();
    const { pending: asked, answered } = this.#answers ?? {};
    if (this.#typing.pending || (asked !== query && answered !== query)) this.#typing.now(query);
  }

  /** @param {HTMLAnchorElement | null} option */
  #point(option) {
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-expanded", String(this.list.count > 0));
  }

  /** Show what may be meant, unless there is an answer before. The newest question wins. */
  async #suggest() {
    const { query } = this;
    this.#suggesting.abort();
    const { signal } = (this.#suggesting = new AbortController());
    if (!query) return;
    const { client } = this.options;
    const none = () => []; // the search tells what is wrong
    const grace = client.ready ? new Promise((resolve) => setTimeout(resolve, GRACE)) : null;
    // An engine that is there is about to answer with more than the lists have.
    const hits = client.ready ? [] : client.instant(query, { limit: ROWS, signal }).catch(none);
    const [names] = await Promise.all([client.suggest(query, { limit: SUGGESTIONS, signal }).catch(none), grace]);
    const over = () => signal.aborted || (this.#answers?.answered === query && this.list.count > 0);
    if (over()) return;
    if (names.length > 0) this.#showNames(query, names);
    const pages = await hits;
    if (over() || this.#answers?.answered === query) return;
    if (pages.length > 0) this.#showHits(query, names, pages);
    // Those of an older query are better than nothing, until there is something new.
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
    this.list.show(suggestionRows(names, this.options.siteRoot));
    if (over) this.#answers?.leave(query);
    else this.view.showSuggestions(true);
    this.list.shown();
    if (this.isExact) this.arrived(query);
  }

  /**
   * Pages that have the words, below the names.
   *
   * @param {string} query
   * @param {Suggestion[]} names
   * @param {InstantHit[]} hits
   */
  #showHits(query, names, hits) {
    const { list } = this;
    const above = names.length > 0 ? list.rows : [];
    const named = new Set(names.map(({ url }) => url));
    const rows = instantRows(hits.filter(({ url }) => !named.has(url)), this.options.siteRoot);
    const all = [...above, ...rows].slice(0, Math.max(ROWS, above.length));
    if (above.length > 0) return list.change(all, list.selected);
    this.#answers?.forget();
    this.suggested = { query, first: undefined };
    list.show(all);
    this.view.showSuggestions(false);
    list.shown();
  }

  /** Suggestions of another query are of no use any more. @param {string | null} query */
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
      if (this.query !== query || this.#answers) return; // another question is on its way here
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
