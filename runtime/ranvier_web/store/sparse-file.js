/**
 * A database file with only some of its pages loaded, as a file of Pyodide's file system for SQLite.
 *
 * SQLite reads through `read` below. If a page is missing, the read fails and its number is recorded; the core then requests the
 * page and runs the query again. Nothing here fetches or waits.
 */

const EIO = 29; // in Emscripten's numbering

/**
 * @typedef {{getBuffer(type: "u8"): {data: Uint8Array, release(): void}}} PythonBytes  a Python `bytes`, as Pyodide passes it
 *
 * @typedef {object} FileSystem  the part of Emscripten's `FS` that is used
 * @property {(path: string, data: string | Uint8Array) => void} writeFile
 * @property {(path: string) => {node: any}} lookupPath
 * @property {new (code: number) => Error} ErrnoError
 */

export class SparseFile {
  #fs;
  /** @type {Map<number, Uint8Array>} */
  #pages = new Map();
  /** @type {Set<number>} */
  #misses = new Set();
  #pageSize = 0;
  #length = 0;

  /**
   * @param {FileSystem} fs
   * @param {string} path
   */
  constructor(fs, path) {
    this.#fs = fs;
    this.path = path;
  }

  /**
   * Create an empty file with the size of the whole database.
   *
   * @param {number} pageSize
   * @param {number} pageCount
   */
  reserve(pageSize, pageCount) {
    this.#pageSize = pageSize;
    this.#length = pageSize * pageCount;
    this.#fs.writeFile(this.path, "");
    const { node } = this.#fs.lookupPath(this.path);
    node.usedBytes = this.#length;
    node.stream_ops = {
      ...node.stream_ops,
      /** @type {(stream: unknown, buffer: Int8Array, offset: number, length: number, position: number) => number} */
      read: (_stream, buffer, offset, length, position) => this.read(buffer, offset, length, position),
    };
  }

  /**
   * Store consecutive pages. Page numbers are SQLite's, from 1.
   *
   * @param {number} firstPage
   * @param {PythonBytes} bytes
   */
  put(firstPage, bytes) {
    const view = bytes.getBuffer("u8");
    const data = view.data.slice();
    view.release();
    for (let at = 0, page = firstPage; at < data.length; at += this.#pageSize, page += 1) {
      this.#pages.set(page, data.subarray(at, at + this.#pageSize));
    }
  }

  /** Return and clear the missing pages that were read. Python calls it, hence the name. */
  take_misses() {
    const misses = [...this.#misses].sort((a, b) => a - b);
    this.#misses.clear();
    return misses;
  }

  /**
   * Copy bytes of the file; like `read(2)`, fewer at its end.
   *
   * @param {Int8Array | Uint8Array} buffer
   * @param {number} offset
   * @param {number} length
   * @param {number} position
   */
  read(buffer, offset, length, position) {
    const end = Math.min(position + length, this.#length);
    for (let at = position; at < end; ) {
      const number = Math.floor(at / this.#pageSize) + 1;
      const start = at - (number - 1) * this.#pageSize;
      const count = Math.min(this.#pageSize - start, end - at);
      buffer.set(this.#page(number).subarray(start, start + count), offset + at - position);
      at += count;
    }
    return Math.max(0, end - position);
  }

  /** @param {number} number */
  #page(number) {
    const page = this.#pages.get(number);
    if (page) return page;
    this.#misses.add(number);
    throw new this.#fs.ErrnoError(EIO);
  }
}
