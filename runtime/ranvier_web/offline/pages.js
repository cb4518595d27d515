/** Pages, and what they are shown with: today's where there is a network, else as they were when they were last seen. */

import { pageKey, withSlash } from "./names.js";
import { isPlain, plain } from "./seals.js";

/** @import { Shelf } from "./shelf.js" */

export const PATIENCE = 4000; // ms after which what is kept is better than waiting
const PAGES_BOUND = { bytes: 30e6, most: 300 };

export class Pages {
  #shelf;
  #fetch;
  #patience;

  /**
   * @param {Shelf} shelf
   * @param {typeof fetch} fetcher
   * @param {number} patience  ms
   */
  constructor(shelf, fetcher, patience) {
    this.#shelf = shelf;
    this.#fetch = fetcher;
    this.#patience = patience;
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
    const today = (async () => (await early) ?? this.#fetch(request))();
    // A page that was withdrawn goes, however late that is heard.
    const told = today.then(({ status }) => (status === 404 || status === 410 ? this.#shelf.drop(key) : undefined)).catch(() => {});
    const response = await freshOr(() => today, this.#patience, () => this.#kept(key));
    if (response.status === 404 || response.status === 410) await told;
    return response;
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
   * @param {string} key
   * @returns {Promise<boolean>}
   */
  async #keep(key) {
    try {
      const response = await this.#fetch(key, { cache: "force-cache", credentials: "same-origin" });
      if (!isPlain(response)) return false;
      const said = (/** @type {string} */ name) => response.headers.get(name) ?? "";
      const personal = /no-store|private/i.test(said("cache-control")) || /\*|cookie|authorization/i.test(said("vary"));
      if (personal) return true; // it is not to be kept
      const data = await response.arrayBuffer();
      return this.#shelf.put(key, plain(response, data), data.byteLength, PAGES_BOUND);
    } catch {
      return false;
    }
  }

  /** Forget them all. */
  async clear() {
    await this.#shelf.keepOnly(() => false);
  }

  /** Write down what changed. */
  async flush() {
    await this.#shelf.flush();
  }

  /**
   * @param {string} key
   * @returns {Promise<Response | undefined>}
   */
  async #kept(key) {
    const kept = await this.#shelf.get(key);
    const other = kept ? null : withSlash(key);
    // Its links are relative: the browser has to know where it is.
    return kept ?? (other && (await this.#shelf.has(other)) ? Response.redirect(other) : undefined);
  }
}

/**
 * The network's answer; where there is none, it is that of a server in trouble, or takes too long: what is kept, if anything is.
 *
 * @param {() => Promise<Response>} ask
 * @param {number} patience  ms
 * @param {() => Promise<Response | undefined>} kept
 * @returns {Promise<Response>}
 */
export async function freshOr(ask, patience, kept) {
  const network = ask();
  const late = new Promise((resolve) => setTimeout(resolve, patience, null));
  const first = await Promise.race([network, late]).catch(() => null);
  if (first instanceof Response && first.status < 500) return first;
  return (await kept()) ?? network;
}
