/**
 * Ranvier in a page: the whole public API.
 *
 *     import { open } from "/_ranvier/web-<hash>/api.js";   // `api` in /_ranvier/entry.json names it
 *     const engine = open("/_ranvier/");
 *     const { hits } = await engine.search("how to install", { limit: 8 });
 *
 * Every failure is a `RanvierError` with a `code`; asking again is always allowed. Whichever copy of this module is loaded, an
 * older page's or one inside a bundle: the answers come from the version that the site's entry file names.
 */
export { RanvierError } from "./errors.js";
import type { Engine, OpenOptions } from "./options.js";
/** @import { Engine, OpenOptions, Question } from "./options.js" */
/**
 * Open a site's search. The engine, a worker and in it Python, starts at once, or with the first question where `start` says
 * so; questions may be asked before it is ready.
 *
 * @param {string | URL} base  the address of the site's `_ranvier/` folder
 * @param {OpenOptions} [options]
 * @returns {Engine}
 */
export declare function open(base: string | URL, { start, ...options }?: OpenOptions): Engine;
