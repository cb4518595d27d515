/**
 * Words answer a query while the reader types. When the reader pauses, the query is asked again by meaning too, and the list settles.
 *
 * The rule that keeps the list from jumping under the reader's hand: from the top down to the lowest row that the hand is on,
 * every row stays where it is and as it is; below stand the other rows of the settled answer, in its order. Where no hand is
 * on the list (`list-interaction.js` says what counts as one), the settled answer is shown as it is.
 */

import { savesData } from "../save-data.js";
import { Debounce } from "./debounce.js";

export const PAUSE = 250; // ms since the last key: longer than the gap between two words, shorter than a look at the list

/**
 * The order of rows after settling. Each row is there once.
 *
 * @param {readonly string[]} before what is on show, by its ids
 * @param {readonly string[]} after  the settled answer
 * @param {number} held              index in `before` of the lowest row that the reader's hand is on; -1 where there is none
 * @returns {string[]}
 */
export function settled(before, after, held) {
  return [...new Set([...before.slice(0, held + 1), ...after])];
}

/** Decides when a query that words have answered is asked again. Readers who spare bytes ask for it themselves, by Enter. */
export class SemanticRefresh {
  /** @type {(query: string, signal: AbortSignal) => void} */
  #ask;
  /** @type {() => boolean} */
  #sparing;
  /** @type {Debounce<void>} */
  #pause;
  /** The query that may be asked again and has not been. @type {string | null} */
  #query = null;
  #wanted = false;
  #asking = new AbortController();

  /**
   * @param {(query: string, signal: AbortSignal) => void} ask
   * @param {() => boolean} [spares]
   */
  constructor(ask, spares = savesData) {
    this.#ask = ask;
    this.#sparing = spares;
    this.#pause = new Debounce(() => this.#try(), PAUSE);
  }

  /** Whether a query is there to be asked again, and nobody has done so yet. */
  get waiting() {
    return this.#query !== null;
  }

  /** Another query is to be looked up; what waits or is under way for the last one is given up. */
  begin() {
    this.#pause.cancel();
    this.#asking.abort();
    this.#query = null;
    this.#wanted = false;
  }

  /**
   * As `begin`, by a key: nothing settles before the pause after it.
   *
   * @param {number} [ago]  ms since the key
   */
  typed(ago = 0) {
    this.begin();
    if (ago < PAUSE) this.#pause.later(undefined, PAUSE - ago);
  }

  /** The reader wants the whole answer: no pause is waited for, nothing is spared. */
  now() {
    this.#pause.cancel();
    this.#wanted = true;
    this.#try();
  }

  /**
   * Words have answered, and meaning would too.
   *
   * @param {string} query
   * @returns {boolean} whether it is asked again, now or after the pause, without the reader doing anything more
   */
  offer(query) {
    this.#query = query;
    const comes = this.#wanted || !this.#sparing();
    if (!this.#pause.pending) this.#try();
    return comes;
  }

  #try() {
    const query = this.#query;
    if (query === null || (!this.#wanted && this.#sparing())) return;
    this.#query = null;
    this.#asking = new AbortController();
    this.#ask(query, this.#asking.signal);
  }
}
