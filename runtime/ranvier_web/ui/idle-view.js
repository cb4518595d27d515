/** The content of an empty box: pinned and recent searches, examples of the query syntax, and the sections of the site. */

import { element, icon } from "./dom.js";
import { exampleList, topSections } from "./help.js";
import { helpStrings } from "./help-strings.js";
import { isModified } from "./key-bindings.js";
import { withQuery } from "./search-history.js";

/** @import { BoxParts } from "./box-features.js" */
/** @import { FeatureStrings } from "./feature-strings.js" */
/** @import { RecentSearches } from "./recent-searches.js" */

const CLOCK = "M10 2.5a7.5 7.5 0 1 0 0 15a7.5 7.5 0 0 0 0 -15ZM10 6v4.5l3 2";
const PIN = "M7 3h6l-1 5 3 3H5l3-3ZM10 11v6";

export class IdleView {
  #box;
  #strings;
  /** Null if none are stored. */
  #searches;
  #help;
  /** Links to the sections of the site, which arrive later: they must not replace the element that has the focus. */
  #sections = element("div", { class: "site" });

  /**
   * @param {BoxParts} box
   * @param {FeatureStrings} strings
   * @param {RecentSearches | null} searches
   */
  constructor(box, strings, searches) {
    this.#box = box;
    this.#strings = strings;
    this.#searches = searches;
    this.#help = box.panel.options.translate(helpStrings);
    box.panel.view.idle = () => this.#makeContent();
    box.panel.element.addEventListener("keydown", (event) => this.#handleKey(event));
    this.refresh();
    topSections(box.panel).then((sections) => this.#sections.append(...sections)).catch(() => {}); // the box works without
  }

  /** Show the stored searches, if the box is empty. */
  refresh() {
    const { panel } = this.#box;
    if (!panel.query && panel.list.count === 0 && !panel.state.failure) panel.view.showIdle();
  }

  #makeContent() {
    const { hintTitle, hints } = this.#help;
    return [...this.#makeLists(), element("p", {}, hintTitle), exampleList(hints), this.#sections];
  }

  #makeLists() {
    const { recent, pinned } = this.#searches?.saved ?? { recent: [], pinned: [] };
    if (recent.length + pinned.length === 0) return [];
    const forget = element("button", { type: "button", class: "forget" }, this.#strings.forget);
    forget.addEventListener("click", () => this.#forgetAll());
    const lists = [
      ...this.#makeList(this.#strings.pinned, pinned, true),
      ...this.#makeList(this.#strings.recent, recent, false),
    ];
    return [element("div", { class: "searches" }, ...lists, forget)];
  }

  /**
   * @param {string} title
   * @param {string[]} queries
   * @param {boolean} isPinned
   */
  #makeList(title, queries, isPinned) {
    if (queries.length === 0) return [];
    const rows = queries.map((query) => element("li", { class: "searches-item" }, this.#makeLink(query, isPinned), this.#makePinButton(query, isPinned)));
    return [element("p", { class: "searches-title" }, title), element("ul", { class: "searches-list", "aria-label": title }, ...rows)];
  }

  /**
   * @param {string} query
   * @param {boolean} isPinned
   */
  #makeLink(query, isPinned) {
    const page = this.#box.host.getAttribute("page") ?? location.href;
    const href = withQuery(new URL(page, document.baseURI).href, query);
    const link = element("a", { class: "searches-link", href }, icon(isPinned ? PIN : CLOCK), element("span", { dir: "auto" }, query));
    link.addEventListener("click", (event) => {
      if (isModified(event)) return;
      event.preventDefault();
      this.#box.panel.focus();
      this.#box.panel.search(query);
    });
    return link;
  }

  /**
   * @param {string} query
   * @param {boolean} isPinned
   */
  #makePinButton(query, isPinned) {
    const label = this.#strings.pin(query);
    const pin = element("button", { type: "button", class: "pin", "aria-label": label, "aria-pressed": String(isPinned) }, icon(PIN));
    pin.addEventListener("click", () => {
      this.#searches?.toggle(query);
      this.refresh();
      const buttons = /** @type {NodeListOf<HTMLElement>} */ (this.#box.panel.view.body.querySelectorAll(".pin"));
      [...buttons].find((button) => button.ariaLabel === label)?.focus();
    });
    return pin;
  }

  #forgetAll() {
    this.#searches?.forget();
    this.refresh();
    this.#box.panel.input.focus();
    this.#box.panel.view.announce(this.#strings.forgotten);
  }

  /**
   * The arrow keys move between the field and the searches.
   *
   * @param {KeyboardEvent} event
   */
  #handleKey(event) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const { input, list, view } = this.#box.panel;
    if (!step || event.isComposing || event.altKey || list.count > 0) return;
    const elements = [input, ...view.body.querySelectorAll("a.searches-link")];
    const at = elements.findIndex((item) => event.composedPath().includes(item));
    const next = elements[(at + step + elements.length) % elements.length];
    if (at < 0 || elements.length < 2 || !(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  }
}
