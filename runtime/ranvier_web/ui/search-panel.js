/** The field, the results and everything said between them: the inside of the dialog and of the search page alike. */

import { element } from "./dom.js";
import { makeField, makeInput } from "./field.js";
import { fieldAction } from "./keys.js";
import { PanelView } from "./panel-view.js";
import { ResultList } from "./result-list.js";
import { Settling } from "./settling.js";
import { Debounce, Turns } from "./turns.js";

/** @import { EngineDoor } from "./engine-door.js" */
/** @import { SearchOptions } from "../options.js" */
/** @import { SearchResult } from "../protocol.js" */
/** @import { Strings } from "./strings.js" */

/**
 * @typedef {object} PanelOptions
 * @property {EngineDoor} door
 * @property {string} siteRoot
 * @property {string} placeholder
 * @property {Strings} words
 * @property {(query: string) => void} onQuery  a query is looked up; "" when the field has been emptied
 * @property {() => void} onLeave               the reader has followed a result in this tab
 * @property {(() => void) | null} onClose      the reader has asked to close; null where nothing can be closed
 */

const PAUSE = 80; // ms: shorter than the gap between two keys of a quick typist, so a word is one search
const PAGE_SIZE = 8;

/** A search field with its results. */
export class SearchPanel {
  /** @type {HTMLElement} */
  element;
  /** @type {PanelOptions} */
  #options;
  /** @type {HTMLInputElement} */
  #input;
  /** @type {ResultList} */
  #list;
  /** @type {PanelView} */
  #view;
  #turns = new Turns();
  /** @type {Debounce<string>} */
  #typing = new Debounce((query) => this.#run(query), PAUSE);
  #settling = new Settling((query, signal) => void this.#settle(query, signal));
  /** The query whose results are on show. @type {string | null} */
  #answered = null;
  /** The words' answer, as long as it is on show and may settle. @type {SearchResult | null} */
  #unsettled = null;
  /** @type {number | null} */
  #nextOffset = null;
  #moved = false;
  #failedCode = "";
  /** A query whose spelling is to be left as it is. */
  #asTyped = "";
  /** How the search failed that was tried again last. @type {string | null} */
  #retriedCode = null;

