/**
 * Detects interaction with the list of results, and the lowest row that it concerns.
 *
 * Interaction is: an arrow key, a pointer that moves over the list, a press on it, or scrolling. A pointer that does not move is not
 * interaction: it is often at the place where the dialog opens.
 */

/** Records the interaction with a list since its last answer. */
export class ListInteraction {
  /** @type {HTMLElement} */
  #list;
  #isOn = false;
  /** The last pressed row. @type {Element | null} */
  #pressed = null;
  #offset = 0;

  /** @param {HTMLElement} list its children are the rows */
  constructor(list) {
    this.#list = list;
    list.addEventListener("pointermove", ({ pointerType }) => {
      if (pointerType === "mouse") this.lay();
    });
    list.addEventListener("pointerdown", ({ target }) => {
      this.lay();
      this.#pressed = target instanceof Element ? target.closest(".group") : null;
    });
  }

  /** Record an interaction. */
  lay() {
    this.#isOn = true;
  }

  /** Reset the state: a new answer is visible, scrolled to its top. */
  lift() {
    this.#isOn = false;
    this.#pressed = null;
    this.#offset = this.#scrolled();
  }

  /**
   * Return the index of the lowest row with interaction; -1 without interaction.
   *
   * @param {number} selected index of the selected row
   * @returns {number}
   */
  lowest(selected) {
    const rows = [...this.#list.children];
    const held = this.#isOn ? Math.max(selected, this.#pressed ? rows.indexOf(this.#pressed) : -1) : -1;
    return this.#scrolled() === this.#offset ? held : Math.max(held, this.#lowestInView(rows));
  }

  get #body() {
    return this.#list.closest(".body");
  }

  /** Return the scroll position: of the list's box in the dialog, of the page on the search page. */
  #scrolled() {
    return (this.#body?.scrollTop ?? 0) + (document.scrollingElement?.scrollTop ?? 0);
  }

  /** @param {Element[]} rows */
  #lowestInView(rows) {
    const bottom = Math.min(this.#body?.getBoundingClientRect().bottom ?? innerHeight, innerHeight);
    return rows.filter((row) => row.getBoundingClientRect().top < bottom).length - 1;
  }
}
