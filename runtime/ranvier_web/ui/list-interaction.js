/**
 * Detects interaction with the list of results, and the lowest row that it concerns.
 *
 * Interaction is: an arrow key, a pointer that moves over the list, a press on it, or scrolling. A pointer that does not move is not
 * interaction: it is often where the dialog opens.
 */

/** Records the interaction with a list since its last answer. */
export class ListInteraction {
  #list;
  #isActive = false;
  /** The last pressed row. @type {Element | null} */
  #pressedRow = null;
  #offset = 0;

  /** @param {HTMLElement} list its children are the rows */
  constructor(list) {
    this.#list = list;
    list.addEventListener("pointermove", ({ pointerType }) => {
      if (pointerType === "mouse") this.record();
    });
    list.addEventListener("pointerdown", ({ target }) => {
      this.record();
      this.#pressedRow = target instanceof Element ? target.closest(".group") : null;
    });
  }

  /** Record an interaction. */
  record() {
    this.#isActive = true;
  }

  /** Reset the state: a new answer is visible, scrolled to its top. */
  reset() {
    this.#isActive = false;
    this.#pressedRow = null;
    this.#offset = this.#scrollPosition();
  }

  /**
   * Return the index of the lowest row with interaction; -1 without interaction.
   *
   * @param {number} selected index of the selected row
   */
  lowest(selected) {
    const rows = [...this.#list.children];
    const lowest = this.#isActive ? Math.max(selected, this.#pressedRow ? rows.indexOf(this.#pressedRow) : -1) : -1;
    return this.#scrollPosition() === this.#offset ? lowest : Math.max(lowest, this.#lowestVisible(rows));
  }

  get #body() {
    return this.#list.closest(".body");
  }

  /** Return the scroll position: of the list's box in the dialog, of the page on the search page. */
  #scrollPosition() {
    return (this.#body?.scrollTop ?? 0) + (document.scrollingElement?.scrollTop ?? 0);
  }

  /** @param {Element[]} rows */
  #lowestVisible(rows) {
    const bottom = Math.min(this.#body?.getBoundingClientRect().bottom ?? innerHeight, innerHeight);
    return rows.filter((row) => row.getBoundingClientRect().top < bottom).length - 1;
  }
}
