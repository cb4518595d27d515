/** A listbox of links, grouped by page, with a selection. */

import { element } from "./dom.js";
import { ListInteraction } from "./list-interaction.js";
import { isModified, stepIndex } from "./key-bindings.js";

/** @import { FieldAction } from "./key-bindings.js" */
/** @import { Row } from "./suggestion-row.js" */

const LATE_KEY_TIME = 300; // ms: a key pressed within this time after a change was meant for the old list

/** The rows of suggestions or results, and the selected option. */
export class ResultList {
  /** The `role=listbox` element. */
  element;
  #onSelect;
  /** @type {Row[]} */
  rows = [];
  /** Whether the reader has moved through the list by keys. */
  hasMoved = false;
  /** @type {HTMLAnchorElement[]} */
  #options = [];
  #selected = -1;
  /** Whether the reader has made the selection, by a key or a pointer. */
  isChosen = false;
  #interaction;
  /** The target of keys before the last change of the rows, and the time until which it is used. */
  #lateTarget = { link: /** @type {HTMLAnchorElement | null} */ (null), until: 0 };

  /**
   * @param {object} parts
   * @param {string} parts.label
   * @param {(option: HTMLAnchorElement | null) => void} parts.onSelect
   * @param {(link: HTMLAnchorElement, event: Event) => void} parts.onLeave  the reader opens a result in this tab
   */
  constructor({ label, onSelect, onLeave }) {
    this.#onSelect = onSelect;
    this.element = element("div", { class: "results", part: "list", role: "listbox", id: "results", "aria-label": label });
    this.element.addEventListener("pointermove", (event) => this.#selectPointed(event));
    // A click on a result, for example with the middle button, must not remove the focus from the field.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
    this.element.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!isModified(event) && link) onLeave(link, event);
    });
    this.#interaction = new ListInteraction(this.element);
  }

  /** Number of options: pages and their sections. */
  get count() {
    return this.#options.length;
  }

  get selected() {
    return this.#options[this.#selected] ?? null;
  }

  /** The target of a key that is pressed now. */
  get target() {
    return performance.now() < this.#lateTarget.until ? this.#lateTarget.link : this.selected;
  }

  /** Index of the row with the selected option, or -1. */
  get selectedRow() {
    const { selected } = this;
    return this.rows.findIndex(({ options }) => selected && options.includes(selected));
  }

  /** Index of the lowest row with interaction, or -1. */
  get lastFixed() {
    return this.#interaction.lowest(this.selectedRow);
  }

  /** Show new rows, and select the first option. @param {Row[]} rows */
  show(rows) {
    this.#lateTarget.until = 0;
    this.hasMoved = this.isChosen = false;
    this.#arrange(rows);
    this.#select(this.count > 0 ? 0 : -1, false);
  }

  /**
   * Select the option with this address, as if the reader had chosen it.
   *
   * @param {string} href
   * @returns {boolean} whether there is one
   */
  select(href) {
    const index = this.#options.findIndex((option) => option.href === href);
    if (index < 0) return false;
    this.#interaction.record();
    this.hasMoved = this.isChosen = true;
    this.#select(index, true);
    return true;
  }

  /** The new rows are complete: from now on, interaction with the list is recorded. */
  watch() {
    this.#interaction.reset();
  }

  /**
   * Show other rows for the same query.
   *
   * @param {Row[]} rows
   * @param {HTMLAnchorElement | null} selected  null for the first option
   */
  change(rows, selected) {
    this.#arrange(rows);
    this.#select(selected ? this.#options.indexOf(selected) : Math.min(0, this.count - 1), false);
  }

  /** Set the target of keys that are pressed shortly after a change of the rows. @param {HTMLAnchorElement | null} link */
  setTarget(link) {
    this.#lateTarget = { link, until: performance.now() + LATE_KEY_TIME };
  }

  /** @param {FieldAction} action */
  move(action) {
    this.choose(stepIndex(action, this.#selected, this.count));
  }

  /** Select an option by its index, as the reader's choice. @param {number} index */
  choose(index) {
    this.#interaction.record();
    this.#lateTarget.until = 0;
    this.hasMoved = this.isChosen = true;
    this.#select(index, true);
  }

  /**
   * Put rows in this order. A row that is already at its place is not touched, so that the browser keeps its state.
   *
   * @param {Row[]} rows
   */
  #arrange(rows) {
    const remaining = new Set(rows.map((row) => row.element));
    for (const child of [...this.element.children]) if (!remaining.has(/** @type {HTMLElement} */ (child))) child.remove();
    rows.forEach((row, at) => {
      const current = this.element.children[at] ?? null;
      if (current !== row.element) this.element.insertBefore(row.element, current);
    });
    this.rows = rows;
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
    if (scroll) this.#scrollToSelected();
    this.#onSelect(this.selected);
  }

  #scrollToSelected() {
    const option = this.selected;
    // For the first option, also show what is above it, such as a notice.
    if (this.#selected === 0) option?.closest(".body")?.scrollTo({ top: 0 });
    else option?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Select the option under a moving pointer. A pointer that does not move while the list scrolls has no effect.
   *
   * @param {PointerEvent} event
   */
  #selectPointed(event) {
    if (event.pointerType !== "mouse" || !(event.target instanceof Element)) return;
    const option = event.target.closest("a");
    const index = option ? this.#options.indexOf(option) : -1;
    if (index < 0) return;
    this.isChosen = true;
    if (index !== this.#selected) this.#select(index, false);
  }
}
