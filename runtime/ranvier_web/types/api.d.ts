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
import type { Engine, OpenOptions, SitesEngine, SiteToOpen } from "./options.js";
import type { Entry } from "./protocol.js";
/**
 * Open a site's search. The engine (Python in a worker) starts immediately, or with the first request if `start` is "on-demand".
 * Requests are accepted before it is ready.
 *
 * A list of sites is opened as one; one of them must have the origin of the page.
 *
 * @template {string | URL | readonly (string | URL | SiteToOpen)[]} T
 * @param {T} base  the address of the site's `_ranvier/` folder, or several; in a string of a list `=0.8` at the end is a weight
 * @param {OpenOptions} [options]
 * @returns {T extends readonly unknown[] ? SitesEngine : Engine}
 */
export declare function open<T extends string | URL | readonly (string | URL | SiteToOpen)[]>(base: T, options?: OpenOptions): T extends readonly unknown[] ? SitesEngine : Engine;
export type AdaptOptions = {
    adapt?: (entry: Entry) => Promise<Entry>;
};
