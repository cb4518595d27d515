/**
 * Suggestions while a reader types, before the engine is there: from small files of what pages are called.
 *
 * A small site has one file, the root. Of a larger one the root tells which file has the names with a word that begins so.
 */

import { DamagedFile, DigestFiles } from "./files.js";
import { units } from "./keys.js";
import { Names } from "./names.js";

/** @import { File, Suggestion } from "./names.js" */

/**
 * @typedef {object} Guide
 * @property {string[]} heads  beginnings that more names have than a file holds: theirs have the best
 * @property {string[]} runs  the first beginning of each other file
 * @property {string[]} files  digests of both, in hexadecimal
 *
 * @typedef {{signal?: AbortSignal, limit?: number}} Asking
 */

const DEEPEST = 16; // code points by which names are put into files

export class Titles {
  /** @type {string} */
  #root;
  /** @type {DigestFiles<Names | Guide>} */
  #files;

  /**
   * @param {string} base  absolute, with its slash at the end
   * @param {string | null} root  the root's name, as the entry file gives it; `null` where there is none
   * @param {typeof fetch} [fetcher]
   */
  constructor(base, root, fetcher = (...request) => fetch(...request)) {
    this.#root = root ?? "";
    this.#files = new DigestFiles(base, fetcher, (file) => ("files" in file ? file : new Names(file)));
  }

  /** Fetch the root, so that the first suggestion does not wait for it. @returns {Promise<void>} */
  async prepare() {
    if (this.#root) await this.#files.get(this.#root);
  }

  /**
   * What pages are called that begins as the query does, the best first.
   *
   * @param {string} query
   * @param {Asking} [asking]
   * @returns {Promise<Suggestion[]>}
   * @throws {DamagedFile}
   */
  async suggest(query, { limit = 8, signal } = {}) {
    const wanted = units(query);
    if (!wanted.length || !this.#root) return [];
    let shard = await this.#files.get(this.#root);
    if (!(shard instanceof Names)) {
      signal?.throwIfAborted();
      const file = fileOf(shard, wanted);
      if (!file) return [];
      shard = await this.#files.get(`titles/${file}.json`);
    }
    signal?.throwIfAborted();
    if (!(shard instanceof Names)) throw new DamagedFile("a root of names leads to another");
    return shard.best(wanted, limit);
  }
}

/**
 * The file in which to look: for the longest beginning that is no head.
 *
 * @param {Guide} guide
 * @param {string[]} wanted
 */
function fileOf({ heads, runs, files }, wanted) {
  const all = wanted.map((unit) => {
    const points = [...unit].slice(0, DEEPEST);
    const beginning = points.join("");
    return { beginning, length: points.length, head: heads.findIndex((text) => text.startsWith(beginning)) };
  });
  all.sort((a, other) => Math.sign(a.head + 1) - Math.sign(other.head + 1) || other.length - a.length);
  const [first] = all;
  if (!first) return "";
  if (first.head >= 0) return files[first.head];
  const run = runs.filter((start) => start <= first.beginning).length - 1;
  return run < 0 ? "" : files[heads.length + run];
}
