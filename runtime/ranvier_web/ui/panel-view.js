/** The panel below its field, with one method for each state before there is an answer. */

import { element } from "./dom.js";

/** @import { Strings } from "./strings.js" */

export class PanelView {
  #strings;
  #list;
  #message = element("div", { class: "message" });
  #label = element("p", { class: "heading", hidden: true });
  #status = element("div", { class: "sr-only", role: "status", "aria-live": "polite" });
  /** What an empty box shows. @type {() => HTMLElement[]} */
  idle = () => [];
  /** The label of the suggestions. */
  #suggestionLabel = "";
  #simplerNote = element("p", { hidden: true });
  body;
  retry;

  /**
   * @param {Strings} strings
   * @param {HTMLElement} list
   */
  constructor(strings, list) {
    this.#strings = strings;
    this.#list = list;
    this.#suggestionLabel = strings.jump;
    this.#simplerNote.textContent = strings.simpler;
    this.retry = element("button", { type: "button", class: "retry" });
    this.body = element("div", { class: "body", part: "results" }, this.#message, this.#label, list);
  }

  /** The elements, in display order. */
  get elements() {
    return [this.body, this.#status];
  }

  /** Whether the results have a label, which replaced that of the suggestions. */
  get isLabelled() {
    return !this.#label.hidden;
  }

  showIdle() {
    this.endWait();
    this.showMessage(...this.idle());
    this.announce("");
  }

  /**
   * Show that the rows are suggestions. `announce` does not repeat the announcement for later suggestions.
   *
   * @param {boolean} hasNames    some of them are titles, aliases, headings or tags
   * @param {boolean} isError  the message is an error, which stays
   */
  showSuggestions(hasNames, isError) {
    const { announceFirst, announceJump, first, jump } = this.#strings;
    this.#suggestionLabel = hasNames ? jump : first;
    if (isError) this.#moveMessageBelow();
    else {
      this.showMessage();
      this.announce(hasNames ? announceJump : announceFirst);
    }
    this.body.removeAttribute("aria-busy");
    this.label(this.#suggestionLabel);
  }

  /** Keep the rows, and show the error below them. */
  #moveMessageBelow() {
    this.#list.after(this.#message);
    this.#simplerNote.hidden = false;
  }

  /** Mark the rows as those of an older query; they stay until there are others. */
  dim() {
    this.body.setAttribute("aria-busy", "true");
  }

  /** Keep the suggestions as the final result. */
  keepLabel() {
    this.showMessage();
    this.label(this.#suggestionLabel);
  }

  /**
   * Show an error.
   *
   * @param {string} text
   * @param {string} reason
   * @param {boolean} hasSuggestions  suggestions stay visible above it
   * @param {string} [remedy]
   */
  showError(text, reason, hasSuggestions, remedy = this.#strings.retry) {
    const { errorTitle } = this.#strings;
    this.endWait();
    this.retry.textContent = remedy;
    const title = element("p", { class: "lead" }, errorTitle);
    this.#simplerNote.hidden = true;
    this.showMessage(title, element("p", {}, text), this.#simplerNote, element("p", { class: "reason" }, reason), this.retry);
    if (hasSuggestions) {
      this.#moveMessageBelow();
      this.label(this.#suggestionLabel);
    }
    this.announce([errorTitle, text, ...(hasSuggestions ? [this.#strings.simpler] : [])].join(" "));
  }

  /**
   * Keep the visible rows and the panel's height until there is a new answer.
   *
   * @param {boolean} isSuggested  the rows are suggestions; others are dimmed
   */
  wait(isSuggested) {
    if (!isSuggested) this.dim();
    this.body.style.setProperty("--held", `${this.body.getBoundingClientRect().height}px`);
  }

  endWait() {
    this.body.removeAttribute("aria-busy");
    this.body.style.removeProperty("--held");
  }

  /** Hide the error before another try. */
  hide() {
    this.#message.hidden = true;
    this.#label.before(this.#message);
  }

  /** @param {...HTMLElement} content replaces the rows; without content the rows are shown */
  showMessage(...content) {
    this.#list.before(this.#message, this.#label);
    this.#message.replaceChildren(...content);
    this.#message.hidden = content.length === 0;
    this.label("");
  }

  /** @param {string} text the label of the rows; "" to hide it */
  label(text) {
    this.#label.textContent = text;
    this.#label.hidden = text === "";
  }

  /** @param {string} text not announced again if it is unchanged */
  announce(text) {
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }
}
