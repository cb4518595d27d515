/** Filters as chips: those in the query, which can be removed, and those of the matches, with counts. */

import { CROSS, element, icon } from "./dom.js";
import { folderName, formatFilter, parseFilters, removeFilters, removePart } from "./query-filters.js";

/** @import { ExtraStrings } from "./extra-strings.js" */
/** @import { Search } from "./extras.js" */
/** @import { FacetCount } from "../protocol.js" */
/** @import { SearchOptions } from "../options.js" */
/** @import { SearchPanel } from "./search-panel.js" */

/** @typedef {"tags" | "kind" | "folder" | "lang"} Facet */
/** @typedef {NonNullable<SearchOptions["sort"]>} Sort */

const FACETS = /** @type {Facet[]} */ (["tags", "kind", "folder", "lang"]);
const MAX_CHIPS = 12; // of a facet
const KIND_OF = /** @type {const} */ ({ tags: "tags", kind: "kind", folder: "path", lang: "lang" });

export class FilterBar {
  #panel;
  #drawer;
  #strings;
  #chips = element("div", { class: "chips", role: "group" });
  /** The end of the strip. */
  end = element("div");
  strip = element("div", { class: "strip", hidden: true }, this.#chips, this.end);
  #count;
  /** @type {Sort} */
  #sort = "relevance";
  #countController = new AbortController();

  /**
   * @param {SearchPanel} panel
   * @param {HTMLElement} drawer  where filters are offered
   * @param {ExtraStrings} strings
   * @param {Search} count
   */
  constructor(panel, drawer, strings, count) {
    this.#panel = panel;
    this.#drawer = drawer;
    this.#strings = strings;
    this.#count = count;
    this.#chips.ariaLabel = strings.active;
  }

  /** @returns {SearchOptions} */
  get options() {
    return this.#sort === "relevance" ? {} : { sort: this.#sort };
  }

  /** Show the filters of the query. */
  refresh() {
    const { query } = this.#panel;
    const chips = parseFilters(query).map(({ start, end }) => {
      const text = query.slice(start, end);
      return this.#makeRemovableChip(text, () => this.#remove(text));
    });
    if (this.#sort !== "relevance") chips.push(this.#makeRemovableChip(this.#strings.sorts[this.#sort], () => this.#setSort("relevance")));
    this.#chips.replaceChildren(...chips);
    this.strip.hidden = chips.length === 0 && !this.end.querySelector(":not([hidden])");
    if (this.#drawer.querySelector(".facet")) this.#updatePressed();
  }

  /** Fill the drawer with the filters of the matches. */
  async fill() {
    this.cancel();
    const { signal } = (this.#countController = new AbortController());
    const sortControl = this.#makeSortControl();
    this.#drawer.replaceChildren(element("p", {}, this.#strings.counting), ...sortControl);
    try {
      const { facets } = await this.#count(removeFilters(this.#panel.query), { facets: FACETS, limit: 1, typing: true, signal });
      const groups = FACETS.flatMap((facet) => this.#makeGroup(facet, facets?.[facet] ?? []));
      if (signal.aborted) return;
      this.#drawer.replaceChildren(...(groups.length ? groups : [element("p", {}, this.#strings.noFacets)]), ...sortControl);
      this.#updatePressed();
    } catch {
      if (!signal.aborted) this.#drawer.replaceChildren(element("p", {}, this.#strings.noCounts), ...sortControl);
    }
  }

  /** The drawer is closed, or gets other content: counts that arrive later are not shown. */
  cancel() {
    this.#countController.abort();
  }

  /**
   * @param {Facet} facet
   * @param {FacetCount[]} counts
   * @returns {HTMLElement[]} none if there is no choice
   */
  #makeGroup(facet, counts) {
    const choices = counts.filter(({ value }) => formatFilter(facet, value)).slice(0, MAX_CHIPS);
    if (choices.length === 0 || (choices.length === 1 && facet !== "tags")) return [];
    const title = this.#strings.facets[facet];
    const chips = choices.map(({ value, count }) => {
      const name = element("span", { dir: "auto" }, this.#nameOf(facet, value));
      const chip = element("button", { type: "button", class: "chip facet", "aria-pressed": "false", "data-filter": formatFilter(facet, value) });
      chip.append(name, element("span", { class: "count" }, String(count)));
      chip.addEventListener("click", () => this.#toggleFilter(facet, value));
      return chip;
    });
    return [element("h2", {}, title), element("div", { class: "chips", role: "group", "aria-label": title }, ...chips)];
  }

  /**
   * @param {Facet} facet
   * @param {string} value
   */
  #nameOf(facet, value) {
    if (facet === "tags") return `#${value}`;
    if (facet === "folder") return folderName(value, this.#panel.site.trail);
    if (facet !== "lang") return value;
    try {
      return new Intl.DisplayNames([document.documentElement.lang || "en"], { type: "language" }).of(value) ?? value;
    } catch {
      return value;
    }
  }

  #makeSortControl() {
    const options = Object.entries(this.#strings.sorts).map(([value, text]) => element("option", { value, selected: value === this.#sort }, text));
    const select = element("select", { "aria-label": this.#strings.sort }, ...options);
    select.addEventListener("change", () => this.#setSort(/** @type {Sort} */ (select.value)));
    return [element("h2", {}, this.#strings.sort), select];
  }

  /** Mark the filters of the drawer that are in the query. */
  #updatePressed() {
    const active = new Set(this.#activeFilters().map((filter) => filter.toLowerCase()));
    for (const chip of this.#drawer.querySelectorAll(".facet")) {
      chip.setAttribute("aria-pressed", String(active.has((chip.getAttribute("data-filter") ?? "").toLowerCase())));
    }
  }

  /** The filters of the query, as this box writes them. */
  #activeFilters() {
    const facetOf = (/** @type {string} */ kind) => FACETS.find((facet) => KIND_OF[facet] === kind);
    return parseFilters(this.#panel.query).flatMap(({ kind, value }) => {
      const facet = facetOf(kind);
      return facet ? [formatFilter(facet, value)] : [];
    });
  }

  /** Remove a filter from the query, which may have changed since the filter became a chip. @param {string} text */
  #remove(text) {
    const { query } = this.#panel;
    const same = parseFilters(query).filter(({ start, end }) => query.slice(start, end) === text);
    this.#search(same.reduceRight(removePart, query));
  }

  /**
   * Add a filter to the query, or remove it.
   *
   * @param {Facet} facet
   * @param {string} value
   */
  #toggleFilter(facet, value) {
    const { query } = this.#panel;
    const isSame = (/** @type {{kind: string, value: string}} */ filter) =>
      filter.kind === KIND_OF[facet] && filter.value.toLowerCase() === value.toLowerCase();
    const same = parseFilters(query).filter(isSame);
    const next = same.length ? same.reduceRight(removePart, query) : `${query.trim()} ${formatFilter(facet, value)}`.trim();
    this.#search(next, false);
  }

  /** @param {Sort} sort */
  #setSort(sort) {
    this.#sort = sort;
    const select = this.#drawer.querySelector("select");
    if (select) select.value = sort;
    this.#search(this.#panel.query, false);
  }

  /**
   * @param {string} query
   * @param {boolean} [setsFocus]  a removed chip loses the focus
   */
  #search(query, setsFocus = true) {
    if (setsFocus) this.#panel.input.focus();
    this.#panel.search(query);
    this.refresh();
  }

  /**
   * @param {string} text
   * @param {() => void} remove
   */
  #makeRemovableChip(text, remove) {
    const chip = element("button", { type: "button", class: "chip", dir: "auto", "aria-label": this.#strings.remove(text) }, text, icon(CROSS));
    chip.addEventListener("click", remove);
    return chip;
  }
}
