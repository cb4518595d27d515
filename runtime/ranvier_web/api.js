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
import { inScript, request } from "./options.js";

export { RanvierError } from "./host.js";

/** @import { Engine, Question, RetrieveOptions, SearchOptions } from "./options.js" */
/** @import { Progress } from "./protocol.js" */

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
  /** @type {(what: Question, query: string, options?: SearchOptions & RetrieveOptions) => Promise<any>} */
  const ask = async (what, query, options) => {
    const { signal, ...rest } = options ?? {};
    try {
      return await host.ask(what, request(what, query, rest), signal);
    } catch (error) {
      throw inScript(error);
    }
  };
  return {
    ready: host.ready,
    search: (query, options) => ask("search", query, options),
    retrieve: (query, options) => ask("retrieve", query, options),
    backlinks: (item, options) => ask("backlinks", item, options),
    close: () => host.close(),
  };
}