  /** @param {PanelOptions} options */
  constructor(options) {
    const { onClose, onLeave, placeholder, siteRoot, words } = options;
    this.#options = options;
    this.#input = makeInput(placeholder, words);
    const onSelect = (/** @type {HTMLAnchorElement | null} */ option) => this.#point(option);
    this.#list = new ResultList({ siteRoot, label: words.listLabel, onSelect, onLeave });
    this.#view = new PanelView(words, this.#list.element);
    const field = makeField(this.#input, onClose, words);
    this.element = element("div", { class: "panel", part: "panel" }, field, ...this.#view.elements);
    this.#listen();
    this.#view.showIdle();
  }

  /** What is to be looked up: a blank at the end stays, for it tells that the last word is complete. */
  get query() {
    const query = this.#input.value.trimStart();
    return query.trim() ? query : "";
  }

  /** Put the cursor into the field, with its text selected: typing replaces it. */
  focus() {
    this.#input.focus();
    this.#input.select();
  }

  /**
   * Set the query and search for it at once.
   *
   * @param {string} query
   */
  ask(query) {
    this.#input.value = query;
    this.#settling.begin();
    this.#typing.now(this.query);
  }

  /** Follow the engine's progress; the returned function stops that. @returns {() => void} */
  connect() {
    const { door } = this.#options;
    const follow = () => this.#view.showProgress(door.progress);
    door.addEventListener("change", follow);
    follow();
    return () => door.removeEventListener("change", follow);
  }

  #listen() {
    this.#input.addEventListener("focus", () => this.#options.door.warm());
    this.#input.addEventListener("keydown", (event) => this.#press(event));
    this.#input.addEventListener("input", (event) => {
      // Half a word of an input method is no query; its end is another event.
      if (/** @type {InputEvent} */ (event).isComposing) this.#settling.begin();
      else this.#changed();
    });
    this.#input.addEventListener("compositionend", () => this.#changed());
    this.#view.more.addEventListener("click", () => this.#more());
    this.#view.retry.addEventListener("click", () => this.#again());
    this.#view.instead.addEventListener("click", () => this.#instead());
  }

  #changed() {
    this.#moved = false;
    this.#settling.typed();
    // An emptied field is answered at once, without a flicker of old results.
    if (this.query) this.#typing.later(this.query);
    else this.#typing.now("");
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const action = fieldAction(event, { hasOptions: this.#list.count > 0, moved: this.#moved });
    if (action === null) return;
    event.preventDefault();
    if (action === "go" || action === "go-new-tab") return this.#go(action === "go-new-tab");
    this.#moved = true;
    this.#list.move(action);
  }

  /** @param {boolean} newTab */
  #go(newTab) {
    // Enter may come before the pause is over: the results on show would then belong to an older query.
    const another = this.#typing.pending || this.#answered !== this.query;
    // Or before anybody has looked at them: then it asks for the whole answer, which may begin with another page.
    if (another || (this.#settling.waiting && !newTab && !this.#list.isHeld)) {
      this.#settling.now();
      if (another) this.#typing.now(this.query);
      return;
    }
    const link = this.#list.meant;
    if (!link) return;
    if (newTab) window.open(link.href, "_blank", "noopener");
    else link.click();
  }

  /** @param {HTMLAnchorElement | null} option */
  #point(option) {
    if (option) this.#input.setAttribute("aria-activedescendant", option.id);
    else this.#input.removeAttribute("aria-activedescendant");
    this.#input.setAttribute("aria-expanded", String(this.#list.count > 0));
  }

  /** @param {string} query */
  #run(query) {
    if (query !== this.#asTyped) this.#asTyped = "";
    this.#options.onQuery(query.trim());
    if (!query) {
      this.#turns.next();
      this.#forget();
      return this.#view.showIdle();
    }
    this.#view.showSearching(query.trim(), this.#options.door.ready);
    void this.#answer(query, { typing: true }, (result) => this.#showAnswer(query, result));
  }

  #more() {
    if (this.#nextOffset === null || this.#answered === null) return;
    this.#settling.begin();
    this.#view.showLookingForMore();
    // The pages of an answer are those of the settled one: what it has above is shown below what is read already.
    const page = this.#unsettled ? { limit: this.#list.pages + PAGE_SIZE } : { offset: this.#nextOffset };
    void this.#answer(this.#answered, page, (result) => this.#showMore(result));
  }

  /**
   * Ask, and show the answer or the error unless something else has been asked meanwhile.
   *
   * @param {string} query
   * @param {SearchOptions} options
   * @param {(result: SearchResult) => void} show
   */
  async #answer(query, options, show) {
    const turn = this.#turns.next();
    try {
      const result = await this.#search(query, options);
      if (this.#turns.isCurrent(turn)) show(result);
    } catch (error) {
      if (this.#turns.isCurrent(turn)) this.#showError(error);
    }
  }

  /**
   * Ask again, by meaning too. Whatever fails, the words' answer stays.
   *
   * @param {string} query
   * @param {AbortSignal} signal
   */
  async #settle(query, signal) {
    try {
      const result = await this.#search(query, { signal });
      if (!signal.aborted) this.#showSettled(query, result);
    } catch {
      if (!signal.aborted && this.#unsettled) this.#view.showUnsettled(query.trim(), this.#unsettled);
    }
  }

  /**
   * @param {string} query
   * @param {SearchOptions} options
   */
  #search(query, options) {
    const pageLang = document.documentElement.lang;
    const manner = { prefix: true, typing: false, exact: query === this.#asTyped, pageLang };
    return this.#options.door.search(query, { limit: PAGE_SIZE, offset: 0, ...manner, ...options });
  }

  /** Search for the words as they were typed: the engine's correction of them is undone. */
  #instead() {
    this.#asTyped = this.#answered ?? "";
    this.#input.focus();
    this.ask(this.#asTyped);
  }

  #again() {
    // An engine that did not start, or has died, will not answer a second time either; and one whose files are gone belongs
    // to a site that has been built anew meanwhile: a new engine reads the new entry file.
    const stuck = this.#failedCode === this.#retriedCode;
    this.#retriedCode = this.#failedCode;
    if (this.#failedCode === "engine" || this.#failedCode === "format" || stuck) this.#options.door.reset();
    this.#input.focus();
    this.ask(this.#input.value);
  }

  #forget() {
    this.#answered = null;
    this.#unsettled = null;
    this.#nextOffset = null;
    this.#list.show([]);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #showAnswer(query, result) {
    this.#answered = query;
    this.#unsettled = result.unsettled ? result : null;
    this.#retriedCode = null;
    this.#nextOffset = result.nextOffset;
    this.#moved = false;
    this.#list.show(result.hits);
    const comes = this.#unsettled !== null && this.#settling.offer(query);
    // Nobody is told that there is nothing while the question goes on.
    if (result.hits.length === 0 && comes) this.#view.showSearching(query.trim(), true);
    else this.#view.showAnswer(query.trim(), result, this.#settling.waiting && !comes);
    this.#list.shown();
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #showSettled(query, result) {
    this.#unsettled = null;
    this.#nextOffset = result.nextOffset;
    const isHeld = this.#list.settle(result.hits);
    this.#view.showSettled(query.trim(), result, isHeld);
  }

  /** @param {SearchResult} result */
  #showMore(result) {
    this.#unsettled = null;
    this.#nextOffset = result.nextOffset;
    this.#moved = true;
    const added = this.#list.append(result.hits);
    this.#list.selected?.scrollIntoView({ block: "nearest" });
    this.#view.showMore(result, added);
    this.#input.focus();
  }

  /** @param {unknown} error */
  #showError(error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "internal";
    // A newer question took the place of this one; its own answer is on the way.
    if (code === "stale") return;
    this.#failedCode = code;
    this.#forget();
    this.#view.showError(code, error instanceof Error ? error.message : String(error));
  }
}

