/** Deflated JSON files with their digests in their names: each is fetched once, and compared with its name. */

import { RanvierError } from "../errors.js";
import { importModule } from "../modules.js";
import { withRetry } from "../store/retry.js";

/** A file is missing, or differs from the digest in its name. @param {string} message */
export const damagedFile = (message) => new RanvierError({ code: "integrity", message });

/** @template T */
export class DigestFiles {
  #base;
  #root;
  #fetch;
  #parse;
  /** @type {Map<string, Promise<T>>} */
  #files = new Map();

  /**
   * @param {string} base  absolute, with its slash at the end
   * @param {string | null | undefined} root  the name of the first file, from the entry file; missing if the site has none
   * @param {typeof fetch} fetcher
   * @param {(file: any) => T} parse  converts a file to the stored value
   */
  constructor(base, root, fetcher, parse) {
    this.#base = base;
    this.#root = root;
    this.#fetch = fetcher;
    this.#parse = parse;
  }

  /** Return the first file; null if there is none. A call before the first query saves its time. */
  async root() {
    return this.#root ? this.get(this.#root) : null;
  }

  /**
   * Return a file. All callers share one request; a failed file is requested again.
   *
   * @param {string} name
   * @throws {RanvierError} "integrity"
   */
  get(name) {
    const file = this.#files.get(name);
    if (file) return file;
    const promise = this.#load(name);
    this.#files.set(name, promise);
    promise.catch(() => this.#files.delete(name));
    return promise;
  }

  /** @param {string} name */
  async #load(name) {
    const data = await withRetry((cache) => this.#fetchOnce(name, cache));
    const json = new Response(data).body?.pipeThrough(new DecompressionStream("deflate"));
    return this.#parse(await new Response(json).json());
  }

  /**
   * @param {string} name
   * @param {RequestCache} cache
   * @throws {RanvierError} "integrity"
   */
  async #fetchOnce(name, cache) {
    const response = await this.#fetch(`${this.#base}${name}`, { cache });
    const data = new Uint8Array(await response.arrayBuffer());
    if (response.ok && (await computeDigest(data)).slice(0, 24) === name.slice(-28, -4)) return data;
    throw damagedFile(`${name}: is damaged`);
  }
}

/** @param {Uint8Array<ArrayBuffer>} data @returns {Promise<string>} SHA-256, in hexadecimal */
async function computeDigest(data) {
  if (!globalThis.crypto?.subtle) {
    return (await importModule(new URL("./sha256.js", import.meta.url).href)).sha256(data); // plain http
  }
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
