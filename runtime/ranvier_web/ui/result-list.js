/** Hits → a listbox of links, grouped by page, and the selection that moves through it. */

import { element } from "./dom.js";
import { markNodes, plainText } from "./marks.js";
import { stepIndex } from "./keys.js";
import { resultHref } from "./urls.js";

/** @import { FieldAction } from "./keys.js" */
/** @import { Hit, SubResult } from "../protocol.js" */

const CRUMB_SEPARATOR = " > ";

/**
 * Where a hit stands, without repeating its title: headings if there are any, else the folders of its path.
 *
 * @param {{title: string, breadcrumb?: string, path?: string}} hit
 * @returns {string[]}
 */
export function whereabouts({ title, breadcrumb, path }) {
  const start = title + CRUMB_SEPARATOR;
  if (breadcrumb?.startsWith(start)) return breadcrumb.slice(start.length).split(CRUMB_SEPARATOR);
  if (breadcrumb && breadcrumb !== title) return breadcrumb.split(CRUMB_SEPARATOR);
  return (path ?? "")
    .replace(/\.\w+$/, "")
    .split("/")
    .filter(Boolean);
}

/**
 * @param {string} className
 * @param {string | undefined} highlight
 * @returns {HTMLElement[]} nothing for an empty text
 */
function line(className, highlight) {
  if (!highlight) return [];
  const span = element("span", { class: className });
  span.append(markNodes(highlight));
  return [span];
}

/**
 * @param {string[]} crumbs
 * @returns {HTMLElement[]}
 */
function crumbLine(crumbs) {
  return crumbs.length === 0 ? [] : [element("span", { class: "crumbs" }, crumbs.join(" › "))];
}

/** The list of results and its selected option. */
export class ResultList {
  /** The `role=listbox` element. @type {HTMLElement} */
  element;
  /** @type {string} */
  #siteRoot;
  /** @type {(option: HTMLAnchorElement | null) => void} */
  #onSelect;
  /** @type {HTMLAnchorElement[]} */
  #options = [];
  #selected = -1;

  /**
   * @param {object} parts
   * @param {string} parts.siteRoot
   * @param {string} parts.label
   * @param {(option: HTMLAnchorElement | null) => void} parts.onSelect
   */
  constructor({ siteRoot, label, onSelect }) {
    this.#siteRoot = siteRoot;
    this.#onSelect = onSelect;
    this.element = element("div", { class: "results", role: "listbox", id: "results", "aria-label": label });
    this.element.addEventListener("pointermove", (event) => this.#follow(event));
  }

  get count() {
    return this.#options.length;
  }

  /** The selected link. @returns {HTMLAnchorElement | null} */
  get selected() {
    return this.#options[this.#selected] ?? null;
  }

  /** @param {Hit[]} hits */
  show(hits) {
    this.element.replaceChildren();
    this.#options = [];
    this.#selected = -1;
    this.append(hits);
  }

  /**
   * Add hits at the end and select the first of them.
   *
   * @param {Hit[]} hits
   */
  append(hits) {
    const first = this.#options.length;
    this.element.append(...hits.map((hit) => this.#group(hit)));
    this.#select(first < this.#options.length ? first : this.#selected, false);
  }

  /** @param {FieldAction} action */
  move(action) {
    this.#select(stepIndex(action, this.#selected, this.#options.length), true);
  }

  /**
   * @param {Hit} hit
   * @returns {HTMLElement}
   */
  #group(hit) {
    const title = hit.titleHighlight || hit.title;
    const page = this.#option(hit.url, "page", [
      ...line("title", title),
      ...crumbLine(whereabouts(hit)),
      // Where the best chunk's own section is listed below, its words stand there, and not twice.
      ...(hit.subResults.some(({ anchor }) => anchor === hit.anchor) ? [] : line("snippet", hit.snippet)),
    ]);
    const sections = hit.subResults.map((section) => this.#section(section));
    return element("div", { class: "group", role: "group", "aria-label": plainText(title) }, page, ...sections);
  }

  /**
   * @param {SubResult} section
   * @returns {HTMLElement}
   */
  #section(section) {
    const content = [...line("title", section.titleHighlight || section.title), ...line("snippet", section.snippet)];
    return this.#option(section.url, "section", content);
  }

  /**
   * @param {string} url
   * @param {string} kind
   * @param {HTMLElement[]} content
   * @returns {HTMLAnchorElement}
   */
  #option(url, kind, content) {
    const option = element(
      "a",
      {
        class: `option ${kind}`,
        role: "option",
        id: `option-${this.#options.length}`,
        href: resultHref(url, this.#siteRoot),
        "aria-selected": "false",
        // The focus stays in the field; the arrows reach the options.
        tabindex: -1,
      },
      ...content,
    );
    this.#options.push(option);
    return option;
  }

  /**
   * @param {number} index
   * @param {boolean} scroll
   */
  #select(index, scroll) {
    this.selected?.setAttribute("aria-selected", "false");
    this.#selected = index;
    this.selected?.setAttribute("aria-selected", "true");
    if (scroll) this.#reveal();
    this.#onSelect(this.selected);
  }

  #reveal() {
    const option = this.selected;
    // The first option brings what stands above it, such as a notice, back into view.
    if (this.#selected === 0) option?.closest(".body")?.scrollTo({ top: 0 });
    else option?.scrollIntoView({ block: "nearest" });
  }

  /**
   * The selection follows a pointer that moves, not one that lies still under a list that scrolls.
   *
   * @param {PointerEvent} event
   */
  #follow(event) {
    if (event.pointerType !== "mouse" || !(event.target instanceof Element)) return;
    const option = event.target.closest("a");
    const index = option ? this.#options.indexOf(option) : -1;
    if (index >= 0 && index !== this.#selected) this.#select(index, false);
  }
}
