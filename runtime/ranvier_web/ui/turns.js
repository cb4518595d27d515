/** Time and order while somebody types: wait for a pause, and let only the newest question be answered. */

/**
 * Calls an action once its caller has been quiet for a while.
 *
 * @template T
 */
export class Debounce {
  /** @type {(value: T) => void} */
  #action;
  /** @type {number} */
  #delay;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {(value: T) => void} action
   * @param {number} delay milliseconds
   */
  constructor(action, delay) {
    this.#action = action;
    this.#delay = delay;
  }

  /** Whether a call is waiting. */
  get pending() {
    return this.#timer !== undefined;
  }

  /** @param {T} value */
  later(value) {
    this.cancel();
    this.#timer = setTimeout(() => this.now(value), this.#delay);
  }

  /** @param {T} value */
  now(value) {
    this.cancel();
    this.#action(value);
  }

  cancel() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Numbers the questions, so that the answer to an older one can be told and dropped. */
export class Turns {
  #last = 0;

  /** Begin a new turn; all earlier ones are over. @returns {number} */
  next() {
    this.#last += 1;
    return this.#last;
  }

  /**
   * @param {number} turn
   * @returns {boolean}
   */
  isCurrent(turn) {
    return turn === this.#last;
  }
}
