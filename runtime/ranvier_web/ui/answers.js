/** The engine's answers in the panel: words at once, meaning in a pause, more of them when asked; and what goes wrong. */

import { AnswerView, WORDS_ONLY } from "./answer-view.js";
import { answerStrings } from "./answer-strings.js";
import { answerStyles } from "./answer-styles.js";
import { HitList } from "./hit-list.js";
import { SemanticRefresh } from "./semantic-refresh.js";

/** @import { SearchOptions } from "../options.js" */
/** @import { SearchResult } from "../protocol.js" */
/** @import { SearchPanel } from "./search-panel.js" */

const PAGE_SIZE = 8;

export class Answers {
  /** @type {SearchPanel} */
  #panel;
  /** @type {HitList} */
  #hits;
  /** @type {AnswerView} */
  #view;
  #settling = new SemanticRefresh((query, signal) => void this.#settle(query, signal));
  #asking = new AbortController();
  /** The query that is being looked up. @type {string | null} */
  pending = null;
  /** The query whose results are on show. @type {string | null} */
  answered = null;
  /** The words' answer, as long as it is on show and may settle. @type {SearchResult | null} */
  #unsettled = null;
  /** @type {number | null} */
  #nextOffset = null;
  #failedCode = "";
  /** A query whose spelling is to be left as it is. */
  #asTyped = "";

  /** The look of what is shown here. */
  styles = answerStyles;
  #begun = () => {};
  /** Settled with the first answer. @type {Promise<void>} */
  first = new Promise((resolve) => (this.#begun = resolve));

  /** @param {SearchPanel} panel */
  constructor(panel) {
    const { list, options, view } = panel;
    this.#panel = panel;
    this.#hits = new HitList(list, options.siteRoot);
    this.#view = new AnswerView(answerStrings, view, list.element);
    this.#view.more.addEventListener("click", () => this.#more());
    this.#view.instead.addEventListener("click", () => this.#instead());
  }

  /** Whether there is more to an answer on show than words have found, and nobody asks for it. */
  get waiting() {
    return this.#settling.waiting;
  }

  /** Whether nothing but another load of the page can mend what went wrong. */
  get isOutdated() {
    return this.#failedCode === "format";
  }

  /** Follow the engine's progress; the returned function stops that. @returns {() => void} */
  connect() {
    const { client } = this.#panel.options;
    const follow = () => this.#view.showProgress(client.progress);
    client.addEventListener("change", follow);
    follow();
    return () => client.removeEventListener("change", follow);
  }

  /**
   * Another query is to be looked up.
   *
   * @param {number} [ago]  ms since the key that asks for it; nothing settles before the pause after it
   */
  begin(ago) {
    if (ago === undefined) this.#settling.begin();
    else this.#settling.typed(ago);
  }

  /** The reader wants the whole answer. */
  now() {
    this.#settling.now();
  }

  /** @param {string} query */
  ask(query) {
    if (query !== this.#asTyped) this.#asTyped = "";
    this.pending = query;
    this.#failedCode = "";
    this.resume();
    void this.#answer(query, { typing: true }, (result) => this.#showAnswer(query, result));
  }

  /** Say what is being done, where nothing else is on show. */
  resume() {
    if (this.pending !== null) this.#view.showSearching(this.pending.trim(), this.#panel.options.client.ready);
  }

  /** Nothing of an answer is on show any more. */
  forget() {
    this.answered = this.#unsettled = this.#nextOffset = null;
    this.#view.hide();
  }

  /** Nothing is asked any more either. */
  stop() {
    this.#asking.abort();
    this.pending = null;
    this.forget();
  }

  /** Nothing has been found but what was suggested, which stays: a word that has but begun is not searched for in texts. @param {string} query */
  leave(query) {
    this.#view.showAlone(query.trim());
    this.#begun();
  }

  #more() {
    if (this.#nextOffset === null || this.answered === null) return;
    this.#settling.begin();
    this.#view.showLookingForMore();
    // The pages of an answer are those of the settled one: what it has above is shown below what is read already.
    const { rows } = this.#panel.list;
    const page = this.#unsettled ? { limit: rows.length + PAGE_SIZE } : { offset: this.#nextOffset };
    void this.#answer(this.answered, page, (result) => this.#showMore(result));
  }

  /**
   * Ask, and show the answer or the error unless something else has been asked meanwhile.
   *
   * @param {string} query
   * @param {SearchOptions} options
   * @param {(result: SearchResult) => void} show
   */
  async #answer(query, options, show) {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    try {
      const result = await this.#search(query, { ...options, signal });
      if (!signal.aborted) show(result);
    } catch (error) {
      if (!signal.aborted) this.#showError(error);
    }
  }

  /**
   * Ask again, by meaning too. Whatever fails, the words' answer stays.
   *
   * @param {string} query
   * @param {AbortSignal} signal
   */
  async #settle(query, signal) {
    const words = this.#unsettled;
    try {
      const result = await this.#search(query, { signal });
      if (!signal.aborted) this.#showSettled(query, result);
    } catch {
      if (!signal.aborted && words) this.#showSettled(query, { ...words, notices: [...words.notices, WORDS_ONLY] }, true);
    }
  }

