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
export declare function open(base: string | URL, options?: OpenOptions): Engine;
export declare function open(sites: readonly (string | URL | SiteToOpen)[], options?: OpenOptions): SitesEngine;
export type Adapting = {
    adapt?: (entry: Entry) => Promise<Entry>;
};
