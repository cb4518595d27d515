/** The stored files with their size and last use, which a `Cache` does not record. Pure: a bounded cache reads and writes it. */

/** @typedef {{bytes: number, used: number}} FileUse  `used` is a counter, not a time */

/**
 * @typedef {object} IndexRecord  the JSON form of an index
 * @property {number} clock
 * @property {Record<string, FileUse>} files
 */

export class LruIndex {
  #clock = 0;
  /** @type {Map<string, FileUse>} */
  #files = new Map();

  /** @param {Partial<IndexRecord>} [record] */
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
    const file = this.#files.get(name);
    if (file) file.used = ++this.#clock;
  }

  /** @param {string} name */
  drop(name) {
    this.#files.delete(name);
  }

  /**
   * Return the files to delete so that at most `bytes` bytes and `files` files stay: the least recently used first, never a pinned
   * file.
   *
   * @param {{bytes?: number, files?: number}} bound
   * @param {ReadonlySet<string>} [pinned]
   */
  surplus({ bytes: maxBytes = Infinity, files: maxFiles = Infinity }, pinned = new Set()) {
    let [bytes, count] = [this.bytes, this.#files.size];
    const evicted = [];
    const oldest = [...this.#files].sort(([a, first], [b, second]) => first.used - second.used || (a < b ? -1 : 1));
    for (const [name, file] of oldest) {
      if (bytes <= maxBytes && count <= maxFiles) break;
      if (pinned.has(name)) continue;
      evicted.push(name);
      bytes -= file.bytes;
      count -= 1;
    }
    return evicted;
  }

  /** @returns {IndexRecord} */
  toJSON() {
    return { clock: this.#clock, files: Object.fromEntries(this.#files) };
  }
}
