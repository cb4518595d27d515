/**
 * While the reader types, queries are answered by keyword search. After a pause, the semantic refresh repeats the query with the
 * semantic search, and updates the list.
 *
 * The list must not jump during interaction: the rows from the top to the lowest row with interaction stay unchanged; the other rows
 * of the semantic answer follow in its order. Without interaction (see `list-interaction.js`), the semantic answer replaces the list.
 */

import { savesData } from "../save-data.js";
import { Debounce } from "./debounce.js";

export const REFRESH_DELAY = 250; // ms since the last key: longer than the pause between two words, shorter than the time to read the list

/** Decides when the semantic refresh of a query starts. For readers who save data, it starts only by Enter. */
export class SemanticRefresh {
  #search;
  #isSavingData;
  /** @type {Debounce<void>} */
  #debounce;
  /** The query whose refresh is possible and not started yet. @type {string | null} */
  #query = null;
  #isForced = false;
  #controller = new AbortController();

  /**
   * @param {(query: string, signal: AbortSignal) => void} search
   * @param {() => boolean} [isSavingData]
   */
  constructor(search, isSavingData = savesData) {
    this.#search = search;
    this.#isSavingData = isSavingData;
    this.#debounce = new Debounce(() => this.#start());
  }

  /** Whether a refresh is possible and not started yet. */
  get isWaiting() {
    return this.#query !== null;
  }

  /** Prepare for another query: cancel the waiting or running refresh of the last one. */
  cancel() {
    this.#debounce.cancel();
    this.#controller.abort();
    this.#query = null;
    this.#isForced = false;
  }

  /**
   * Like `cancel`, after a key: the next refresh waits for a pause.
   *
   * @param {number} [elapsed]  ms since the key
   */
  restart(elapsed = 0) {
    this.cancel();
    if (elapsed < REFRESH_DELAY) this.#debounce.schedule(undefined, REFRESH_DELAY - elapsed);
  }

  /** Start the refresh without a pause, even for readers who save data. */
  force() {
    this.#debounce.cancel();
    this.#isForced = true;
    this.#start();
  }

  /**
   * Offer a refresh of a query with a keyword answer.
   *
   * @param {string} query
   * @returns {boolean} whether the refresh starts automatically, now or after the pause
   */
  offer(query) {
    this.#query = query;
    const isAutomatic = this.#isForced || !this.#isSavingData();
    if (!this.#debounce.isPending) this.#start();
    return isAutomatic;
  }

  #start() {
    const query = this.#query;
    if (query === null || (!this.#isForced && this.#isSavingData())) return;
    this.#query = null;
    this.#controller = new AbortController();
    this.#search(query, this.#controller.signal);
  }
}
