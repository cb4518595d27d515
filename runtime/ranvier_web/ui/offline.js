/**
 * Keeping what a visit used, so that the next one needs no network.
 *
 * It begins with the first answer: who never searches is spared the bytes. A page that our service worker controls already has
 * nothing to register, and so reads no second entry file either.
 */

import { readEntry } from "../entry.js";
import { register, used } from "../offline/register.js";

/**
 * @param {string} base
 * @returns {Promise<boolean>} whether there is a service worker that keeps the search
 */
export async function keep(base) {
  const workers = ["../ranvier-sw.js", "sw.js"].map((name) => new URL(name, base).href);
  const isOurs = (/** @type {ServiceWorker | null} */ worker) => workers.includes(worker?.scriptURL ?? "");
  if (isOurs(navigator.serviceWorker.controller)) return true;
  const entry = await readEntry(new URL(base));
  await used(base, entry, [], { engine: true });
  if (await register(base, entry)) return true;
  // A file may have been missed, and the rest be kept.
  return (await navigator.serviceWorker.getRegistrations()).some(({ active }) => isOurs(active));
}
