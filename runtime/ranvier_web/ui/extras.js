/** The tools beside the rows of an answer: filters, help, a preview and an explanation; loaded with the first answer. */

import { importModule } from "../modules.js";
import { element, icon } from "./dom.js";
import { extraStrings } from "./extra-strings.js";
import { extraStyles } from "./extra-styles.js";
import { FilterBar } from "./filter-bar.js";
import { allHelp, topSections } from "./help.js";
import { isComposing } from "./key-bindings.js";
import { decodePart } from "./marks.js";
import { resultHref } from "./urls.js";

/** @import { Hit, SearchResult } from "../protocol.js" */
/** @import { SearchOptions } from "../options.js" */
/** @import { DetailPane } from "./detail-pane.js" */
/** @import { SearchPanel } from "./search-panel.js" */
/** @import { BoxState } from "./state.js" */

/** @typedef {NonNullable<BoxState["answer"]>} VisibleAnswer */
/** @typedef {{hit: Hit | null, id: string, title: string}} SelectedPage  `id`: or slug */
/** @typedef {(query: string, options: SearchOptions) => Promise<SearchResult>} Search  with the defaults of the visible answer */

const FUNNEL = "M3 4h14l-5.5 6.5V16l-3 1v-6.5Z";
const QUESTION = "M7 7.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.1-1.5 2.4M10 15.5h.01";
const DETAILS = new URL("./detail-pane.js", import.meta.url).href;
const WIDE = "(min-width: 960px)";
const PAGE_STEPS = { PageDown: 8, PageUp: -8 }; // results: about as many as the dialog shows
const MAX_NAMES = 5;
const MIN_LENGTH = 3; // letters of a prefix: fewer begin unrelated names
const MIN_CHARACTERS = 2; // in other scripts, where one character is a syllable or a word
const OTHER_LETTER = /[^\P{L}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** @param {string} label @param {string} path */
const makeTool = (label, path) =>
  element("button", { type: "button", class: "tool", "aria-label": label, title: label, "aria-expanded": "false" }, icon(path));

export class Extras {
  #panel;
  #filters;
  /** @type {Promise<DetailPane> | null} */
  #opening = null;
  /** @type {DetailPane | null} */
  #pane = null;
  #drawer = element("div", { class: "drawer", hidden: true, role: "region", tabindex: 0 });
  #search;
  #strings;
  #why;
  #tools;
  /** What the client changed in the answers of the drawer: a layer that opens or locks changes it. @type {object | null} */
  #adapt = null;

  /**
   * @param {SearchPanel} panel
   * @param {Search} search
   */
  constructor(panel, search) {
    this.#panel = panel;
    this.#search = search;
    const strings = (this.#strings = panel.options.translate(extraStrings));
    this.#why = element("button", { type: "button", class: "why" }, strings.why);
    this.#tools = { filters: makeTool(strings.filters, FUNNEL), help: makeTool(strings.helpLabel, QUESTION) };
    /** @type {ShadowRoot} */ (panel.element.getRootNode()).adoptedStyleSheets.push(extraStyles);
    this.#filters = new FilterBar(panel, this.#drawer, strings, search);
    const { filters, help } = this.#tools;
    panel.input.after(filters, help);
    const field = /** @type {HTMLElement} */ (panel.input.parentElement);
    field.after(this.#drawer, this.#filters.strip);
    filters.addEventListener("click", () => this.#toggle(filters, () => this.#fillFilters()));
    help.addEventListener("click", () => this.#toggle(help, () => this.#drawer.replaceChildren(...allHelp(panel.options.translate))));
    this.#why.addEventListener("click", () => void this.#showDetails("why").then(() => this.#pane?.focus()));
    panel.element.addEventListener("keydown", (event) => this.#handleKey(event), { capture: true });
    const dialog = panel.element.closest("dialog");
    if (dialog) dialog.addEventListener("close", () => this.#toggle(filters, () => {}, false));
    else this.#filters.end.append(this.#why); // the search page has no foot
    if (panel.state.answer || panel.state.failure) this.refresh(false);
  }

  /** The options of every search. */
  get options() {
    return this.#filters.options;
  }

  /** An answer is in the list, or an error is in its place. @param {boolean} isFixed  nothing may move */
  refresh(isFixed) {
    if (!isFixed) this.#filters.refresh();
    const { answer, failure } = this.#panel.state;
    if (!answer || failure) return;
    this.#pane?.refresh();
    if (answer.result.hits.length === 0 && this.#panel.list.count === 0) void this.#suggestNames(answer);
  }

  /** The field is empty: no filter is in use. After a lock, an open drawer has no filter of private pages; otherwise it keeps the focus. */
  clear() {
    this.#filters.refresh();
    if (this.#tools.filters.ariaExpanded === "true" && this.#adapt !== this.#panel.options.client.adapt) this.#fillFilters();
  }

  #fillFilters() {
    this.#adapt = this.#panel.options.client.adapt;
    void this.#filters.fill();
  }

  /**
   * Put the button that explains a row into the foot of the dialog, behind the keys; and keep the foot above a keyboard on the screen.
   *
   * @param {HTMLElement} foot
   * @param {AbortSignal} signal
   */
  addTo(foot, signal) {
    foot.firstElementChild?.after(this.#why);
    // On a phone the foot is one row that scrolls; browsers leave a button there that is visible in part.
    foot.addEventListener("focusin", ({ target }) => /** @type {HTMLElement} */ (target).scrollIntoView({ inline: "nearest", block: "nearest" }), { signal });
    const { visualViewport } = window;
    if (!visualViewport) return;
    // The unit `dvh` includes the keyboard. A page that is zoomed in shows less, too, but the dialog keeps its height.
    const fit = () => this.#panel.element.style.setProperty("--visible", `${visualViewport.height * visualViewport.scale}px`);
    visualViewport.addEventListener("resize", fit, { signal });
    fit();
  }

  /** The hit of the selected row; of a suggestion whose page is not among the hits only its name. @returns {SelectedPage | null} */
  #selected() {
    const { list, site, state } = this.#panel;
    const { rows, selected, selectedRow } = list;
    const row = rows[selectedRow];
    if (!row || !selected) return null;
    const page = selected.href.replace(/#.*/, "");
    const hit = state.answer?.result.hits.find(({ id, url }) => id === row.id || resultHref(url, site.root) === page);
    const slug = decodePart(page.slice(site.root.length).replace(/\/$/, ""));
    return { hit: hit ?? null, id: hit?.id ?? slug, title: hit?.title ?? row.element.ariaLabel ?? "" };
  }

  /**
   * Open the drawer with some content, or close it.
   *
   * @param {HTMLElement} button
   * @param {() => void} fill
   * @param {boolean} [isOpen]
   */
  #toggle(button, fill, isOpen = button.ariaExpanded !== "true") {
    for (const other of Object.values(this.#tools)) other.ariaExpanded = String(isOpen && other === button);
    this.#filters.cancel();
    this.#drawer.hidden = !isOpen;
    this.#drawer.ariaLabel = button.ariaLabel;
    this.#drawer.replaceChildren();
    if (isOpen) fill();
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (isComposing(event)) return;
    const action = event.key === "Escape" ? this.#escapeAction() : event.target === this.#panel.input ? this.#keyAction(event) : null;
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  #escapeAction() {
    const pane = this.#pane;
    if (pane?.isOpen) return () => pane.close();
    const open = Object.values(this.#tools).find(({ ariaExpanded }) => ariaExpanded === "true");
    return open ? () => (this.#toggle(open, () => {}), open.focus()) : null;
  }

  /** @param {KeyboardEvent} event */
  #keyAction(event) {
    const { input, list } = this.#panel;
    if (list.count === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return null;
    if (event.altKey) {
      if (event.key === "ArrowDown") return () => this.#selectPage(1);
      if (event.key === "ArrowUp") return () => this.#selectPage(-1);
      return event.key === "Enter" ? () => void this.#showDetails("why") : null;
    }
    if (event.key in PAGE_STEPS) return () => this.#moveBy(PAGE_STEPS[/** @type {keyof typeof PAGE_STEPS} */ (event.key)]);
    const forward = getComputedStyle(input).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const isAtEnd = input.selectionStart === input.value.length;
    return event.key === forward && isAtEnd && matchMedia(WIDE).matches ? () => void this.#showDetails("preview") : null;
  }

  /** Move over several results, to the first or the last one at most. @param {number} step */
  #moveBy(step) {
    const { list } = this.#panel;
    const at = list.selected ? list.rows.flatMap(({ options }) => options).indexOf(list.selected) : 0;
    list.choose(Math.min(Math.max(at + step, 0), list.count - 1));
  }

  /** Select the page before the selected one, or the next one. @param {number} step */
  #selectPage(step) {
    const { list } = this.#panel;
    const { rows, selectedRow } = list;
    const next = rows[(selectedRow + step + rows.length) % rows.length];
    const before = rows.slice(0, next ? rows.indexOf(next) : 0);
    list.choose(before.reduce((count, { options }) => count + options.length, 0));
  }

  /** @param {"preview" | "why"} view */
  async #showDetails(view) {
    this.#opening ??= importModule(DETAILS).then(({ DetailPane }) => new DetailPane(this.#panel, this.#strings, this.#search, () => this.#selected()));
    try {
      this.#pane = await this.#opening;
      this.#pane.show(view);
    } catch {
      this.#opening = null; // the next time tries again
    }
  }

  /** Below the message of an answer without hits: names with a prefix of its words, and the top of the site. @param {VisibleAnswer} answer */
  async #suggestNames(answer) {
    const names = await this.#makeNameLinks(answer.query);
    const sections = await topSections(this.#panel).catch(() => []);
    const message = this.#panel.view.body.querySelector(".message");
    if (this.#panel.state.answer !== answer || this.#panel.list.count > 0 || !message) return;
    if (names.length) message.append(element("p", {}, this.#strings.beginnings), element("ul", { class: "sections" }, ...names));
    message.append(...sections);
  }

  /** @param {string} query */
  async #makeNameLinks(query) {
    const { options, site } = this.#panel;
    const all = await Promise.all(query.split(/\s+/).filter(Boolean).slice(0, 3).map((word) => this.#findNames(word)));
    const best = new Map(all.flat().reverse().map((name) => [name.url + name.anchor, name])); // the first name of each address
    return [...best.values()].reverse().slice(0, MAX_NAMES).map(({ text, url, anchor }) => {
      const href = resultHref(anchor ? `${url}#${anchor}` : url, site.root);
      return element("li", {}, element("a", { href }, text.join("")));
    });
  }

  /** Return the names with the longest prefix, at least half of a word, that has any. @param {string} word */
  async #findNames(word) {
    const characters = [...word];
    const least = Math.max(OTHER_LETTER.test(word) ? MIN_CHARACTERS : MIN_LENGTH, characters.length / 2);
    for (let length = characters.length - 1; length >= least; length -= 1) {
      const names = await this.#panel.options.client.suggest(characters.slice(0, length).join(""), { limit: MAX_NAMES }).catch(() => []);
      if (names.length > 0) return names;
    }
    return [];
  }
}
