/**
 * What stands in a service worker's place where a site has none: browsers that have an older one fetch this instead, and it takes
 * itself away, with all that was kept.
 */

import { baseOf, isOurs } from "./file-names.js";

const worker = /** @type {any} */ (self);
const base = baseOf(self.location.href);

async function remove() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => isOurs(name, base)).map((name) => caches.delete(name)));
  await worker.registration.unregister();
}

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(remove()));
