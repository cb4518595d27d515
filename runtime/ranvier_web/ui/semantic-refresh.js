/**
 * While the reader types, queries are answered by keyword search. After a pause, the semantic refresh repeats the query with the
 * semantic search, and updates the list.
 *
 * The list must not jump during interaction: the rows from the top to the lowest row with interaction stay unchanged; the other rows
 * of the semantic answer follow in its order. Without interaction (see `list-interaction.js`), the semantic answer replaces the list.
 */

import { savesData } from "../save-data.js";
import { Debounce } from "./debounce.js";

export const PAUSE = 250; // ms since the last key: longer than the pause between two words, shorter than a look at the list

/**
 * Return the order of rows after the semantic refresh, without duplicates.
 *
 * @param {readonly string[]} before ids of the visible rows
 * @param {readonly string[]} after  ids of the semantic answer
 * @param {number} held              index in `before` of the lowest row with interaction; -1 without interaction
 * @returns {string[]}
 */
export function settled(before, after, held) {
  return [...new Set([...before.slice(0, held + 1), ...after])];
}

/** Decides when the semantic refresh of a query starts. For readers who save data, it starts only by Enter. */
export class SemanticRefresh {
  /** @type {(query: string, signal: AbortSignal) => void} */
  #ask;
  /** @type {() => boolean} */
  #sparing;
  /** @type {Debounce<void>} */
  #pause;
  /** The query whose refresh is possible and not started yet. @type {string | null} */
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

  /** Whether a refresh is possible and not started yet. */
  get waiting() {
    return this.#query !== null;
  }

  /** Prepare for another query: cancel the waiting or running refresh of the last one. */
  begin() {
    this.#pause.cancel();
    this.#asking.abort();
    this.#query = null;
    this.#wanted = false;
  }

  /**
   * Like `begin`, for a key: the refresh waits for the pause after it.
   *
   * @param {number} [ago]  ms since the key
   */
  typed(ago = 0) {
    this.begin();
    if (ago < PAUSE) this.#pause.later(undefined, PAUSE - ago);
  }

  /** Start the refresh without a pause, even for readers who save data. */
  now() {
    this.#pause.cancel();
    this.#wanted = true;
    this.#try();
  }

  /**
   * Offer a refresh of a query with a keyword answer.
   *
   * @param {string} query
   * @returns {boolean} whether the refresh starts automatically, now or after the pause
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
