/**
 * Pages and their styles, scripts, images and fonts: from the network if it is available, otherwise the stored copy. All copies
 * belong to one build, because the next build may withdraw a page.
 */

import { pageKey, withSlash } from "./file-names.js";
import { isComplete, toStorable } from "./integrity.js";

/** @import { BoundedCache } from "./bounded-cache.js" */

export const CACHE_DELAY = 4000; // ms of waiting after which a stored copy is used
const PAGES_BOUND = { bytes: 30e6, files: 300 };

export class Pages {
  #boundedCache;
  #fetch;
  #timeout;
  /** Cancels running storage when another build comes. */
  #controller = new AbortController();

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
   * Return a page or a part of it: from the network, otherwise the stored copy.
   *
   * @param {Request} request
   * @param {Promise<Response | undefined>} [preloaded]  a response that the browser has already requested
   */
  async answer(request, preloaded) {
    const key = pageKey(request.url);
    const fetchResponse = async () => {
      const response = (await preloaded) ?? (await this.#fetch(request));
      // A page that is removed, redirected or protected by a password is not kept, even if the response arrives late.
      if (!isServerError(response) && !isComplete(response)) await this.#boundedCache.drop(key);
      return response;
    };
    return fetchOrCached(fetchResponse, this.#timeout, () => this.#findCached(key));
  }

  /** @param {string[]} pages  the page itself first; only its result counts */
  async store(pages) {
    const stored = await Promise.all(pages.map((page) => this.#storePage(pageKey(page))));
    return stored[0] ?? true;
  }

  /**
   * Store a page. It is revalidated, because the browser's own cache may contain a withdrawn page.
   *
   * @param {string} key
   */
  async #storePage(key) {
    const { signal } = this.#controller;
    try {
      const response = await this.#fetch(key, { cache: "no-cache", credentials: "same-origin", signal });
      if (!isComplete(response)) return false;
      const header = (/** @type {string} */ name) => response.headers.get(name) ?? "";
      const isPersonal = /no-store|private/i.test(header("cache-control")) || /\*|cookie|authorization/i.test(header("vary"));
      if (isPersonal) return true; // it must not be stored
      const data = await response.arrayBuffer();
      signal.throwIfAborted();
      return await this.#boundedCache.put(key, toStorable(response, data), data.byteLength, PAGES_BOUND);
    } catch {
      return false;
    }
  }

  /** Delete all pages, and cancel those that are being stored. */
  async clear() {
    this.#controller.abort();
    this.#controller = new AbortController();
    await this.#boundedCache.clear();
  }

  /** Write the changes. */
  async flush() {
    await this.#boundedCache.flush();
  }

  /** @param {string} key */
  async #findCached(key) {
    const cached = await this.#boundedCache.get(key);
    const other = cached ? null : withSlash(key);
    // Its links are relative: the browser needs the correct address.
    return cached ?? (other && (await this.#boundedCache.has(other)) ? Response.redirect(other) : undefined);
  }
}

/**
 * Whether the response is a temporary failure of the server or the network, without information about the file. Firefox resolves
 * a failed request for a page that it sent in advance.
 *
 * @param {Response} response
 */
export const isServerError = ({ status, type }) => status >= 500 || status === 429 || type === "error";

/**
 * Return the network's response. If it fails, is a server error, or takes too long, return the stored copy if there is one.
 *
 * @param {() => Promise<Response>} fetchPage
 * @param {number} timeout  ms
 * @param {() => Promise<Response | undefined>} fromCache
 */
export async function fetchOrCached(fetchPage, timeout, fromCache) {
  const network = fetchPage();
  const expired = new Promise((resolve) => setTimeout(resolve, timeout, null));
  const response = await Promise.race([network, expired]).catch(() => null);
  if (response instanceof Response && !isServerError(response)) return response;
  return (await fromCache()) ?? network;
}
