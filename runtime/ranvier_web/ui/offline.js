/**
 * Stores the files that a visit uses, so that the next visit works offline.
 *
 * It starts with the first answer, to save the bytes of readers who never search. After that, every visited page is reported to the
 * service worker, which also detects new versions of the site.
 */

import { readEntry } from "../entry.js";
import { importModule } from "../modules.js";

/**
 * @param {string} base
 * @returns {Promise<boolean>} whether a service worker stores the search
 */
export async function storeSearch(base) {
  const workers = ["../ranvier-sw.js", "sw.js"].map((name) => new URL(name, base).href);
  const isSiteWorker = (/** @type {ServiceWorker | null} */ worker) => workers.includes(worker?.scriptURL ?? "");
  /** @type {typeof import("../offline/register.js")} */
  const { register } = await importModule(new URL("../offline/register.js", import.meta.url).href);
  if (await register(base, await readEntry(new URL(base)))) return true;
  // A single file may have failed while the others are stored.
  return (await navigator.serviceWorker.getRegistrations()).some(({ active }) => isSiteWorker(active));
}
