/** The field, the results and everything said between them: the inside of the dialog and of the search page alike. */

import { CROSS, element, GLASS, icon } from "./dom.js";
import { fieldAction } from "./keys.js";
import { PanelView } from "./panel-view.js";
import { ResultList } from "./result-list.js";
import { Debounce, Turns } from "./turns.js";

/** @import { EngineDoor } from "./engine-door.js" */
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
  #typing = new Debounce((query) => void this.#run(query), PAUSE);
  /** The query whose results are on show. @type {string | null} */
  #answered = null;
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
    const { words } = options;
    this.#options = options;
    this.#input = this.#makeInput();
    this.#list = new ResultList({
      siteRoot: options.siteRoot,
      label: words.listLabel,
      onSelect: (option) => this.#point(option),
    });
    this.#view = new PanelView(words, this.#list.element);
    this.element = element("div", { class: "panel", part: "panel" }, this.#makeField(), ...this.#view.elements);
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

  /** @returns {HTMLInputElement} */
  #makeInput() {
    const { placeholder, words } = this.#options;
    // Not type=search: there Escape would empty the field instead of closing the dialog.
    return element("input", {
      type: "text",
      role: "combobox",
      part: "input",
      "aria-label": words.search,
      "aria-autocomplete": "list",
      "aria-controls": "results",
      "aria-expanded": "false",
      autocapitalize: "off",
      autocomplete: "off",
      autocorrect: "off",
      enterkeyhint: "search",
      inputmode: "search",
      maxlength: 1000,
      placeholder,
      spellcheck: "false",
    });
  }

  /** @returns {HTMLElement} */
  #makeField() {
    const { onClose, words } = this.#options;
    const field = element("div", { class: "field" }, icon(GLASS), this.#input);
    if (onClose) {
      const close = element("button", { type: "button", class: "close", "aria-label": words.close }, icon(CROSS));
      close.addEventListener("click", onClose);
      field.append(close);
    }
    return field;
  }

  #listen() {
    this.#input.addEventListener("focus", () => this.#options.door.warm());
    this.#input.addEventListener("keydown", (event) => this.#press(event));
    this.#input.addEventListener("input", (event) => {
      // Half a word of an input method is no query; its end is another event.
      if (!(/** @type {InputEvent} */ (event).isComposing)) this.#changed();
    });
    this.#input.addEventListener("compositionend", () => this.#changed());
    // A click on a result, as with the middle button, must not take the keys away from the field.
    this.#list.element.addEventListener("mousedown", (event) => event.preventDefault());
    this.#list.element.addEventListener("click", (event) => this.#clicked(event));
    this.#view.more.addEventListener("click", () => void this.#more());
    this.#view.retry.addEventListener("click", () => this.#again());
    this.#view.instead.addEventListener("click", () => this.#instead());
  }

  #changed() {
    this.#moved = false;
    // An emptied field is answered at once, without a flicker of old results.
    if (this.query) this.#typing.later(this.query);
    else this.#typing.now("");
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const action = fieldAction(event, { hasOptions: this.#list.count > 0, moved: this.#moved });
    if (action === null) return;
    event.preventDefault();
    if (action === "go" || action === "go-new-tab") {
      this.#go(action === "go-new-tab");
      return;
    }
    this.#moved = true;
    this.#list.move(action);
  }

  /** @param {boolean} newTab */
  #go(newTab) {
    // Enter may come before the pause is over: the results on show would then belong to an older query.
    if (this.#typing.pending || this.#answered !== this.query) {
      this.#typing.now(this.query);
      return;
    }
    const link = this.#list.selected;
    if (!link) return;
    if (newTab) window.open(link.href, "_blank", "noopener");
    else link.click();
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!elsewhere && event.target instanceof Element && event.target.closest("a")) this.#options.onLeave();
  }

  /** @param {HTMLAnchorElement | null} option */
  #point(option) {
    if (option) this.#input.setAttribute("aria-activedescendant", option.id);
    else this.#input.removeAttribute("aria-activedescendant");
    this.#input.setAttribute("aria-expanded", String(this.#list.count > 0));
  }

  /** @param {string} query */
  async #run(query) {
    const turn = this.#turns.next();
    if (query !== this.#asTyped) this.#asTyped = "";
    this.#options.onQuery(query.trim());
    if (!query) {
      this.#showWithoutQuery();
      return;
    }
    this.#view.showSearching(query.trim(), this.#options.door.ready);
    try {
      const result = await this.#search(query, 0);
      if (this.#turns.isCurrent(turn)) this.#showAnswer(query, result);
    } catch (error) {
      if (this.#turns.isCurrent(turn)) this.#showError(error);
    }
  }

  async #more() {
    if (this.#nextOffset === null || this.#answered === null) return;
    const turn = this.#turns.next();
    this.#view.showLookingForMore();
    try {
      const result = await this.#search(this.#answered, this.#nextOffset);
      if (this.#turns.isCurrent(turn)) this.#showMore(result);
    } catch (error) {
      if (this.#turns.isCurrent(turn)) this.#showError(error);
    }
  }

  /**
   * @param {string} query
   * @param {number} offset
   */
  #search(query, offset) {
    const pageLang = document.documentElement.lang;
    const exact = query === this.#asTyped;
    return this.#options.door.search(query, { limit: PAGE_SIZE, offset, prefix: true, pageLang, exact });
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
    this.#typing.now(this.query);
  }

  #showWithoutQuery() {
    this.#answered = null;
    this.#nextOffset = null;
    this.#list.show([]);
    this.#view.showIdle();
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #showAnswer(query, result) {
    this.#answered = query;
    this.#retriedCode = null;
    this.#nextOffset = result.nextOffset;
    this.#moved = false;
    this.#list.show(result.hits);
    this.#view.showAnswer(query.trim(), result);
  }

  /** @param {SearchResult} result */
  #showMore(result) {
    this.#nextOffset = result.nextOffset;
    this.#moved = true;
    this.#list.append(result.hits);
    this.#list.selected?.scrollIntoView({ block: "nearest" });
    this.#view.showMore(result);
    this.#input.focus();
  }

  /** @param {unknown} error */
  #showError(error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "internal";
    // A newer question took the place of this one; its own answer is on the way.
    if (code === "stale") return;
    this.#failedCode = code;
    this.#answered = null;
    this.#list.show([]);
    this.#view.showError(code, error instanceof Error ? error.message : String(error));
  }
}

