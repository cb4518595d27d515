/** A site of several uses the scripts and the engine of the page's own site if possible: the page then has them already. */

import { readEntry } from "../entry.js";

/** @import { Entry } from "../protocol.js" */

/**
 * Return the entry of a site with the scripts and the engine of the page's own site, if both have the same, or if the site has
 * another origin: a page runs no script of another origin. The page's service worker does not keep files of such a site.
 *
 * @param {Entry} entry
 * @param {URL} base
 * @param {URL} hostBase  the base of the page's own site
 * @param {number} [timeout]  ms
 */
export async function withSharedEngine(entry, base, hostBase, timeout) {
  const host = await readEntry(hostBase, timeout);
  const { api, core, engine, engineFiles } = host;
  const isSame = entry.api === api && entry.core === core && entry.engine === engine;
  if (!isSame && base.origin === hostBase.origin) return entry;
  const absolute = (/** @type {string} */ name) => new URL(name, hostBase).href;
  return { ...entry, api: absolute(api), core: absolute(core), engine: absolute(engine), engineFiles, offline: null };
}
