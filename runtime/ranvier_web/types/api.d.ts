/**
 * Ranvier in a page: the whole public API.
 *
 *     import { open } from "/_ranvier/web-<hash>/api.js";   // `api` in /_ranvier/entry.json names it
 *     const engine = open("/_ranvier/");
 *     const { hits } = await engine.search("how to install", { limit: 8 });
 *
 * Every failure is a `RanvierError` with a `code`; a request can always be repeated. The answers always come from the version that
 * the site's entry file names, even if this copy of the module belongs to an older page or to a bundle.
 */
export { RanvierError } from "./errors.js";
import type { Engine, OpenOptions } from "./options.js";
/** @import { UnlockedLayer } from "./layers/unlock.js" */
/** @import { Engine, OpenOptions, Question, UnlockOptions } from "./options.js" */
/**
 * Open a site's search. The engine (Python in a worker) starts immediately, or with the first request if `start` is "asked".
 * Requests are accepted before it is ready.
 *
 * @param {string | URL} base  the address of the site's `_ranvier/` folder
 * @param {OpenOptions} [options]
 * @returns {Engine}
 */
export declare function open(base: string | URL, { start, ...options }?: OpenOptions): Engine;
