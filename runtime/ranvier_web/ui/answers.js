/** The engine's answers in the panel: keyword results first, the semantic refresh after a pause, more on demand; and errors. */

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
  /** @type {SearchPanel} */
  #panel;
  /** @type {HitList} */
  #hits;
  /** @type {AnswerView} */
  view;
  refresh = new SemanticRefresh((query, signal) => void this.#settle(query, signal));
  #asking = new AbortController();
  /** The last keyword answer, which a semantic refresh may follow. @type {SearchResult | null} */
  #keywords = null;
  /** A query that is searched without correction. */
  #asTyped = "";

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
    const root = /** @type {ShadowRoot} */ (panel.element.getRootNode());
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, answerStyles];
    const words = options.translate(answerStrings);
    this.#hits = new HitList(list, panel.site, words, options.render);
    this.view = new AnswerView(words, view, list.element);
    this.view.more.addEventListener("click", () => this.#more());
    this.view.instead.addEventListener("click", () => this.#instead());
    this.extras = importModule(EXTRAS).then(({ Extras }) => (this.#extras = new Extras(panel))).catch(() => null);
  }

  /** Show the engine's progress; the returned function stops this. @returns {() => void} */
  connect() {
    const { client } = this.#panel.options;
    const follow = () => this.view.showProgress(client.progress);
    client.addEventListener("change", follow);
    follow();
    return () => client.removeEventListener("change", follow);
  }

  /** @param {string} query */
  ask(query) {
    if (query !== this.#asTyped) this.#asTyped = "";
    this.#panel.dispatch({ type: "searching", query });
    this.#resume();
    void this.#answer(query, { typing: true }, (result) => this.#showAnswer(query, result));
  }

  /** Show the state of the running search, if nothing else is visible. */
  #resume() {
    const { options, state } = this.#panel;
    if (state.searching !== null) this.view.showSearching(state.searching.trim(), options.client.ready, isSuggested(state));
  }

  /** Stop the running search, and remove what belongs to the visible answer. */
  stop() {
    this.#asking.abort();
    this.view.hide();
  }

  /** The search has no results: keep the suggestions, which may match an incomplete word. @param {string} query */
  leave(query) {
    this.view.showAlone(query.trim());
    this.#resolveFirst();
  }

  #more() {
    const { list, state } = this.#panel;
    const { nextOffset: offset = null, unsettled } = state.answer?.result ?? {};
    if (state.rows !== "answer" || state.query === null || offset === null) return;
    this.refresh.cancel();
    this.view.showLookingForMore();
    // The next page belongs to the semantic answer: results that it ranks higher are shown below the present ones.
    const page = unsettled ? { limit: list.rows.length + PAGE_SIZE } : { offset };
    void this.#answer(state.query, page, (result) => this.#showMore(result));
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
      if (!signal.aborted) this.#showError(query, error);
    }
  }

  /**
   * Repeat the search with the semantic search. If it fails, the keyword answer stays.
   *
   * @param {string} query
   * @param {AbortSignal} signal
   */
  async #settle(query, signal) {
    const words = this.#keywords;
    try {
      const result = await this.#search(query, { signal });
      if (!signal.aborted) this.#showSettled(query, result);
    } catch {
      if (!signal.aborted && words) this.#showSettled(query, { ...words, unsettled: false, notices: [...words.notices, WORDS_ONLY] }, true);
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
    this.#asTyped = this.#panel.state.query ?? "";
    this.#panel.input.focus();
    this.#panel.ask(this.view.alternative);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #showAnswer(query, result) {
    this.#keywords = result;
    const comes = result.unsettled === true && this.refresh.offer(query);
    // Do not report an empty answer while the semantic refresh follows.
    if (result.hits.length === 0 && comes) return this.#goOn();
    this.#show(query, result, { hasMore: this.refresh.isWaiting && !comes });
    if (!comes) this.#panel.openRow(query);
  }

  /** Keep searching: no keyword results, and the semantic refresh follows. */
  #goOn() {
    this.#panel.dispatch({ type: "emptied" });
    if (this.#panel.state.rows === "none") this.#panel.list.show([]);
    this.view.hide();
    this.#resume();
  }

  /**
   * Show the results in place of suggestions or older results; or, for the semantic refresh, in place of the keyword results.
   *
   * @param {string} query
   * @param {SearchResult} result
   * @param {object} [how]
   * @param {boolean} [how.hasMore]    Enter starts a semantic search
   * @param {boolean} [how.refreshes]  this is the semantic refresh of the rows
   * @param {boolean} [how.failed]     it failed: these are the keyword results
   */
  #show(query, result, { hasMore = false, refreshes = false, failed = false } = {}) {
    const { list, state } = this.#panel;
    const jumped = isSuggested(state, query);
    this.#offerTools(result.hits.length > 0);
    this.#panel.dispatch({ type: "answered", query, result });
    if (this.#panel.state.rows === "alone") return this.leave(query);
    if (!jumped && !refreshes) this.#hits.show(result.hits);
    // Enter opens the first suggestion only if it equals the query. A late Enter must not open another row.
    const target = jumped && !state.isExact ? null : list.selected;
    const isHeld = (jumped || refreshes) && !failed && this.#hits.settle(result.hits, target);
    this.view.showAnswer(query.trim(), result, { hasMore, isHeld, jumped, refreshes });
    if (!isHeld && !refreshes) list.watch();
    this.#resolveFirst();
    this.#tell(isHeld);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {boolean} [failed]  these are the keyword results
   */
  #showSettled(query, result, failed = false) {
    const refreshes = isAnswered(this.#panel.state, query);
    this.#show(query, result, { refreshes, failed: failed && refreshes });
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
    this.#tell(true);
  }

  /** @param {boolean} isHeld  nothing may move */
  #tell(isHeld) {
    const { answer } = this.#panel.state;
    if (!answer) return;
    this.#extras?.answered(isHeld);
    this.#panel.options.onResults(answer.query, answer.result);
  }

  /**
   * @param {string} query
   * @param {unknown} error
   */
  #showError(query, error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "internal";
    this.#offerTools(false);
    const keeps = this.#panel.fail(query, code);
    this.view.showError(code, error instanceof Error ? error.message : String(error), keeps);
  }

  /** Show or hide what explains or copies hits. @param {boolean} hasHits */
  #offerTools(hasHits) {
    this.#panel.element.toggleAttribute("data-no-hits", !hasHits);
  }
}
