/** Delays actions until a pause in typing. */

/**
 * Calls an action after a delay without further calls.
 *
 * @template T
 */
export class Debounce {
  #action;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {(value: T) => void} action */
  constructor(action) {
    this.#action = action;
  }

  /** Whether a call is pending. */
  get isPending() {
    return this.#timer !== undefined;
  }

  /**
   * @param {T} value
   * @param {number} delay  ms
   */
  schedule(value, delay) {
    this.cancel();
    this.#timer = setTimeout(() => this.run(value), delay);
  }

  /** @param {T} value */
  run(value) {
    this.cancel();
    this.#action(value);
  }

  cancel() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
