/**
 * Keeping what a visit used, so that the next one needs no network.
 *
 * It begins with the first answer: who never searches is spared the bytes. From then on the service worker is told of every page
 * that is read, and so learns of a new version of the site.
 */

import { readEntry } from "../entry.js";
import { imported } from "../modules.js";

/**
 * @param {string} base
 * @returns {Promise<boolean>} whether there is a service worker that keeps the search
 */
export async function keep(base) {
  const workers = ["../ranvier-sw.js", "sw.js"].map((name) => new URL(name, base).href);
  const isOurs = (/** @type {ServiceWorker | null} */ worker) => workers.includes(worker?.scriptURL ?? "");
  /** @type {typeof import("../offline/register.js")} */
  const { register, used } = await imported(new URL("../offline/register.js", import.meta.url).href);
  const entry = await readEntry(new URL(base));
  await used(base, entry, [], { engine: true });
  if (await register(base, entry)) return true;
  // A file may have been missed, and the rest be kept.
  return (await navigator.serviceWorker.getRegistrations()).some(({ active }) => isOurs(active));
}