  /**
   * @param {string} query
   * @param {SearchOptions} options
   */
  #search(query, options) {
    const pageLang = document.documentElement.lang;
    const manner = { prefix: true, typing: false, exact: query === this.#asTyped, pageLang };
    return this.#panel.options.client.search(query, { limit: PAGE_SIZE, offset: 0, ...manner, ...options });
  }

  /** Search for the other reading of the query; where that is the query itself, its correction is undone. */
  #instead() {
    this.#asTyped = this.answered ?? "";
    this.#panel.input.focus();
    this.#panel.ask(this.#view.alternative);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #showAnswer(query, result) {
    this.#unsettled = result.unsettled ? result : null;
    const comes = this.#unsettled !== null && this.#settling.offer(query);
    // Nobody is told that there is nothing while the question goes on.
    if (result.hits.length === 0 && comes) return this.#goOn();
    this.#show(query, result, this.#settling.waiting && !comes);
    if (!comes) this.#panel.arrived(query);
  }

  /** Words have found nothing, and meaning is asked. */
  #goOn() {
    if (!this.#panel.suggested) this.#panel.list.show([]);
    this.#view.hide();
    this.resume();
  }

  /**
   * Show what has been found, in place of what was suggested or found before.
   *
   * @param {string} query
   * @param {SearchResult} result
   * @param {boolean} [hasMore]  Enter would search by meaning too
   */
  #show(query, result, hasMore = false) {
    const { list, isExact, suggested } = this.#panel;
    const jumped = suggested?.query === query;
    this.answered = query;
    this.pending = this.#panel.suggested = null;
    this.#nextOffset = result.nextOffset;
    if (jumped && result.hits.length === 0) return this.leave(query);
    if (!jumped) this.#hits.show(result.hits);
    // Enter goes to the first suggestion only where it is what was typed: later than it was pressed it goes nowhere else.
    const isHeld = jumped && this.#hits.settle(result.hits, isExact ? list.selected : null);
    this.#view.showAnswer(query.trim(), result, { hasMore, isHeld, jumped });
    if (!isHeld) list.shown();
    this.#begun();
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {boolean} [failed]  these are the words' own results
   */
  #showSettled(query, result, failed = false) {
    this.#unsettled = null;
    if (this.answered !== query) this.#show(query, result);
    else {
      this.#nextOffset = result.nextOffset;
      const isHeld = !failed && this.#hits.settle(result.hits);
      this.#view.showSettled(query.trim(), result, isHeld);
    }
    this.#panel.arrived(query);
  }

  /** @param {SearchResult} result */
  #showMore(result) {
    this.#unsettled = null;
    this.#nextOffset = result.nextOffset;
    const { list, input } = this.#panel;
    const added = this.#hits.append(result.hits);
    list.selected?.scrollIntoView({ block: "nearest" });
    this.#view.showMore(result, added);
    input.focus();
  }

  /** @param {unknown} error */
  #showError(error) {
    const { list } = this.#panel;
    const keeps = this.#panel.dropSuggestions(this.pending);
    this.#failedCode = error instanceof Error && "code" in error ? String(error.code) : "internal";
    this.pending = null;
    this.forget();
    if (!keeps) list.show([]);
    this.#view.showError(this.#failedCode, error instanceof Error ? error.message : String(error), keeps);
  }
}
