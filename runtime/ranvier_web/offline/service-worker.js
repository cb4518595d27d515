/**
 * The site's service worker: answers events from the `OfflineCache`. A file with a stable name, at the top of the site or beside the
 * entry file, imports this module. The browser revalidates that file, and so detects a new version.
 */

import { OfflineCache } from "./offline-cache.js";
import { baseOf, cacheNames, isHashed, isSiteCache, kindOf, nameOf } from "./file-names.js";

/** @import { Visit } from "./offline-cache.js" */

/**
 * @typedef {({kind: "visit"} & Visit) | {kind: "fetch", names: string[]}} ToServiceWorker  each with a port for the answer
 */

const FLUSH_DELAY = 500; // ms by which the index is written later than the first change

const worker = /** @type {any} */ (self);
const base = baseOf(self.location.href);
const offlineCache = new OfflineCache(base);

/** @type {Promise<void> | null} */
let flushing = null;

/** Write the index after a delay, once for all changes until then. */
function scheduleFlush() {
  flushing ??= new Promise((resolve) => setTimeout(resolve, FLUSH_DELAY)).then(() => {
    flushing = null;
    return offlineCache.flush();
  });
  return flushing;
}

/**
 * @param {any} event
 * @returns {Promise<Response> | null}  `null`: left to the browser
 */
function answer(event) {
  const { request } = event;
  const kind = kindOf(request, base, worker.registration.scope);
  if (kind === "hashed") return offlineCache.hashed(request, nameOf(request.url, base) ?? "");
  if (kind === "entry") return offlineCache.entry(request);
  if (kind === "page") return offlineCache.page(request, event.preloadResponse);
  return kind === "part" ? offlineCache.pages.answer(request) : null;
}

/**
 * @param {ToServiceWorker} message
 * @returns {Promise<unknown>}
 */
async function handleMessage(message) {
  if (message.kind === "visit") return offlineCache.visit(message);
  return offlineCache.fetchAll(message.names.filter(isHashed), { whole: true });
}

/** Delete caches of earlier formats. */
async function deleteOldCaches() {
  const currentNames = Object.values(cacheNames(base));
  const names = await caches.keys();
  await Promise.all(names.filter((name) => isSiteCache(name, base) && !currentNames.includes(name)).map((name) => caches.delete(name)));
}

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("activate", (/** @type {any} */ event) => {
  const preload = worker.registration.navigationPreload?.enable() ?? Promise.resolve();
  event.waitUntil(Promise.allSettled([preload, deleteOldCaches()]).then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const response = answer(event);
  if (!response) return;
  event.respondWith(response);
  event.waitUntil(response.then(scheduleFlush, () => {}));
});

worker.addEventListener("message", (/** @type {any} */ event) => {
  const [port] = event.ports;
  const sent = handleMessage(event.data).then(
    (result) => port?.postMessage({ result }),
    (error) => port?.postMessage({ error: String(error) }),
  );
  event.waitUntil(sent.then(scheduleFlush));
});
