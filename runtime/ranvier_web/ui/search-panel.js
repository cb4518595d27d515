/**
 * The field and the results below it, in the dialog and on the search page.
 *
 * From the first key on it lists results that need no engine: names that match as a prefix, and pages with the words. The engine's
 * answers are in `answers.js`, which is loaded with the first search.
 */

import { importModule } from "../modules.js";
import { element } from "./dom.js";
import { makeField, makeInput } from "./field.js";
import { fieldAction } from "./key-bindings.js";
import { PanelView } from "./panel-view.js";
import { ResultList } from "./result-list.js";
import { EMPTY, isAnswered, isFailing, isSuggested, opensRow, reduce } from "./state.js";
import { instantRows, isExact, suggestionRows } from "./suggestion-row.js";
import { Debounce } from "./debounce.js";
import { searchDelay } from "./preload-policy.js";

/** @import { Answers } from "./answers.js" */
/** @import { EngineClient } from "./engine-client.js" */
/** @import { Hit, SearchResult, Suggestion } from "../protocol.js" */
/** @import { BoxEvent, Enter } from "./state.js" */
/** @import { Strings } from "./strings.js" */
/** @import { Row, Site } from "./suggestion-row.js" */

/**
 * @typedef {object} PanelOptions
 * @property {EngineClient} client
 * @property {string} placeholder
 * @property {Strings} strings
 * @property {(query: string) => void} onQuery  a search starts; "" if the field is empty
 * @property {(answers: Answers) => void} onAnswers  the first search of the engine starts
 * @property {<T>(english: T) => T} translate   translates a table of English strings
 * @property {(hit: Hit, link: HTMLAnchorElement) => Node | null | void} render  the site's own content of a hit's link
 * @property {(query: string, result: SearchResult) => void} onResults  an answer is in the list
 * @property {(link: HTMLAnchorElement, event: Event) => void} onLeave  the reader opens a result in this tab
 * @property {(() => void) | null} onClose      the reader closes the dialog; null if there is no dialog
 */

const SUGGESTION_DELAY = 180; // ms: a ready engine usually answers within this time, so suggestions would only flash
const MAX_SUGGESTIONS = 6;
const MAX_ROWS = 8; // suggestions, and pages with the words below them

/** A search field with its results. */
export class SearchPanel {
  /** @type {HTMLElement} */
  element;
  input;
  list;
  view;
  options;
  /** @type {Site} */
  site;
  /** What the box shows; only `dispatch` changes it. */
  state = EMPTY;
  /** @type {Debounce<string>} */
  #search = new Debounce((query) => this.#run(query));
  #suggestController = new AbortController();
  /** @type {Answers | null} */
  #answers = null;
  /** Time of the last key. */
  #lastKeyTime = -Infinity;

