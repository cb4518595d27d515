/** What the panel shows below its field: one method for each thing that can be the case before there is an answer. */

import { element } from "./dom.js";

/** @import { Strings } from "./strings.js" */

export class PanelView {
  /** @type {Strings} */
  #words;
  /** @type {HTMLElement} */
  #list;
  #message = element("div", { class: "message" });
  #label = element("p", { class: "heading", hidden: true });
  #status = element("div", { class: "unseen", role: "status", "aria-live": "polite" });
  /** Whether what stands in place of rows, or below them, is an error. */
  isError = false;
  /** Whether the rows on show are suggestions. */
  #isJumping = false;
  /** What suggestions are called. */
  #kind = "";
  #simpler = element("p", { hidden: true });
  /** @type {HTMLElement} */
  body;
  /** @type {HTMLButtonElement} */
  retry;

  /**
   * @param {Strings} words
   * @param {HTMLElement} list
   */
  constructor(words, list) {
    this.#words = words;
    this.#list = list;
    this.#kind = words.jump;
    this.#simpler.textContent = words.simpler;
    this.retry = element("button", { type: "button", class: "retry" });
    this.body = element("div", { class: "body", part: "results" }, this.#message, this.#label, list);
  }

  /** In the order in which they are shown. @returns {HTMLElement[]} */
  get elements() {
    return [this.body, this.#status];
  }

  /** Whether there is a line above results, in the place of the suggestions' label. */
  get isLabelled() {
    return !this.#label.hidden && !this.#isJumping;
  }

  showIdle() {
    const rows = this.#words.hints.flatMap(([example, meaning]) => [
      element("dt", {}, element("code", {}, example)),
      element("dd", {}, meaning),
    ]);
    this.rest();
    this.say(element("p", {}, this.#words.hintTitle), element("dl", { class: "hints" }, ...rows));
    this.announce("");
  }

  /**
   * The list has suggestions. They are announced once: only the same again, or an answer, comes after them.
   *
   * @param {boolean} named  some of them are names of pages, or of what is in them
   */
  showSuggestions(named) {
    const { announceFirst, announceJump, first, jump } = this.#words;
    this.#kind = named ? jump : first;
    if (this.isError) this.#keepAbove();
    else {
      this.say();
      this.announce(named ? announceJump : announceFirst);
    }
    this.body.removeAttribute("aria-busy");
    this.label(this.#kind);
    this.#isJumping = true;
  }

  /** The rows are all that there is: the error stands below them, and says so. */
  #keepAbove() {
    this.#list.after(this.#message);
    this.#simpler.hidden = false;
  }

  /** The rows are those of an older query, and stay until there are others. */
  age() {
    this.#isJumping = false;
    this.body.setAttribute("aria-busy", "true");
  }

  /** The rows stay suggestions, and nothing follows. */
  keep() {
    this.say();
    this.label(this.#kind);
  }

  /**
   * It has failed.
   *
   * @param {string} text
   * @param {string} reason
   * @param {boolean} keeps  suggestions stay on show, above it
   * @param {string} [remedy]
   */
  showError(text, reason, keeps, remedy = this.#words.retry) {
    const { errorTitle } = this.#words;
    this.rest();
    this.retry.textContent = remedy;
    const title = element("p", { class: "lead" }, errorTitle);
    this.#simpler.hidden = true;
    this.say(title, element("p", {}, text), this.#simpler, element("p", { class: "reason" }, reason), this.retry);
    this.isError = true;
    if (keeps) {
      this.#keepAbove();
      this.label(this.#kind);
      this.#isJumping = true;
    }
    this.announce([errorTitle, text, ...(keeps ? [this.#words.simpler] : [])].join(" "));
  }

  /** What is on show stays there, dimmed where it is of an older query, and as high as it is, until there is something new. */
  wait() {
    if (!this.#isJumping) this.body.setAttribute("aria-busy", "true");
    this.body.style.setProperty("--held", `${this.body.getBoundingClientRect().height}px`);
  }

  rest() {
    this.body.removeAttribute("aria-busy");
    this.body.style.removeProperty("--held");
  }

  /** It is tried again. */
  forgive() {
    if (!this.isError) return;
    this.isError = false;
    this.#message.hidden = true;
    this.#label.before(this.#message);
  }

  /** @param {...HTMLElement} content what stands in place of rows; nothing to show the rows */
  say(...content) {
    this.isError = false;
    this.#list.before(this.#message, this.#label);
    this.#message.replaceChildren(...content);
    this.#message.hidden = content.length === 0;
    this.label("");
  }

  /** @param {string} text what the rows are */
  label(text) {
    this.#isJumping = false;
    this.#label.textContent = text;
    this.#label.hidden = text === "";
  }

  /** @param {string} text what has been said is not said again */
  announce(text) {
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }
}
