/** What the panel shows of the engine: how its start goes on, what it answers, and what goes wrong. */

import { element } from "./dom.js";
import { shortened } from "./answer-strings.js";

/** @import { Notice, Progress, SearchResult } from "../protocol.js" */
/** @import { AnswerStrings } from "./answer-strings.js" */
/** @import { PanelView } from "./panel-view.js" */

/** The search by meaning is not to be had, or its files are not. @type {Notice} */
export const WORDS_ONLY = { code: "no-vectors", text: "", subject: "" };

/** @type {Set<string>} */
const shownNotices = new Set();

/**
 * Whether it has not been said in this visit: since the tab was opened, or where a browser keeps nothing, on this page.
 *
 * @param {string} code
 */
function firstTime(code) {
  const key = `ranvier-told-${code}`;
  try {
    if (sessionStorage.getItem(key)) return false;
    sessionStorage.setItem(key, "1");
  } catch {
    if (shownNotices.has(key)) return false;
  }
  shownNotices.add(key);
  return true;
}

export class AnswerView {
  /** @type {AnswerStrings} */
  #words;
  /** @type {PanelView} */
  #view;
  /** @type {HTMLElement} */
  #list;
  #notice = element("p", { class: "notice", hidden: true });
  #boot = element("div", { class: "boot", hidden: true });
  #bar = element("progress", { "aria-hidden": "true" });
  #bootText = element("p");
  /** Below the results, where it moves none of them. */
  #aside = element("p", { class: "aside", hidden: true });

  /** @type {HTMLButtonElement} */
  more;
  /** Searches for the words as they were typed, where their spelling was mended. */
  instead = element("button", { type: "button", class: "instead" });
  /** Another query, which that button searches for. */
  alternative = "";