  /** @param {PanelOptions} options */
  constructor(options) {
    const { client, onClose, onLeave, placeholder, strings } = options;
    this.options = options;
    this.site = { root: new URL("../", client.base).href, trail: () => [] };
    this.input = makeInput(placeholder, strings);
    this.list = new ResultList({ label: strings.listLabel, onSelect: (option) => this.#markActive(option), onLeave });
    this.view = new PanelView(strings, this.list.element);
    this.element = element("div", { class: "panel", part: "panel" }, makeField(this.input, onClose, strings), ...this.view.elements);
    this.#listen();
    this.view.showIdle();
  }

  /** The query. A blank at its end is kept: the last word is then complete. */
  get query() {
    const query = this.input.value.trimStart();
    return query.trim() ? query : "";
  }

  /** @param {BoxEvent} event */
  dispatch(event) {
    this.state = reduce(this.state, event);
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
  search(query) {
    this.input.value = query;
    this.#lastKeyTime = -Infinity;
    this.#answers?.refresh.cancel();
    void this.#suggest();
    this.#search.run(this.query);
  }

  #listen() {
    this.input.addEventListener("focus", () => this.#warm());
    this.input.addEventListener("keydown", (event) => this.#handleKey(event));
    // Also while an input method composes: keyboards of phones compose each word until a blank, Korean each last syllable.
    this.input.addEventListener("input", () => this.#handleInput());
    this.view.retry.addEventListener("click", () => this.#retry());
  }

  #warm() {
    const { client } = this.options;
    client.warm();
    // Without it, rows have no path.
    client.folders().then((folders) => (this.site.trail = (url) => folders.trail(url))).catch(() => {});
  }

  #handleInput() {
    const { query } = this;
    this.dispatch({ type: "typed" });
    this.list.hasMoved = false;
    this.#lastKeyTime = performance.now();
    this.#answers?.refresh.restart();
    void this.#suggest();
    const delay = searchDelay(query, this.options.client.isLazy);
    // An empty field is handled immediately, without a flash of old results.
    if (!query) this.#search.run("");
    else if (delay === null) this.#search.cancel();
    else this.#search.schedule(query, delay);
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const action = fieldAction(event, { hasOptions: this.list.count > 0, hasMoved: this.list.hasMoved });
    if (action === null) return;
    event.preventDefault();
    if (action === "go" || action === "go-new-tab") return this.#handleEnter(action === "go-new-tab");
    this.dispatch({ type: "moved" });
    this.list.move(action);
  }

  /** @param {boolean} newTab */
  #handleEnter(newTab) {
    const { list, query } = this;
    if (!query) return;
    // The refresh starts without a pause if Enter is pressed without interaction.
    const willRefresh = this.#answers?.refresh.isWaiting === true && list.lastFixed < 0;
    const press = { query, newTab, isTyping: this.#search.isPending, isChosen: list.isChosen, willRefresh };
    if (opensRow(this.state, press)) return this.#open(list.target, newTab);
    this.dispatch({ type: "entered", query, newTab });
    this.#answers?.refresh.force();
    if (press.isTyping || (this.state.searching !== query && !isAnswered(this.state, query))) this.#search.run(query);
  }

  /**
   * @param {HTMLAnchorElement | null} link
   * @param {boolean} newTab
   */
  #open(link, newTab) {
    // The address of a private page has no meaning in another tab.
    if (link && newTab && !link.href.startsWith(`${this.site.root}#private-`)) window.open(link.href, "_blank", "noopener");
    else link?.click();
  }

  /**
   * The rows of a query are complete: open the first one if the reader has pressed Enter for it, and the field still has the focus.
   *
   * @param {string} query
   * @param {Enter["opens"]} [when]
   */
  openRow(query, when = "rows") {
    const { enter } = this.state;
    if (enter?.query !== query || enter.opens !== when) return;
    this.dispatch({ type: "opened" });
    const root = /** @type {Document | ShadowRoot} */ (this.input.getRootNode());
    // A closed dialog keeps the focus until the next frame, but its field is not rendered any more.
    const hasFocus = root.activeElement === this.input && this.input.getClientRects().length > 0;
    if (hasFocus) this.#open(this.list.selected, enter.newTab);
  }

  /**
   * A search has failed.
   *
   * @param {string} query
   * @param {string} code
   * @returns {boolean} whether suggestions of the query stay
   */
  fail(query, code) {
    this.dispatch({ type: "failed", query, code });
    const hasSuggestions = isSuggested(this.state);
    if (!hasSuggestions) this.list.show([]);
    this.openRow(query, "failure");
    return hasSuggestions;
  }

  /** @param {HTMLAnchorElement | null} option */
  #markActive(option) {
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-expanded", String(this.list.count > 0));
  }

  /** Show suggestions, unless the answer arrives first. A newer query cancels this one. */
  async #suggest() {
    const { query } = this;
    this.#suggestController.abort();
    const { signal } = (this.#suggestController = new AbortController());
    if (!query) return;
    const { client } = this.options;
    const noNames = () => []; // the search reports the error
    const delay = client.ready ? new Promise((resolve) => setTimeout(resolve, SUGGESTION_DELAY)) : null;
    // A ready engine answers soon, and with more than the lists contain.
    const hits = client.ready ? [] : client.instant(query, { limit: MAX_ROWS, signal }).catch(noNames);
    const [names] = await Promise.all([client.suggest(query, { limit: MAX_SUGGESTIONS, signal }).catch(noNames), delay]);
    const isStale = () => signal.aborted || (isAnswered(this.state, query) && this.list.count > 0);
    if (isStale()) return;
    const namedUrls = new Set(names.map(({ url }) => url));
    if (names.length > 0) this.#showRows(query, suggestionRows(names, this.site), names[0]);
    const pages = (await hits).filter(({ url }) => !namedUrls.has(url));
    if (isStale() || isAnswered(this.state, query)) return;
    const above = names.length > 0 ? this.list.rows : [];
    const rows = [...above, ...instantRows(pages, this.site)].slice(0, Math.max(MAX_ROWS, above.length));
    if (above.length > 0) this.list.change(rows, this.list.selected);
    else if (rows.length > 0) this.#showRows(query, rows);
    // Keep the suggestions of an older query until there are new rows.
    else if (isSuggested(this.state)) this.view.dim();
  }

  /**
   * @param {string} query
   * @param {Row[]} rows
   * @param {Suggestion} [first]  the first name, if there are names
   */
  #showRows(query, rows, first) {
    this.dispatch({ type: "suggested", query, isExact: isExact(query, first) });
    this.list.show(rows);
    if (isAnswered(this.state, query)) this.#answers?.keepSuggestions(query);
    else {
      this.#answers?.view.hide();
      this.view.showSuggestions(first !== undefined, isFailing(this.state));
    }
    this.list.watch();
    if (this.state.isExact) this.openRow(query);
  }

  /** @param {string} query */
  #run(query) {
    this.options.onQuery(query.trim());
    if (!query) {
      this.#answers?.stop();
      this.dispatch({ type: "cleared" });
      this.list.show([]);
      return this.view.showIdle();
    }
    this.view.wait(isSuggested(this.state));
    if (this.#answers) this.#answers.search(query);
    else void this.#searchFirst(query);
  }

  /** @param {string} query */
  async #searchFirst(query) {
    const { client, onAnswers, strings } = this.options;
    client.start();
    try {
      /** @type {typeof import("./answers.js")} */
      const { Answers } = await importModule(new URL("./answers.js", import.meta.url).href);
      if (this.query !== query || this.#answers) return; // a newer query comes here, too
      this.#answers = new Answers(this);
    } catch (error) {
      if (this.query === query) this.view.showError(strings.unreached, String(error), this.fail(query, "fetch"));
      return;
    }
    onAnswers(this.#answers);
    this.#answers.refresh.restart(performance.now() - this.#lastKeyTime);
    if (this.state.enter) this.#answers.refresh.force();
    this.#answers.search(query);
  }

  #retry() {
    this.input.focus();
    if (this.state.failure === "format") location.reload();
    else this.search(this.input.value);
  }
}
