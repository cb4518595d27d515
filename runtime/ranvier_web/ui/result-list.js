/** Hits → a listbox of links, grouped by page, and the selection that moves through it. */

import { element } from "./dom.js";
import { Hand } from "./hand.js";
import { stepIndex } from "./keys.js";
import { rowOf } from "./result-row.js";
import { settled } from "./settling.js";

/** @import { FieldAction } from "./keys.js" */
/** @import { Hit } from "../protocol.js" */
/** @import { Row } from "./result-row.js" */

const REACTION = 300; // ms: whoever presses a key sooner than that after a change has not seen it yet

/** The list of results and its selected option. */
export class ResultList {
  /** The `role=listbox` element. @type {HTMLElement} */
  element;
  /** @type {string} */
  #siteRoot;
  /** @type {(option: HTMLAnchorElement | null) => void} */
  #onSelect;
  /** @type {Row[]} */
  #rows = [];
  /** @type {HTMLAnchorElement[]} */
  #options = [];
  #selected = -1;
  /** @type {Hand} */
  #hand;
  /** What was selected before the list settled, and until when a key still means that. */
  #before = { link: /** @type {HTMLAnchorElement | null} */ (null), until: 0 };

  /**
   * @param {object} parts
   * @param {string} parts.siteRoot
   * @param {string} parts.label
   * @param {(option: HTMLAnchorElement | null) => void} parts.onSelect
   * @param {() => void} parts.onLeave  the reader has followed a result in this tab
   */
  constructor({ siteRoot, label, onSelect, onLeave }) {
    this.#siteRoot = siteRoot;
    this.#onSelect = onSelect;
    this.element = element("div", { class: "results", role: "listbox", id: "results", "aria-label": label });
    this.element.addEventListener("pointermove", (event) => this.#follow(event));
    // A click on a result, as with the middle button, must not take the keys away from the field.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
    this.element.addEventListener("click", (event) => {
      const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
      if (!elsewhere && event.target instanceof Element && event.target.closest("a")) onLeave();
    });
    this.#hand = new Hand(this.element);
  }

  /** How many options there are: pages and their sections. */
  get count() {
    return this.#options.length;
  }

  /** How many pages there are. */
  get pages() {
    return this.#rows.length;
  }

  /** @returns {HTMLAnchorElement | null} */
  get selected() {
    return this.#options[this.#selected] ?? null;
  }

  /** The option that a key pressed now is meant for. @returns {HTMLAnchorElement | null} */
  get meant() {
    return performance.now() < this.#before.until ? this.#before.link : this.selected;
  }

  /** Whether the reader has a hand in the list. */
  get isHeld() {
    return this.#held >= 0;
  }

  /** Show a new answer. @param {Hit[]} hits */
  show(hits) {
    this.#before.until = 0;
    this.#arrange(hits.map((hit) => rowOf(hit, this.#siteRoot)));
    this.#select(this.count > 0 ? 0 : -1, false);
  }

  /** The new answer is in its place: from now on the reader may have a hand in it. */
  shown() {
    this.#hand.lift();
  }

  /**
   * Show the same query's settled answer, in the order that `settling.js` describes. The page under the selection stays
   * selected where the reader has a hand in the list; else the first one is.
   *
   * @param {Hit[]} hits
   * @returns {boolean} whether the reader has a hand in the list
   */
  settle(hits) {
    const { selected } = this;
    const held = this.#held;
    const known = new Map(this.#rows.map((row) => [row.id, row]));
    const found = new Map(hits.map((hit) => [hit.id, hit]));
    const order = settled([...known.keys()], [...found.keys()], held);
    const rows = order.map((id, at) => {
      const [row, hit] = [known.get(id), found.get(id)];
      return row && (at <= held || !hit) ? row : rowOf(/** @type {Hit} */ (hit), this.#siteRoot, row);
    });
    this.#arrange(rows);
    if (held < 0) this.#before = { link: selected, until: performance.now() + REACTION };
    this.#select(held < 0 || !selected ? Math.min(0, this.count - 1) : this.#options.indexOf(selected), false);
    return held >= 0;
  }

  /**
   * Add hits at the end, but for those that are there already, and select the first of them.
   *
   * @param {Hit[]} hits
   * @returns {number} how many were added
   */
  append(hits) {
    const known = new Set(this.#rows.map(({ id }) => id));
    const fresh = hits.filter(({ id }) => !known.has(id));
    const first = this.count;
    this.#arrange([...this.#rows, ...fresh.map((hit) => rowOf(hit, this.#siteRoot))]);
    if (fresh.length > 0) this.#select(first, false);
    return fresh.length;
  }

  /** @param {FieldAction} action */
  move(action) {
    this.#hand.lay();
    this.#before.until = 0;
    this.#select(stepIndex(action, this.#selected, this.count), true);
  }

  /** Index of the lowest row that the reader's hand is on, or -1. */
  get #held() {
    const { selected } = this;
    return this.#hand.lowest(selected ? this.#rows.findIndex(({ options }) => options.includes(selected)) : -1);
  }

  /**
   * Put rows in this order. A row that has its place already is not touched: what a browser knows of it, it goes on knowing.
   *
   * @param {Row[]} rows
   */
  #arrange(rows) {
    const staying = new Set(rows.map((row) => row.element));
    for (const child of [...this.element.children]) if (!staying.has(/** @type {HTMLElement} */ (child))) child.remove();
    rows.forEach((row, at) => {
      const there = this.element.children[at] ?? null;
      if (there !== row.element) this.element.insertBefore(row.element, there);
    });
    this.#rows = rows;
    this.#options = rows.flatMap(({ options }) => options);
  }

  /**
   * @param {number} index
   * @param {boolean} scroll
   */
  #select(index, scroll) {
    for (const option of this.#options) if (option.getAttribute("aria-selected") === "true") option.setAttribute("aria-selected", "false");
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
