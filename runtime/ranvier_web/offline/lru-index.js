/** The stored files with their size and last use, which a `Cache` does not record. Pure: a bounded cache reads and writes it. */

/** @typedef {{bytes: number, used: number}} Kept  `used` is a counter, not a time */

/**
 * @typedef {object} Told  the JSON form of an index
 * @property {number} clock
 * @property {Record<string, Kept>} files
 */

export class LruIndex {
  #clock = 0;
  /** @type {Map<string, Kept>} */
  #files = new Map();

  /** @param {Partial<Told>} [told] */
  constructor({ clock = 0, files = {} } = {}) {
    this.#clock = clock;
    this.#files = new Map(Object.entries(files));
  }

  get bytes() {
    return [...this.#files.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get names() {
    return [...this.#files.keys()];
  }

  /** @param {string} name */
  has(name) {
    return this.#files.has(name);
  }

  /**
   * @param {string} name
   * @param {number} bytes
   */
  add(name, bytes) {
    this.#files.set(name, { bytes, used: ++this.#clock });
  }

  /** @param {string} name */
  use(name) {
    const kept = this.#files.get(name);
    if (kept) kept.used = ++this.#clock;
  }

  /** @param {string} name */
  drop(name) {
    this.#files.delete(name);
  }

  /**
   * Return the files to delete so that at most `bound` bytes and `most` files stay: the least recently used first, never a pinned
   * file.
   *
   * @param {{bytes?: number, most?: number}} bound
   * @param {ReadonlySet<string>} [pinned]
   * @returns {string[]}
   */
  surplus({ bytes: bound = Infinity, most = Infinity }, pinned = new Set()) {
    let [bytes, count] = [this.bytes, this.#files.size];
    const gone = [];
    const oldest = [...this.#files].sort(([a, first], [b, two]) => first.used - two.used || (a < b ? -1 : 1));
    for (const [name, kept] of oldest) {
      if (bytes <= bound && count <= most) break;
      if (pinned.has(name)) continue;
      gone.push(name);
      bytes -= kept.bytes;
      count -= 1;
    }
    return gone;
  }

  /** @returns {Told} */
  toJSON() {
    return { clock: this.#clock, files: Object.fromEntries(this.#files) };
  }
}
