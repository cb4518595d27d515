/**
 * Suggestions while a reader types, before the engine is there: from small files of what pages are called.
 *
 * A small site has one file, the root. Of a larger one the root tells which file has the names with a word that begins so.
 */

import { imported } from "../modules.js";
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

/** A file of names could not be had, or is not what its name says. */
export class TitlesFailure extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "TitlesFailure";
  }
}

export class Titles {
  /** @type {string} */
  #base;
  /** @type {string} */
  #root;
  /** @type {typeof fetch} */
  #fetch;
  /** @type {Map<string, Promise<Names | Guide>>} */
  #files = new Map();

  /**
   * @param {string} base  absolute, with its slash at the end
   * @param {string | null} root  the root's name, as the entry file gives it; `null` where there is none
   * @param {typeof fetch} [fetcher]
   */
  constructor(base, root, fetcher = (...request) => fetch(...request)) {
    this.#base = base;
    this.#root = root ?? "";
    this.#fetch = fetcher;
  }

  /** Fetch the root, so that the first suggestion does not wait for it. @returns {Promise<void>} */
  async prepare() {
    if (this.#root) await this.#file(this.#root);
  }

  /**
   * What pages are called that begins as the query does, the best first.
   *
   * @param {string} query
   * @param {Asking} [asking]
   * @returns {Promise<Suggestion[]>}
   * @throws {TitlesFailure}
   */
  async suggest(query, { limit = 8, signal } = {}) {
    const wanted = units(query);
    if (!wanted.length || !this.#root) return [];
    let found = await this.#file(this.#root);
    if (!(found instanceof Names)) {
      signal?.throwIfAborted();
      const file = fileOf(found, wanted);
      if (!file) return [];
      found = await this.#file(`titles/${file}.json`);
    }
    signal?.throwIfAborted();
    if (!(found instanceof Names)) throw new TitlesFailure("a root of names leads to another");
    return found.best(wanted, limit);
  }

  /** Each file is asked for once, whoever waits for it; one that failed is asked for again. @param {string} name */
  #file(name) {
    const known = this.#files.get(name);
    if (known) return known;
    const coming = this.#fetched(name);
    this.#files.set(name, coming);
    coming.catch(() => this.#files.delete(name));
    return coming;
  }

  /** @param {string} name @returns {Promise<Names | Guide>} */
  async #fetched(name) {
    const data = (await this.#right(name, "default")) ?? (await this.#right(name, "reload"));
    if (!data) throw new TitlesFailure(`${name}: is not what it should be`);
    /** @type {File | Guide} */
    const file = JSON.parse(new TextDecoder().decode(data));
    return "files" in file ? file : new Names(file);
  }

  /**
   * A file whose digest is the one in its name; a cache may have kept an error, or another file.
   *
   * @param {string} name
   * @param {RequestCache} cache
   */
  async #right(name, cache) {
    const response = await this.#fetch(`${this.#base}${name}`, { cache });
    if (!response.ok) return null;
    const data = new Uint8Array(await response.arrayBuffer());
    return (await digest(data)).slice(0, 24) === name.slice(-29, -5) ? data : null;
  }
}

/** @param {Uint8Array<ArrayBuffer>} data @returns {Promise<string>} SHA-256, in hexadecimal */
async function digest(data) {
  if (!globalThis.crypto?.subtle) {
    return (await imported(new URL("./sha256.js", import.meta.url).href)).sha256(data); // plain http
  }
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
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
    return { beginning, length: points.length, head: heads.findIndex((one) => one.startsWith(beginning)) };
  });
  all.sort((one, other) => Math.sign(one.head + 1) - Math.sign(other.head + 1) || other.length - one.length);
  const [first] = all;
  if (!first) return "";
  if (first.head >= 0) return files[first.head];
  const run = runs.filter((start) => start <= first.beginning).length - 1;
  return run < 0 ? "" : files[heads.length + run];
}
