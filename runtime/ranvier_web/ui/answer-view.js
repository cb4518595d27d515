/** Shows the engine in the panel: the progress of its start, its answers and errors. */

import { shortened } from "./answer-strings.js";
import { Debounce } from "./debounce.js";
import { element } from "./dom.js";

/** @import { Notice, Progress, SearchResult, SiteNotice } from "../protocol.js" */
/** @import { AnswerStrings } from "./answer-strings.js" */
/** @import { PanelView } from "./panel-view.js" */

/** The semantic search or its files are not available. @type {Notice} */
export const WORDS_ONLY = { code: "no-vectors", text: "", subject: "" };

/** Time without a newer answer before a screen reader hears of one. While a reader types, almost every letter has an answer. */
const ANNOUNCE_DELAY = 400; // ms: longer than the pause before the semantic refresh, so that both answers are one message

const SHOWN = `ranvier-notice-${WORDS_ONLY.code}`;
let isNoticeShown = false;

/** Record that this notice is shown; return whether it is the first time in this tab, or, without session storage, on this page. */
function markShown() {
  try {
    if (sessionStorage.getItem(SHOWN)) return false;
    sessionStorage.setItem(SHOWN, "1");
  } catch {
    if (isNoticeShown) return false;
  }
  isNoticeShown = true;
  return true;
}

/**
 * The progress in bytes as the host sends them. If the host compresses while it sends, the total is unknown.
 *
 * @param {AnswerStrings} strings
 * @param {Progress} progress
 */
export const progressText = ({ amount, starting }, { loaded, total, received = loaded, expected = total }) =>
  received > 0 ? `${starting} ${amount(received, expected)}` : starting;

export class AnswerView {
  #strings;
  #view;
  #list;
  #notice = element("p", { class: "notice", hidden: true });
  #boot = element("div", { class: "boot", hidden: true });
  #bar = element("progress", { "aria-hidden": "true" });
  #bootText = element("p");
  /** Announces an answer, unless another one follows soon. @type {Debounce<string>} */
  #announcement = new Debounce((text) => this.#view.announce(text));
  /** Below the results, so that it does not move them. */
  #hint = element("p", { class: "hint", hidden: true });

  more;
  /** Searches for the alternative query, such as the original words of a corrected query. */
  instead = element("button", { type: "button", class: "instead" });
  /** The query of this button. */
  alternative = "";