  /**
   * @param {AnswerStrings} words
   * @param {PanelView} view
   * @param {HTMLElement} list
   */
  constructor(words, view, list) {
    this.#words = words;
    this.#view = view;
    this.#list = list;
    this.more = element("button", { type: "button", class: "more", hidden: true }, words.more);
    this.#boot.append(this.#bar, this.#bootText);
    view.body.prepend(this.#notice);
    view.body.append(this.more, this.#aside);
    view.body.after(this.#boot); // below the rows: it comes and goes without moving them
  }

  /** @param {Progress | null} progress null when nothing is being loaded */
  showProgress(progress) {
    this.#boot.hidden = progress === null;
    if (progress === null) return;
    this.#bootText.textContent = this.#words.progress(progress);
    if (progress.total > 0) {
      this.#bar.max = progress.total;
      this.#bar.value = Math.min(progress.loaded, progress.total);
    } else {
      this.#bar.removeAttribute("value");
    }
  }

  /** Nothing of an answer is on show. */
  hide() {
    this.#notice.hidden = this.#aside.hidden = this.more.hidden = true;
  }

  /**
   * Older results, or suggestions, stay on show until there is something new.
   *
   * @param {string} query
   * @param {boolean} ready
   */
  showSearching(query, ready) {
    this.#view.wait();
    this.#view.forgive();
    if (this.#list.childElementCount > 0) return;
    this.#say(element("p", {}, ready ? this.#words.searching : this.#words.waiting(shortened(query))));
    if (!ready) this.#view.announce(this.#words.starting);
  }

  showLookingForMore() {
    this.more.textContent = this.#words.loadingMore;
    this.more.disabled = true;
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {object} how
   * @param {boolean} how.hasMore  Enter would search by meaning too
   * @param {boolean} how.isHeld   under the reader's hand nothing may move
   * @param {boolean} how.jumped   the rows were suggestions: a line stays in the place of their label
   */
  showAnswer(query, result, { hasMore, isHeld, jumped }) {
    const hint = hasMore ? this.#words.enterSettles : "";
    if (this.#list.childElementCount === 0) this.#showNothing(query, result, hint);
    else {
      this.#say();
      if (jumped) this.#view.label(this.#count(result));
      if (!isHeld) this.#showNotices(query, result);
      this.#showFound(query, result, hint);
    }
    this.#view.rest();
    if (!isHeld) this.#view.body.scrollTo({ top: 0 });
  }

  /** The suggestions are all that there is. @param {string} query */
  showAlone(query) {
    const text = this.#words.nothingElse(shortened(query));
    this.#view.rest();
    this.hide();
    this.#view.keep();
    this.#aside.textContent = text;
    this.#aside.hidden = false;
    this.#view.announce(text);
  }

  /**
   * The list has settled. Under the reader's hand nothing above it may change its height either: notices stay as they were.
   *
   * @param {string} query
   * @param {SearchResult} result
   * @param {boolean} isHeld
   */
  showSettled(query, result, isHeld) {
    this.#view.rest();
    if (this.#list.childElementCount === 0) return this.#showNothing(query, result);
    if (this.#view.isLabelled) this.#view.label(this.#count(result));
    else this.#view.say();
    if (!isHeld) this.#showNotices(query, result);
    this.#showFound(query, result);
  }

  /**
   * @param {SearchResult} result the next page of results, which the list has already
   * @param {number} added        how many of them are new to it
   */
  showMore(result, added) {
    this.#offerMore(result);
    this.#view.announce(this.#words.announceMore(added));
  }

  /**
   * @param {string} code
   * @param {string} reason
   * @param {boolean} keeps  suggestions stay on show
   */
  showError(code, reason, keeps) {
    const { errors, reload } = this.#words;
    this.hide();
    this.#view.showError(errors[code] ?? errors.internal ?? "", reason, keeps, code === "format" ? reload : undefined);
  }

  /** @param {...HTMLElement} content */
  #say(...content) {
    this.hide();
    this.#view.say(...content);
  }

  /** @param {SearchResult} result */
  #count({ totalHits, truncated }) {
    return this.#words.results(totalHits, truncated);
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {string} [hint]
   */
  #showNothing(query, { notices }, hint) {
    const tips = this.#words.tips.map((tip) => element("li", {}, tip));
    const nothing = this.#words.nothing(shortened(query));
    const reasons = this.#texts(notices);
    this.#say(
      element("p", { class: "lead" }, nothing),
      ...reasons.map((reason) => element("p", {}, reason)),
      element("p", {}, this.#words.tipsTitle),
      element("ul", {}, ...tips),
    );
    this.#view.announce([nothing, ...reasons, ...this.#showAside(notices, hint)].join(" "));
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #showNotices(query, result) {
    const text = this.#texts(result.notices).join(" ");
    this.alternative = alternative(query, result);
    const instead = this.alternative && this.#words.instead(shortened(this.alternative));
    this.#notice.hidden = text === "";
    // Putting the same there once more would take the focus from the button.
    if (this.#notice.textContent === [text, instead].filter(Boolean).join(" ")) return;
    this.instead.textContent = instead;
    this.#notice.replaceChildren(text, ...(instead ? [" ", this.instead] : []));
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {string} [hint]
   */
  #showFound(query, result, hint) {
    this.#offerMore(result);
    const { totalHits, truncated, notices } = result;
    const count = this.#words.announce(totalHits, shortened(correction(result) ?? query), truncated);
    this.#view.announce([...this.#texts(notices), count, ...this.#showAside(notices, hint)].join(" "));
  }

  /**
   * What is said below the results: a hint, or, once a visit, that only words were searched for.
   *
   * @param {Notice[]} notices
   * @param {string} [hint]
   * @returns {string[]} what is said
   */
  #showAside(notices, hint = "") {
    const isDue = notices.some(({ code }) => code === WORDS_ONLY.code) && firstTime(WORDS_ONLY.code);
    const text = isDue ? (this.#words.notices[WORDS_ONLY.code]?.("") ?? "") : hint;
    this.#aside.textContent = text;
    this.#aside.hidden = text === "";
    return text ? [text] : [];
  }

  /** @param {Notice[]} notices @returns {string[]} */
  #texts(notices) {
    const shown = notices.filter(({ code }) => code !== WORDS_ONLY.code);
    return shown.flatMap(({ code, subject }) => this.#words.notices[code]?.(shortened(subject)) ?? []);
  }

  /** @param {SearchResult} result */
  #offerMore({ nextOffset }) {
    this.more.textContent = this.#words.more;
    this.more.disabled = false;
    this.more.hidden = nextOffset === null;
  }
}

/**
 * Another reading of a query that a reader may have meant: the words as they were typed, or with none left out; empty for none.
 *
 * @param {string} query
 * @param {SearchResult} result
 */
function alternative(query, result) {
  if (correction(result) !== null) return query;
  return result.notices.find(({ code }) => code === "excluded")?.subject ?? "";
}

/**
 * The words that were searched for instead of those that were typed, or null.
 *
 * @param {SearchResult} result
 */
function correction({ notices }) {
  return notices.find(({ code }) => code === "corrected")?.subject ?? null;
}
