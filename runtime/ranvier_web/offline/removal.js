/**
 * Replaces the service worker if a site has none any more: browsers with an older one fetch this script, which deletes all stored
 * files and unregisters itself.
 */

import { baseOf, isSiteCache } from "./file-names.js";

const worker = /** @type {any} */ (self);
const base = baseOf(self.location.href);

async function remove() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => isSiteCache(name, base)).map((name) => caches.delete(name)));
  await worker.registration.unregister();
}

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(remove()));