  /**
   * @param {AnswerStrings} strings
   * @param {PanelView} view
   * @param {HTMLElement} list
   */
  constructor(strings, view, list) {
    this.#strings = strings;
    this.#view = view;
    this.#list = list;
    this.more = element("button", { type: "button", class: "more", hidden: true }, strings.more);
    this.#boot.append(this.#bar, this.#bootText);
    view.body.prepend(this.#notice);
    view.body.append(this.more, this.#hint);
    view.body.after(this.#boot); // below the rows, so that it does not move them
  }

  /** @param {Progress | null} progress null if nothing is being loaded */
  showProgress(progress) {
    this.#boot.hidden = progress === null;
    if (progress === null) return;
    this.#bootText.textContent = progressText(this.#strings, progress);
    if (progress.total > 0) {
      this.#bar.max = progress.total;
      this.#bar.value = Math.min(progress.loaded, progress.total);
    } else {
      this.#bar.removeAttribute("value");
    }
  }

  /** Hide the elements of an answer. */
  hide() {
    this.#announcement.cancel();
    this.#notice.hidden = this.#hint.hidden = this.more.hidden = true;
  }

  /**
   * Show that a search is running. Older results or suggestions stay visible until there are new ones.
   *
   * @param {string} query
   * @param {boolean} ready
   * @param {boolean} isSuggested  the rows are suggestions
   */
  showSearching(query, ready, isSuggested) {
    this.#announcement.cancel();
    this.#view.wait(isSuggested);
    if (this.#list.childElementCount > 0) return this.#view.hide();
    this.#showMessage(element("p", {}, ready ? this.#strings.searching : this.#strings.waiting(shortened(query))));
    if (!ready) this.#view.announce(this.#strings.starting);
  }

  showLoadingMore() {
    this.more.textContent = this.#strings.loadingMore;
    this.#view.announce(""); // the next message may have the same words
  }

  /** The results stay, and the button repeats the request. @param {string} code */
  showMoreError(code) {
    this.more.textContent = this.#strings.more;
    this.#hint.textContent = this.#errorText(code);
    this.#hint.hidden = false;
    this.#announcement.schedule(this.#hint.textContent, ANNOUNCE_DELAY);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {object} options
   * @param {boolean} options.hasMore  Enter starts a semantic search
   * @param {boolean} options.isFixed   there is interaction with the list: nothing may move, also not the notices above it
   * @param {boolean} options.hadSuggestions   the rows were suggestions: a line replaces their label
   * @param {boolean} options.isRefresh  the rows had a keyword answer
   */
  showAnswer(query, result, { hasMore, isFixed, hadSuggestions, isRefresh }) {
    const hint = hasMore ? this.#strings.enterSettles : "";
    this.#view.endWait();
    if (this.#list.childElementCount === 0) this.#showEmpty(query, result, hint);
    else {
      const isLabelled = hadSuggestions || (isRefresh && this.#view.isLabelled);
      if (isRefresh) this.#view.showMessage();
      else this.#showMessage();
      if (isLabelled) this.#view.label(this.#strings.results(result.totalHits, result.truncated));
      if (!isFixed) this.#showNotices(query, result);
      this.#showCount(query, result, hint);
    }
    if (!isFixed && !isRefresh) this.#view.body.scrollTo({ top: 0 });
  }

  /** The search has no results, and the suggestions stay. @param {string} query */
  showFallback(query) {
    const text = this.#strings.nothingElse(shortened(query));
    this.#view.endWait();
    this.hide();
    this.#view.keepLabel();
    this.#hint.textContent = text;
    this.#hint.hidden = false;
    this.#announcement.schedule(text, ANNOUNCE_DELAY);
  }

  /**
   * @param {SearchResult} result the next page of results, already in the list
   * @param {number} added        how many of them are new in the list
   */
  showMore(result, added) {
    this.#hint.hidden = true;
    this.#offerMore(result);
    this.#announcement.schedule(this.#strings.announceMore(added), ANNOUNCE_DELAY);
  }

  /**
   * @param {string} code
   * @param {string} reason
   * @param {boolean} hasSuggestions  suggestions stay visible
   */
  showError(code, reason, hasSuggestions) {
    this.hide();
    this.#view.showError(this.#errorText(code), reason, hasSuggestions, code === "format" ? this.#strings.reload : undefined);
  }

  /** @param {string} code */
  #errorText(code) {
    const { errors } = this.#strings;
    return errors[code] ?? errors.internal ?? "";
  }

  /** @param {...HTMLElement} content */
  #showMessage(...content) {
    this.hide();
    this.#view.showMessage(...content);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {string} [hint]
   */
  #showEmpty(query, { notices }, hint) {
    const tips = this.#strings.tips.map((tip) => element("li", {}, tip));
    const nothing = this.#strings.nothing(shortened(query));
    const reasons = this.#texts(notices);
    this.#showMessage(
      element("p", { class: "lead" }, nothing),
      ...reasons.map((reason) => element("p", {}, reason)),
      element("p", {}, this.#strings.tipsTitle),
      element("ul", {}, ...tips),
    );
    this.#announcement.schedule([nothing, ...reasons, ...this.#showHint(notices, hint)].join(" "), ANNOUNCE_DELAY);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #showNotices(query, result) {
    const text = this.#texts(result.notices).join(" ");
    // The words without correction, or without exclusions.
    this.alternative = subjectOf(result, "corrected") === undefined ? (subjectOf(result, "excluded") ?? "") : query;
    const instead = this.alternative && this.#strings.instead(shortened(this.alternative));
    this.#notice.hidden = text === "";
    // Replacing it with the same content would remove the focus from the button.
    if (this.#notice.textContent === [text, instead].filter(Boolean).join(" ")) return;
    this.instead.textContent = instead;
    this.#notice.replaceChildren(text, ...(instead ? [" ", this.instead] : []));
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {string} [hint]
   */
  #showCount(query, result, hint) {
    this.#offerMore(result);
    const { totalHits, truncated, notices } = result;
    const count = this.#strings.announce(totalHits, shortened(subjectOf(result, "corrected") ?? query), truncated);
    this.#announcement.schedule([...this.#texts(notices), count, ...this.#showHint(notices, hint)].join(" "), ANNOUNCE_DELAY);
  }

  /**
   * Show the line below the results: a hint, or, once per session, that the search used only words.
   *
   * @param {Notice[]} notices
   * @param {string} [hint]
   * @returns {string[]} the text of the line
   */
  #showHint(notices, hint = "") {
    const isShown = notices.some(({ code }) => code === WORDS_ONLY.code) && markShown();
    const text = isShown ? (this.#strings.notices[WORDS_ONLY.code]?.("") ?? "") : hint;
    this.#hint.textContent = text;
    this.#hint.hidden = text === "";
    return text ? [text] : [];
  }

  /** @param {SiteNotice[]} notices */
  #texts(notices) {
    const visible = notices.filter(({ code }) => code !== WORDS_ONLY.code);
    const texts = visible.flatMap(({ code, site, subject }) => {
      const text = this.#strings.notices[code]?.(shortened(subject));
      if (!text) return []; // a code of a newer version
      return site ? `${site}: ${text}` : text;
    });
    return [...new Set(texts)]; // a query may have too many characters and too many words
  }

  /** @param {SearchResult} result */
  #offerMore({ nextOffset }) {
    this.more.textContent = this.#strings.more;
    this.more.hidden = nextOffset === null;
  }
}

/** Return the subject of a notice, if an answer has it. @param {SearchResult} result @param {string} code */
const subjectOf = ({ notices }, code) => notices.find((notice) => notice.code === code)?.subject;
