/** The engine's answers in the panel: keyword results first, the semantic refresh after a pause, more on demand; and errors. */

import { imported } from "../modules.js";
import { AnswerView, WORDS_ONLY } from "./answer-view.js";
import { answerStrings } from "./answer-strings.js";
import { answerStyles } from "./answer-styles.js";
import { HitList } from "./hit-list.js";
import { SemanticRefresh } from "./semantic-refresh.js";

/** @import { Extras } from "./extras.js" */
/** @import { SearchOptions } from "../options.js" */
/** @import { SearchResult } from "../protocol.js" */
/** @import { SearchPanel } from "./search-panel.js" */

const EXTRAS = new URL("./extras.js", import.meta.url).href;
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
  /** The query of the running search. @type {string | null} */
  pending = null;
  /** The query of the visible results. @type {string | null} */
  answered = null;
  /** The visible keyword answer, while a semantic refresh may follow. @type {SearchResult | null} */
  #unsettled = null;
  /** @type {number | null} */
  #nextOffset = null;
  #failedCode = "";
  /** A query that is searched without correction. */
  #asTyped = "";

  /** The styles of the answers. */
  styles = answerStyles;
  #resolveFirst = () => {};
  /** Resolved with the first answer. @type {Promise<void>} */
  first = new Promise((resolve) => (this.#resolveFirst = resolve));

  /** Filters, preview and explanations. @type {Extras | null} */
  #extras = null;
  /** The visible answer. @type {{query: string, result: SearchResult} | null} */
  visible = null;

  /** @param {SearchPanel} panel */
  constructor(panel) {
    const { list, options, view } = panel;
    this.#panel = panel;
    const words = options.translate(answerStrings);
    this.#hits = new HitList(list, panel.site, words, options.render);
    this.#view = new AnswerView(words, view, list.element);
    this.#view.more.addEventListener("click", () => this.#more());
    this.#view.instead.addEventListener("click", () => this.#instead());
    imported(EXTRAS).then(({ Extras }) => (this.#extras = new Extras(panel, this))).catch(() => {}); // rows work without
  }

  /** Whether a semantic refresh is possible for the visible answer, and not requested yet. */
  get waiting() {
    return this.#settling.waiting;
  }

  /** Whether only a reload of the page can fix the error. */
  get isOutdated() {
    return this.#failedCode === "format";
  }

  /** Show the engine's progress; the returned function stops this. @returns {() => void} */
  connect() {
    const { client } = this.#panel.options;
    const follow = () => this.#view.showProgress(client.progress);
    client.addEventListener("change", follow);
    follow();
    return () => client.removeEventListener("change", follow);
  }

  /**
   * Prepare for another query.
   *
   * @param {number} [ago]  ms since its last key; the semantic refresh waits for the pause after it
   */
  begin(ago) {
    if (ago === undefined) this.#settling.begin();
    else this.#settling.typed(ago);
  }

  /** Start the semantic refresh without a pause. */
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

  /** Show the state of the running search, if nothing else is visible. */
  resume() {
    if (this.pending !== null) this.#view.showSearching(this.pending.trim(), this.#panel.options.client.ready);
  }

  /** Remove the visible answer. */
  forget() {
    this.answered = this.#unsettled = this.#nextOffset = null;
    this.#view.hide();
  }

  /** Stop the running search, too. */
  stop() {
    this.#asking.abort();
    this.pending = null;
    this.forget();
  }

  /** The search has no results: keep the suggestions, which may match an incomplete word. @param {string} query */
  leave(query) {
    this.#view.showAlone(query.trim());
    this.#resolveFirst();
  }

  #more() {
    if (this.#nextOffset === null || this.answered === null) return;
    this.#settling.begin();
    this.#view.showLookingForMore();
    // The next page belongs to the semantic answer: results that it ranks higher are shown below the present ones.
    const { rows } = this.#panel.list;
    const page = this.#unsettled ? { limit: rows.length + PAGE_SIZE } : { offset: this.#nextOffset };
    void this.#answer(this.answered, page, (result) => this.#showMore(result));
  }

  /**
   * Search, and show the answer or the error, unless another search was started meanwhile.
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
   * Repeat the search with the semantic search. If it fails, the keyword answer stays.
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
    const manner = { ...this.#extras?.options, prefix: true, typing: false, exact: query === this.#asTyped, pageLang };
    return this.#panel.options.client.search(query, { limit: PAGE_SIZE, offset: 0, ...manner, ...options });
  }

  /** Search for the alternative query; if that is the query itself, search for it without correction. */
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
    // Do not report an empty answer while the semantic refresh follows.
    if (result.hits.length === 0 && comes) return this.#goOn();
    this.#show(query, result, this.#settling.waiting && !comes);
    if (!comes) this.#panel.arrived(query);
  }

  /** Keep searching: no keyword results, and the semantic refresh follows. */
  #goOn() {
    if (!this.#panel.suggested) this.#panel.list.show([]);
    this.#view.hide();
    this.resume();
  }

  /**
   * Show the results in place of suggestions or older results.
   *
   * @param {string} query
   * @param {SearchResult} result
   * @param {boolean} [hasMore]  Enter starts a semantic search
   */
  #show(query, result, hasMore = false) {
    const { list, isExact, suggested } = this.#panel;
    const jumped = suggested?.query === query;
    this.answered = query;
    this.pending = this.#panel.suggested = null;
    this.#nextOffset = result.nextOffset;
    if (jumped && result.hits.length === 0) return this.leave(query);
    if (!jumped) this.#hits.show(result.hits);
    // Enter opens the first suggestion only if it equals the query. A late Enter must not open another row.
    const isHeld = jumped && this.#hits.settle(result.hits, isExact ? list.selected : null);
    this.#view.showAnswer(query.trim(), result, { hasMore, isHeld, jumped });
    if (!isHeld) list.shown();
    this.#resolveFirst();
    this.#tell(query, result, isHeld);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {boolean} [failed]  these are the keyword results
   */
  #showSettled(query, result, failed = false) {
    this.#unsettled = null;
    if (this.answered !== query) this.#show(query, result);
    else {
      this.#nextOffset = result.nextOffset;
      const isHeld = !failed && this.#hits.settle(result.hits);
      this.#view.showSettled(query.trim(), result, isHeld);
      this.#tell(query, result, isHeld);
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
    this.#tell(this.answered ?? "", { ...result, hits: [...(this.visible?.result.hits ?? []), ...result.hits] }, true);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {boolean} isHeld  nothing may move
   */
  #tell(query, result, isHeld) {
    this.visible = { query, result };
    this.#extras?.answered(this.visible, isHeld);
    this.#panel.options.onResults(query, result);
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
