/** Delays actions until a pause in typing. */

/**
 * Calls an action after a delay without further calls.
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

  /** Whether a call is pending. */
  get isPending() {
    return this.#timer !== undefined;
  }

  /**
   * @param {T} value
   * @param {number} [delay]
   */
  schedule(value, delay = this.#delay) {
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
