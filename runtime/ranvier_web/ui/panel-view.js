/** What the panel shows below its field: one method for each thing that can be the case. */

import { element } from "./dom.js";
import { shortened } from "./strings.js";

/** @import { Notice, Progress, SearchResult } from "../protocol.js" */
/** @import { Strings } from "./strings.js" */

/** The search by meaning is not to be had, or its files are not. @type {Notice} */
const WORDS_ONLY = { code: "no-vectors", text: "", said: "" };

/** @type {Set<string>} */
const told = new Set();

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
    if (told.has(key)) return false;
  }
  told.add(key);
  return true;
}

/** The visible states of a search: idle, loading, results, nothing, error. */
export class PanelView {
  /** @type {Strings} */
  #words;
  /** @type {HTMLElement} */
  #list;
  #notice = element("p", { class: "notice", hidden: true });
  #message = element("div", { class: "message" });
  #status = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
  #boot = element("div", { class: "boot", hidden: true });
  #bar = element("progress", { "aria-hidden": "true" });
  #bootText = element("p");
  #body = element("div", { class: "body", part: "results" });
  /** Below the results, where it moves none of them. */
  #aside = element("p", { class: "aside", hidden: true });

  /** @type {HTMLButtonElement} */
  more;
  /** @type {HTMLButtonElement} */
  retry;
  /** Searches for the words as they were typed, where their spelling was mended. */
  instead = element("button", { type: "button", class: "instead" });

  /**
   * @param {Strings} words
   * @param {HTMLElement} list
   */
  constructor(words, list) {
    this.#words = words;
    this.#list = list;
    this.more = element("button", { type: "button", class: "more", hidden: true }, words.more);
    this.retry = element("button", { type: "button", class: "retry" }, words.retry);
    this.#boot.append(this.#bar, this.#bootText);
    this.#body.append(this.#notice, this.#message, list, this.more, this.#aside);
  }

  /** In the order in which they are shown. @returns {HTMLElement[]} */
  get elements() {
    return [this.#boot, this.#body, this.#status];
  }

  /** @param {Progress | null} progress null when nothing is being loaded */
  showProgress(progress) {
    this.#boot.hidden = progress === null || progress.stage === "ready";
    if (progress === null) return;
    this.#bootText.textContent = this.#words.progress(progress);
    if (progress.total > 0) {
      this.#bar.max = progress.total;
      this.#bar.value = Math.min(progress.loaded, progress.total);
    } else {
      this.#bar.removeAttribute("value");
    }
  }

  showIdle() {
    const rows = this.#words.hints.flatMap(([example, meaning]) => [
      element("dt", {}, element("code", {}, example)),
      element("dd", {}, meaning),
    ]);
    this.#say(element("p", {}, this.#words.hintTitle), element("dl", { class: "hints" }, ...rows));
    this.#announce("");
  }

  /**
   * Older results stay on show, dimmed, until there are new ones.
   *
   * @param {string} query
   * @param {boolean} ready
   */
  showSearching(query, ready) {
    this.#body.setAttribute("aria-busy", "true");
    if (this.#list.childElementCount > 0) return;
    this.#say(element("p", {}, ready ? this.#words.searching : this.#words.waiting(shortened(query))));
    if (!ready) this.#announce(this.#words.starting);
    this.#body.setAttribute("aria-busy", "true");
  }

  showLookingForMore() {
    this.more.textContent = this.#words.loadingMore;
    this.more.disabled = true;
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   * @param {boolean} hasMore Enter would search by meaning too
   */
  showAnswer(query, result, hasMore) {
    const hint = hasMore ? this.#words.enterSettles : "";
    if (result.hits.length === 0) this.#showNothing(query, result, hint);
    else {
      this.#say();
      this.#showNotices(query, result);
      this.#showFound(query, result, hint);
    }
    this.#body.scrollTo({ top: 0 });
  }

  /**
   * The list has settled. Under the reader's hand nothing above it may change its height either: notices stay as they were.
   *
   * @param {string} query
   * @param {SearchResult} result
   * @param {boolean} isHeld
   */
  showSettled(query, result, isHeld) {
    if (this.#list.childElementCount === 0) {
      this.#showNothing(query, result);
      return;
    }
    this.#body.removeAttribute("aria-busy");
    this.#message.hidden = true;
    if (!isHeld) this.#showNotices(query, result);
    this.#showFound(query, result);
  }

  /**
   * The list could not settle: the words' answer stays.
   *
   * @param {string} query
   * @param {SearchResult} words
   */
  showUnsettled(query, words) {
    this.showSettled(query, { ...words, notices: [...words.notices, WORDS_ONLY] }, false);
  }

  /**
   * @param {SearchResult} result the next page of results, which the list has already
   * @param {number} added        how many of them are new to it
   */
  showMore(result, added) {
    this.#offerMore(result);
    this.#announce(this.#words.announceMore(added));
  }

  /**
   * @param {string} code
   * @param {string} reason
   */
  showError(code, reason) {
    const { errors, errorTitle } = this.#words;
    const text = errors[code] ?? errors.internal ?? "";
    const title = element("p", { class: "lead" }, errorTitle);
    this.#say(title, element("p", {}, text), element("p", { class: "reason" }, reason), this.retry);
    this.#announce(`${errorTitle} ${text}`);
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
    this.#announce([nothing, ...reasons, ...this.#showAside(notices, hint)].join(" "));
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #showNotices(query, result) {
    const text = this.#texts(result.notices).join(" ");
    const instead = correction(result) === null ? "" : this.#words.instead(shortened(query));
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
    const found = this.#words.announce(totalHits, shortened(correction(result) ?? query), truncated);
    this.#announce([...this.#texts(notices), found, ...this.#showAside(notices, hint)].join(" "));
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
    return shown.flatMap(({ code, said }) => this.#words.notices[code]?.(shortened(said)) ?? []);
  }

  /** @param {SearchResult} result */
  #offerMore({ nextOffset }) {
    this.more.textContent = this.#words.more;
    this.more.disabled = false;
    this.more.hidden = nextOffset === null;
  }

  /** @param {...HTMLElement} content what stands in place of results; nothing to show the results */
  #say(...content) {
    this.#body.removeAttribute("aria-busy");
    this.#message.replaceChildren(...content);
    this.#message.hidden = content.length === 0;
    this.#notice.hidden = true;
    this.#aside.hidden = true;
    this.more.hidden = true;
  }

  /** @param {string} text what has been said is not said again */
  #announce(text) {
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }
}

/**
 * The words that were searched for instead of those that were typed, or null.
 *
 * @param {SearchResult} result
 */
function correction({ notices }) {
  return notices.find(({ code }) => code === "corrected")?.said ?? null;
}
