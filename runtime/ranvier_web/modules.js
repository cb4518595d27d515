/** Scripts that did not come, or came damaged: what a page can do so that it is not left with them. */

import { RanvierError } from "./errors.js";

/** @import { Entry } from "./protocol.js" */

let tries = 0;

/**
 * Import a script once more. A browser remembers for the page that one could not be had, so it goes by another address.
 *
 * @param {string} url
 * @returns {Promise<any>}
 */
export function importedAnew(url) {
  tries += 1;
  return import(/* webpackIgnore: true */ /* @vite-ignore */ `${url}?try=${tries}`);
}

/**
 * Have the scripts of a version fetched past the browser's cache, and compared: it may have kept half of one for a year.
 *
 * @param {URL} base
 * @param {Entry} entry
 * @param {number} patience  ms, for all of them
 * @returns {Promise<void>}
 * @throws {RanvierError} "fetch": one cannot be had, or is not what it should be
 */
export async function renew(base, entry, patience) {
  const signal = AbortSignal.timeout(patience);
  const needed = (/** @type {string} */ name) => name.startsWith("web-") && !/\/(ui|offline|instant)\//.test(name);
  const scripts = Object.entries(await listed(new URL(entry.files, base), signal)).filter(([name]) => needed(name));
  const fetched = scripts.map(async ([name, [, integrity]]) => {
    try {
      const response = await fetch(new URL(name, base), { cache: "reload", integrity, signal });
      await response.arrayBuffer();
    } catch {
      throw new RanvierError({ code: "fetch", message: `${name}: the script could not be loaded` });
    }
  });
  await Promise.all(fetched);
}

/**
 * @param {URL} url
 * @param {AbortSignal} signal
 * @returns {Promise<Record<string, [bytes: number, integrity: string]>>}  nothing, where the list itself cannot be had
 */
async function listed(url, signal) {
  try {
    return (await (await fetch(url, { signal })).json()).shell;
  } catch {
    return {};
  }
}
