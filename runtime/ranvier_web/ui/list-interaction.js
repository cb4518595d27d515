/**
 * Whether the reader has a hand in the list of results, and down to which row.
 *
 * A hand is: an arrow key; a pointer that moves over the list; a button or a finger that goes down on it; a list that was scrolled. A
 * pointer that merely lies where the list has come up is none: with a dialog in the middle of the window it often does.
 */

/** Remembers what the reader has done to a list since its answer came. */
export class ListInteraction {
  /** @type {HTMLElement} */
  #list;
  #isOn = false;
  /** The row that was pressed last. @type {Element | null} */
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

  /** A key has moved the selection. */
  lay() {
    this.#isOn = true;
  }

  /** A new answer is on show, scrolled to where it begins: whatever was done to the last one is over. */
  lift() {
    this.#isOn = false;
    this.#pressed = null;
    this.#offset = this.#scrolled();
  }

  /**
   * The index of the lowest row that the hand is on; -1 where there is no hand.
   *
   * @param {number} selected index of the row that is selected: the one under an arrow key, or under the pointer
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

  /** How far the list is scrolled: in the dialog its own box, on the search page the page itself. */
  #scrolled() {
    return (this.#body?.scrollTop ?? 0) + (document.scrollingElement?.scrollTop ?? 0);
  }

  /** @param {Element[]} rows */
  #lowestInView(rows) {
    const bottom = Math.min(this.#body?.getBoundingClientRect().bottom ?? innerHeight, innerHeight);
    return rows.filter((row) => row.getBoundingClientRect().top < bottom).length - 1;
  }
}
