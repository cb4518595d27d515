/** The engine's answers in the panel: keyword results first, the semantic refresh after a pause, more on demand; and errors. */

import { toFailure } from "../errors.js";
import { importModule } from "../modules.js";
import { AnswerView, WORDS_ONLY } from "./answer-view.js";
import { answerStrings } from "./answer-strings.js";
import { answerStyles } from "./answer-styles.js";
import { HitList } from "./hit-list.js";
import { SemanticRefresh } from "./semantic-refresh.js";
import { isAnswered, isSuggested } from "./state.js";

/** @import { Extras } from "./extras.js" */
/** @import { SearchOptions } from "../options.js" */
/** @import { SearchResult } from "../protocol.js" */
/** @import { SearchPanel } from "./search-panel.js" */

const EXTRAS = new URL("./extras.js", import.meta.url).href;
const PAGE_SIZE = 8;

export class Answers {
  #panel;
  #hits;
  view;
  refresh = new SemanticRefresh((query, signal) => void this.#refresh(query, signal));
  #controller = new AbortController();
  /** The last keyword answer, which a semantic refresh may follow. @type {SearchResult | null} */
  #keywordResult = null;
  /** A query that is searched without correction. */
  #exactQuery = "";

  #resolveFirst = () => {};
  /** Resolved with the first answer. @type {Promise<void>} */
  first = new Promise((resolve) => (this.#resolveFirst = resolve));

  /** Filters, preview and explanations. @type {Extras | null} */
  #extras = null;
  /** The same, once they are loaded; rows work without. @type {Promise<Extras | null>} */
  extras;

  /** @param {SearchPanel} panel */
  constructor(panel) {
    const { list, options, view } = panel;
    this.#panel = panel;
    /** @type {ShadowRoot} */ (panel.element.getRootNode()).adoptedStyleSheets.push(answerStyles);
    const strings = options.translate(answerStrings);
    this.#hits = new HitList(panel, strings);
    this.view = new AnswerView(strings, view, list.element);
    this.view.more.addEventListener("click", () => this.#loadMore());
    this.view.instead.addEventListener("click", () => this.#searchAlternative());
    this.extras = importModule(EXTRAS).then(({ Extras }) => (this.#extras = new Extras(panel, this.#searchAgain.bind(this)))).catch(() => null);
  }

  /** Show the engine's progress; the returned function stops this. */
  connect() {
    const { client } = this.#panel.options;
    const update = () => this.view.showProgress(client.progress);
    client.addEventListener("change", update);
    update();
    return () => client.removeEventListener("change", update);
  }

  /** @param {string} query */
  search(query) {
    if (query !== this.#exactQuery) this.#exactQuery = "";
    this.#panel.dispatch({ type: "searching", query });
    this.#showSearching();
    void this.#answer(query, { typing: true }, (result) => this.#showAnswer(query, result));
  }

  /** Show the state of the running search, if nothing else is visible. */
  #showSearching() {
    const { options, state } = this.#panel;
    if (state.searching !== null) this.view.showSearching(state.searching.trim(), options.client.ready, isSuggested(state));
  }

  /** Stop the running search, and remove what belongs to the visible answer. */
  stop() {
    this.#controller.abort();
    this.#offerTools(false);
    this.view.hide();
    this.#extras?.clear();
  }

  /** The search has no results: keep the suggestions, which may match an incomplete word. @param {string} query */
  keepSuggestions(query) {
    this.view.showFallback(query.trim());
    this.#resolveFirst();
  }

  #loadMore() {
    const { list, query, state } = this.#panel;
    const { nextOffset: offset = null, unsettled } = state.answer?.result ?? {};
    if (!this.#isListed(query) || state.searching !== null || offset === null) return; // a search will replace the rows
    this.refresh.cancel();
    this.view.showLoadingMore();
    // The next page belongs to the semantic answer: results that it ranks higher are shown below the present ones.
    const page = unsettled ? { limit: list.rows.length + PAGE_SIZE } : { offset };
    const fail = (/** @type {unknown} */ error) => this.#isListed(query) && this.view.showMoreError(toFailure(error).code);
    void this.#answer(query, page, (result) => this.#isListed(query) && this.#showMore(result), fail);
  }

  /** Whether the rows are the answer to this query. @param {string} query */
  #isListed(query) {
    const { rows, query: listed } = this.#panel.state;
    return rows === "answer" && listed === query;
  }

  /**
   * Search, and show the answer or the error, unless another search was started meanwhile.
   *
   * @param {string} query
   * @param {SearchOptions} options
   * @param {(result: SearchResult) => void} show
   * @param {(error: unknown) => void} [fail]
   */
  async #answer(query, options, show, fail = (error) => this.#showError(query, error)) {
    this.#controller.abort();
    const { signal } = (this.#controller = new AbortController());
    try {
      const result = await this.#search(query, { ...options, signal });
      if (!signal.aborted) show(result);
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
  }

  /**
   * Repeat the search with the semantic search. If it fails, the keyword answer stays.
   *
   * @param {string} query
   * @param {AbortSignal} signal
   */
  async #refresh(query, signal) {
    const keywordResult = this.#keywordResult;
    try {
      const result = await this.#search(query, { signal });
      if (!signal.aborted) this.#showRefreshed(query, result);
    } catch {
      if (signal.aborted || !keywordResult) return;
      const notices = [...keywordResult.notices, WORDS_ONLY];
      this.#showRefreshed(query, { ...keywordResult, unsettled: false, notices }, true);
    }
  }

  /**
   * @param {string} query
   * @param {SearchOptions} options
   */
  #search(query, options) {
    const pageLang = document.documentElement.lang;
    const defaults = { ...this.#extras?.options, prefix: true, typing: false, exact: query === this.#exactQuery, pageLang };
    return this.#panel.options.client.search(query, { limit: PAGE_SIZE, offset: 0, ...defaults, ...options });
  }

  /**
   * Search with the options of the visible answer, for its query or a part of it.
   *
   * @param {string} query
   * @param {SearchOptions} options
   */
  #searchAgain(query, options) {
    return this.#search(query, { exact: this.#panel.query === this.#exactQuery, ...options });
  }

  /** Search for the alternative query; if that is the query itself, search for it without correction. */
  #searchAlternative() {
    this.#exactQuery = this.#panel.state.query ?? "";
    this.#panel.input.focus();
    this.#panel.search(this.view.alternative);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #showAnswer(query, result) {
    this.#keywordResult = result;
    const isOutdated = query !== this.#panel.query; // the next search follows after the pause
    const isRefreshing = !isOutdated && result.unsettled === true && this.refresh.offer(query);
    // Do not report an empty answer while another one follows.
    if (result.hits.length === 0 && (isRefreshing || isOutdated)) return this.#keepSearching();
    this.#show(query, result, { hasMore: this.refresh.isWaiting && !isRefreshing });
    if (!isRefreshing) this.#panel.openRow(query);
  }

  /** Keep searching: no results, and another answer follows. */
  #keepSearching() {
    this.#panel.dispatch({ type: "emptied" });
    if (this.#panel.state.rows === "none") this.#panel.list.show([]);
    this.view.hide();
    this.#showSearching();
  }

  /**
   * Show the results in place of suggestions or older results; or, for the semantic refresh, in place of the keyword results.
   *
   * @param {string} query
   * @param {SearchResult} result
   * @param {object} [options]
   * @param {boolean} [options.hasMore]    Enter starts a semantic search
   * @param {boolean} [options.isRefresh]  this is the semantic refresh of the rows
   * @param {boolean} [options.hasFailed]     it failed: these are the keyword results
   */
  #show(query, result, { hasMore = false, isRefresh = false, hasFailed = false } = {}) {
    const { list, state } = this.#panel;
    const hadSuggestions = isSuggested(state, query);
    this.#offerTools(result.hits.length > 0);
    this.#panel.dispatch({ type: "answered", query, result });
    if (this.#panel.state.rows === "fallback") return this.keepSuggestions(query);
    if (!hadSuggestions && !isRefresh) this.#hits.show(result.hits);
    // Enter opens the first suggestion only if it equals the query. A late Enter must not open another row.
    const target = hadSuggestions && !state.isExact ? null : list.selected;
    const isFixed = (hadSuggestions || isRefresh) && !hasFailed && this.#hits.merge(result.hits, target);
    this.view.showAnswer(query.trim(), result, { hasMore, isFixed, hadSuggestions, isRefresh });
    if (!isFixed) list.watch();
    this.#resolveFirst();
    this.#notify(isFixed);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {boolean} [hasFailed]  these are the keyword results
   */
  #showRefreshed(query, result, hasFailed = false) {
    const isRefresh = isAnswered(this.#panel.state, query);
    this.#show(query, result, { isRefresh, hasFailed: hasFailed && isRefresh });
    this.#panel.openRow(query);
  }

  /** @param {SearchResult} result */
  #showMore(result) {
    const { list, input, state } = this.#panel;
    const { query = "", result: before } = state.answer ?? {};
    this.#panel.dispatch({ type: "answered", query, result: { ...result, hits: [...(before?.hits ?? []), ...result.hits] } });
    const added = this.#hits.append(result.hits);
    list.selected?.scrollIntoView({ block: "nearest" });
    this.view.showMore(result, added);
    input.focus();
    this.#notify(true);
  }

  /** @param {boolean} isFixed  nothing may move */
  #notify(isFixed) {
    const { answer } = this.#panel.state;
    if (!answer) return;
    this.#extras?.refresh(isFixed);
    this.#panel.options.onResults(answer.query, answer.result);
  }

  /**
   * @param {string} query
   * @param {unknown} error
   */
  #showError(query, error) {
    const { code, message } = toFailure(error);
    this.#offerTools(false);
    const hasSuggestions = this.#panel.fail(query, code);
    this.view.showError(code, message, hasSuggestions);
    this.#extras?.refresh(false);
  }

  /** Show or hide the tools that explain or copy hits. @param {boolean} hasHits */
  #offerTools(hasHits) {
    this.#panel.element.toggleAttribute("data-no-hits", !hasHits);
  }
}
