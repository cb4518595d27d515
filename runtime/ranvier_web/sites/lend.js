/** One of several sites uses the scripts and the engine of another one where it can. */

import { readEntry } from "../entry.js";

/** @import { Entry } from "../protocol.js" */

/**
 * Return the entry of a site with the scripts and the engine of the page's own site, if both have the same, or if the site has
 * another origin: a page runs no script of another origin. The page's service worker does not keep files of such a site.
 *
 * @param {Entry} entry
 * @param {URL} base
 * @param {URL} lender  the base of the page's own site
 * @param {number} [timeout]  ms
 * @returns {Promise<Entry>}
 */
export async function lent(entry, base, lender, timeout) {
  const host = await readEntry(lender, timeout);
  const { api, core, engine, engineFiles, snapshot } = host;
  const isSame = entry.api === api && entry.core === core && entry.engine === engine && entry.snapshot?.[0] === snapshot?.[0];
  if (!isSame && base.origin === lender.origin) return entry;
  const at = (/** @type {string} */ name) => new URL(name, lender).href;
  const memory = snapshot && /** @type {typeof snapshot} */ ([at(snapshot[0]), snapshot[1], snapshot[2]]);
  return { ...entry, api: at(api), core: at(core), engine: at(engine), engineFiles, snapshot: memory, offline: null };
}
