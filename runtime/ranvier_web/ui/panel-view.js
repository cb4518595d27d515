/** What the panel shows below its field: one method for each thing that can be the case. */

import { element } from "./dom.js";
import { shortened } from "./strings.js";

/** @import { Notice, Progress, SearchResult } from "../protocol.js" */
/** @import { Strings } from "./strings.js" */

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
    this.#body.append(this.#notice, this.#message, list, this.more);
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
   */
  showAnswer(query, result) {
    if (result.hits.length === 0) {
      this.#showNothing(query, result);
      return;
    }
    this.#say();
    this.#showNotices(query, result);
    this.#offerMore(result);
    this.#body.scrollTo({ top: 0 });
    const found = this.#words.announce(result.totalHits, shortened(correction(result) ?? query), result.truncated);
    this.#announce([...this.#texts(result.notices), found].join(" "));
  }

  /** @param {SearchResult} result the next page of results, which the list has already */
  showMore(result) {
    this.#offerMore(result);
    this.#announce(this.#words.announceMore(result.hits.length));
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
   */
  #showNothing(query, { notices }) {
    const tips = this.#words.tips.map((tip) => element("li", {}, tip));
    const nothing = this.#words.nothing(shortened(query));
    const reasons = this.#texts(notices);
    this.#say(
      element("p", { class: "lead" }, nothing),
      ...reasons.map((reason) => element("p", {}, reason)),
      element("p", {}, this.#words.tipsTitle),
      element("ul", {}, ...tips),
    );
    this.#announce([nothing, ...reasons].join(" "));
  }

  /**
   * @param {string} query
   * @param {SearchResult} result
   */
  #showNotices(query, result) {
    const texts = this.#texts(result.notices);
    this.instead.textContent = this.#words.instead(shortened(query));
    this.#notice.replaceChildren(texts.join(" "), ...(correction(result) === null ? [] : [" ", this.instead]));
    this.#notice.hidden = texts.length === 0;
  }

  /** @param {Notice[]} notices @returns {string[]} */
  #texts(notices) {
    return notices.flatMap(({ code, said }) => this.#words.notices[code]?.(shortened(said)) ?? []);
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
    this.more.hidden = true;
  }

  /** @param {string} text */
  #announce(text) {
    this.#status.textContent = text;
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
