/** Filters as chips: those in the query, which can be removed, and those that the matches offer, with counts. */

import { CROSS, element, icon } from "./dom.js";
import { filtersOf, folderName, without, wordsOf, written } from "./query-filters.js";

/** @import { ExtraStrings } from "./extra-strings.js" */
/** @import { FacetCount } from "../protocol.js" */
/** @import { SearchOptions } from "../options.js" */
/** @import { SearchPanel } from "./search-panel.js" */

/** @typedef {"tags" | "kind" | "folder" | "lang"} Facet */
/** @typedef {NonNullable<SearchOptions["sort"]>} Sort */

const FACETS = /** @type {Facet[]} */ (["tags", "kind", "folder", "lang"]);
const MOST = 12; // chips of a facet
const KIND_OF = /** @type {const} */ ({ tags: "tags", kind: "kind", folder: "path", lang: "lang" });

export class FilterBar {
  /** @type {SearchPanel} */
  #panel;
  /** @type {HTMLElement} */
  #drawer;
  /** @type {ExtraStrings} */
  #words;
  #chips = element("div", { class: "chips", role: "group" });
  /** The end of the strip. */
  end = element("div");
  strip = element("div", { class: "strip", hidden: true }, this.#chips, this.end);
  /** @type {Sort} */
  #sort = "relevance";
  #counting = new AbortController();

  /**
   * @param {SearchPanel} panel
   * @param {HTMLElement} drawer  where filters are offered
   * @param {ExtraStrings} words
   */
  constructor(panel, drawer, words) {
    this.#panel = panel;
    this.#drawer = drawer;
    this.#words = words;
    this.#chips.ariaLabel = words.active;
  }

  /** @returns {SearchOptions} */
  get options() {
    return this.#sort === "relevance" ? {} : { sort: this.#sort };
  }

  /** Show the filters of the query. */
  refresh() {
    const { query } = this.#panel;
    const chips = filtersOf(query).map((filter) => {
      const text = query.slice(filter.start, filter.end);
      return this.#removable(text, () => this.#ask(without(this.#panel.query, filter)));
    });
    if (this.#sort !== "relevance") chips.push(this.#removable(this.#words.sorts[this.#sort], () => this.#order("relevance")));
    this.#chips.replaceChildren(...chips);
    this.strip.hidden = chips.length === 0 && !this.end.querySelector(":not([hidden])");
    if (this.#drawer.querySelector(".facet")) this.#press();
  }

  /** Fill the drawer with what the matches can be filtered by. */
  async fill() {
    this.#counting.abort();
    const { signal } = (this.#counting = new AbortController());
    const orders = this.#orders();
    this.#drawer.replaceChildren(element("p", {}, this.#words.counting), ...orders);
    try {
      const options = { facets: FACETS, limit: 1, typing: true, prefix: true, signal };
      const { facets } = await this.#panel.options.client.search(wordsOf(this.#panel.query), options);
      const groups = FACETS.flatMap((facet) => this.#group(facet, facets?.[facet] ?? []));
      if (!signal.aborted && !this.#drawer.hidden) {
        this.#drawer.replaceChildren(...(groups.length ? groups : [element("p", {}, this.#words.noFacets)]), ...orders);
      }
      this.#press();
    } catch {
      if (!signal.aborted) this.#drawer.replaceChildren(element("p", {}, this.#words.noCounts), ...orders);
    }
  }

  /**
   * @param {Facet} facet
   * @param {FacetCount[]} counts
   * @returns {HTMLElement[]} none if there is no choice
   */
  #group(facet, counts) {
    const offered = counts.filter(({ value }) => written(facet, value)).slice(0, MOST);
    if (offered.length === 0 || (offered.length === 1 && facet !== "tags")) return [];
    const title = this.#words.facets[facet];
    const chips = offered.map(({ value, count }) => {
      const name = element("span", {}, this.#nameOf(facet, value));
      const chip = element("button", { type: "button", class: "chip facet", "aria-pressed": "false", "data-filter": written(facet, value) });
      chip.append(name, element("span", { class: "count" }, String(count)));
      chip.addEventListener("click", () => this.#switch(facet, value));
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

  #orders() {
    const options = Object.entries(this.#words.sorts).map(([value, text]) => element("option", { value, selected: value === this.#sort }, text));
    const select = element("select", { "aria-label": this.#words.sort }, ...options);
    select.addEventListener("change", () => this.#order(/** @type {Sort} */ (select.value)));
    return [element("h2", {}, this.#words.sort), select];
  }

  /** Show which of the offered filters are in the query. */
  #press() {
    const present = new Set(this.#present());
    for (const chip of this.#drawer.querySelectorAll(".facet")) {
      chip.setAttribute("aria-pressed", String(present.has(chip.getAttribute("data-filter") ?? "")));
    }
  }

  /** The filters of the query, as this box writes them. @returns {string[]} */
  #present() {
    const facetOf = (/** @type {string} */ kind) => FACETS.find((facet) => KIND_OF[facet] === kind);
    return filtersOf(this.#panel.query).flatMap(({ kind, value }) => {
      const facet = facetOf(kind);
      return facet ? [written(facet, value)] : [];
    });
  }

  /**
   * Add a filter to the query, or remove it.
   *
   * @param {Facet} facet
   * @param {string} value
   */
  #switch(facet, value) {
    const { query } = this.#panel;
    const same = filtersOf(query).filter((filter) => filter.kind === KIND_OF[facet] && filter.value === value);
    const next = same.length ? same.reduceRight(without, query) : `${query.trim()} ${written(facet, value)}`.trim();
    this.#ask(next, false);
  }

  /** @param {Sort} sort */
  #order(sort) {
    this.#sort = sort;
    const select = this.#drawer.querySelector("select");
    if (select) select.value = sort;
    this.#ask(this.#panel.query, false);
  }

  /**
   * @param {string} query
   * @param {boolean} [focuses]  a removed chip loses the focus
   */
  #ask(query, focuses = true) {
    if (focuses) this.#panel.input.focus();
    this.#panel.ask(query);
    this.refresh();
  }

  /**
   * @param {string} text
   * @param {() => void} remove
   */
  #removable(text, remove) {
    const chip = element("button", { type: "button", class: "chip", "aria-label": this.#words.remove(text) }, text, icon(CROSS));
    chip.addEventListener("click", remove);
    return chip;
  }
}
