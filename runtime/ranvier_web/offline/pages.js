/**
 * Pages, and what they are shown with: today's where there is a network, else as they were when they were last seen. All that
 * is kept is of one build: a page may be withdrawn with the next one.
 */

import { pageKey, withSlash } from "./file-names.js";
import { isPlain, plain } from "./integrity.js";

/** @import { BoundedCache } from "./bounded-cache.js" */

export const CACHE_DELAY = 4000; // ms after which what is kept is better than waiting
const PAGES_BOUND = { bytes: 30e6, most: 300 };

export class Pages {
  #boundedCache;
  #fetch;
  #timeout;
  /** Stops what is being kept when another build comes. */
  #build = new AbortController();

  /**
   * @param {BoundedCache} boundedCache
   * @param {typeof fetch} fetcher
   * @param {number} timeout  ms
   */
  constructor(boundedCache, fetcher, timeout) {
    this.#boundedCache = boundedCache;
    this.#fetch = fetcher;
    this.#timeout = timeout;
  }

  /**
   * A page, or what it is shown with: today's, else as it is kept.
   *
   * @param {Request} request
   * @param {Promise<Response | undefined>} [early]  an answer that the browser has asked for already
   * @returns {Promise<Response>}
   */
  async answer(request, early) {
    const key = pageKey(request.url);
    const today = async () => {
      const response = (await early) ?? (await this.#fetch(request));
      // A page that is not there any more, leads elsewhere or asks for a password is not kept, however late the answer comes.
      if (!isTrouble(response) && !isPlain(response)) await this.#boundedCache.drop(key);
      return response;
    };
    return freshOr(today, this.#timeout, () => this.#kept(key));
  }

  /**
   * @param {string[]} pages  the page itself first; one that is shown without a picture is a page all the same
   * @returns {Promise<boolean>}
   */
  async keep(pages) {
    const kept = await Promise.all(pages.map((page) => this.#keep(pageKey(page))));
    return kept[0] ?? true;
  }

  /**
   * The browser's own cache may have what is withdrawn by now: the site is asked.
   *
   * @param {string} key
   * @returns {Promise<boolean>}
   */
  async #keep(key) {
    const { signal } = this.#build;
    try {
      const response = await this.#fetch(key, { cache: "no-cache", credentials: "same-origin", signal });
      if (!isPlain(response)) return false;
      const header = (/** @type {string} */ name) => response.headers.get(name) ?? "";
      const personal = /no-store|private/i.test(header("cache-control")) || /\*|cookie|authorization/i.test(header("vary"));
      if (personal) return true; // it is not to be kept
      const data = await response.arrayBuffer();
      signal.throwIfAborted();
      return await this.#boundedCache.put(key, plain(response, data), data.byteLength, PAGES_BOUND);
    } catch {
      return false;
    }
  }

  /** Forget them all, and those that are on their way. */
  async clear() {
    this.#build.abort();
    this.#build = new AbortController();
    await this.#boundedCache.clear();
  }

  /** Write down what changed. */
  async flush() {
    await this.#boundedCache.flush();
  }

  /**
   * @param {string} key
   * @returns {Promise<Response | undefined>}
   */
  async #kept(key) {
    const kept = await this.#boundedCache.get(key);
    const other = kept ? null : withSlash(key);
    // Its links are relative: the browser has to know where it is.
    return kept ?? (other && (await this.#boundedCache.has(other)) ? Response.redirect(other) : undefined);
  }
}

/**
 * Whether a server says nothing about the file, only that it cannot answer now.
 *
 * @param {Response} response
 */
export const isTrouble = ({ status }) => status >= 500 || status === 429;

/**
 * The network's answer; where there is none, it is that of a server in trouble, or takes too long: what is kept, if anything is.
 *
 * @param {() => Promise<Response>} ask
 * @param {number} timeout  ms
 * @param {() => Promise<Response | undefined>} kept
 * @returns {Promise<Response>}
 */
export async function freshOr(ask, timeout, kept) {
  const network = ask();
  const late = new Promise((resolve) => setTimeout(resolve, timeout, null));
  const first = await Promise.race([network, late]).catch(() => null);
  if (first instanceof Response && !isTrouble(first)) return first;
  return (await kept()) ?? network;
}
