/**
 * Ranvier in a page: the whole public API.
 *
 *     import { open } from "/_ranvier/web-<hash>/api.js";   // `api` in /_ranvier/entry.json names it
 *     const engine = open("/_ranvier/");
 *     const { hits } = await engine.search("how to install", { limit: 8 });
 *
 * Every failure is a `RanvierError` with a `code`; asking again is always allowed.
 */

import { Host } from "./host.js";

export { RanvierError } from "./host.js";

/** @import { Progress, RetrieveResult, SearchResult } from "./protocol.js" */

/**
 * @typedef {object} SearchOptions
 * @property {number} [limit]   how many hits, 1 to 100; 30
 * @property {number} [offset]  how many to pass over; 0
 * @property {boolean} [prefix] the last word is still being typed: find words that begin with it; false
 * @property {AbortSignal} [signal] gives the search up; it is rejected with the code "stale"
 *
 * @typedef {object} RetrieveOptions
 * @property {number} [topK]     how many chunks at the most; 8
 * @property {number} [maxChars] bound on the sum of their contents; 4000
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} Engine
 * @property {Promise<void>} ready  rejected where the engine cannot start; close it and open another to try again
 * @property {(query: string, options?: SearchOptions) => Promise<SearchResult>} search
 * @property {(query: string, options?: RetrieveOptions) => Promise<RetrieveResult>} retrieve
 * @property {() => void} close
 */

/**
 * Start an engine: a worker, and in it Python. Questions may be asked at once; they wait until it is ready.
 *
 * @param {string | URL} base  the address of the site's `_ranvier/` folder
 * @param {{onProgress?: (progress: Progress) => void}} [options]
 * @returns {Engine}
 */
export function open(base, { onProgress } = {}) {
  const address = new URL(base, globalThis.location?.href);
  if (!address.pathname.endsWith("/")) address.pathname += "/";
  const host = new Host(address, onProgress);
  return {
    ready: host.ready,
    search(query, options) {
      const { limit, offset, prefix, signal } = options ?? {};
      return host.ask("search", { query, limit, offset, prefix }, signal);
    },
    retrieve(query, options) {
      const { topK, maxChars, signal } = options ?? {};
      return host.ask("retrieve", { query, top_k: topK, max_chars: maxChars }, signal);
    },
    close: () => host.close(),
  };
}
