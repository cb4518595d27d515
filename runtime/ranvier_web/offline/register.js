/**
 * The page's side of the service worker: registers it, reports the used files to it, and starts a complete download.
 *
 * The first files are fetched before the service worker exists, and are in the browser's own cache. The page reports them
 * afterwards, and the service worker reads them from that cache.
 */

import { savesData } from "../save-data.js";
import { RanvierError } from "../errors.js";
import { scriptURL } from "../trusted.js";
import { isHashed, nameOf } from "./file-names.js";

/** @import { Entry, Progress } from "../protocol.js" */
/** @import { FetchResult, Visit } from "./offline-cache.js" */

const UNREACHABLE = "the site could not be reached, or was built again in the meantime: try again";
const BATCH = 16; // files per request
const TIMEOUT = 120_000; // ms for an answer of the service worker, which the browser may have stopped
const SCRIPT_INITIATORS = ["fetch", "xmlhttprequest", "beacon"]; // requested by a script: not a part of the page

/** @typedef {{worker: ServiceWorker, scope: string}} Registration */

/** @type {Map<string, Promise<Registration | null>>} by the base */
const workers = new Map();

/** Files that were used before the service worker was ready. @type {Map<string, string[]>} */
const unreportedFiles = new Map();

/**
 * Make the site's search available offline from the next visit on. This never fails: without a service worker, or if the reader
 * saves data, it does nothing.
 *
 * @param {URL | string} base  the site's `_ranvier/` folder
 * @param {Entry} entry
 * @returns {Promise<boolean>}  whether all used files are stored now
 */
export async function register(base, entry) {
  if (!canRegister(entry) || savesData()) return false;
  try {
    const address = new URL(base, location.href).href;
    await waitForIdle(); // the parts of the page have loaded
    const registration = await getWorker(address, entry);
    if (!registration) return false;
    const names = getResources().flatMap(({ name }) => nameOf(name, address) ?? []);
    names.push(...(unreportedFiles.get(address) ?? []));
    unreportedFiles.delete(address);
    const pages = pageAddresses(address, registration.scope);
    return await sendMessage(registration.worker, { kind: "visit", entry, names, pages });
  } catch {
    return false;
  }
}

/**
 * Report used files that the service worker has not seen: those that the search worker fetched before it was ready.
 *
 * @param {URL | string} base
 * @param {Entry} entry
 * @param {string[]} names
 * @returns {Promise<boolean>}
 */
export async function reportUsed(base, entry, names) {
  try {
    const address = new URL(base, location.href).href;
    const registration = await workers.get(address);
    if (registration) return await sendMessage(registration.worker, { kind: "visit", entry, names });
    unreportedFiles.set(address, [...(unreportedFiles.get(address) ?? []), ...names]);
    return false;
  } catch {
    return false;
  }
}

/**
 * Download everything that any search on this site can need.
 *
 * @param {URL | string} base
 * @param {Entry} entry
 * @param {{onProgress?: (progress: Progress) => void, signal?: AbortSignal}} [options]
 * @throws {RanvierError} "offline": no service worker is available; "fetch", "quota": files that have arrived stay; "stale"
 */
export async function downloadAll(base, entry, { onProgress, signal } = {}) {
  const address = new URL(base, location.href).href;
  const registration = canRegister(entry) ? await getWorker(address, entry).catch(() => null) : null;
  if (!registration) throw failure("offline", "offline use needs https, and a site that was built with `offline`");
  const visit = { entry, names: [], pages: pageAddresses(address, registration.scope) };
  // First report the build: the service worker needs its file list to compare scripts.
  await sendMessage(registration.worker, { kind: "visit", ...visit });
  const sizes = await fetchSizes(address, entry);
  const names = Object.keys(sizes);
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let loaded = 0;
  for (let at = 0; at < names.length; at += BATCH) {
    if (signal?.aborted) throw failure("stale", "the download was cancelled");
    const batch = names.slice(at, at + BATCH);
    /** @type {FetchResult[]} */
    const results = await sendMessage(registration.worker, { kind: "fetch", names: batch });
    for (const { name, ok, reason } of results) {
      if (!ok) throw failure(reason ?? "fetch", reason === "quota" ? `${name}: the browser has no room` : `${name}: could not be fetched`);
      loaded += sizes[name] ?? 0;
    }
    onProgress?.({ stage: "files", loaded, total });
  }
  const isStored = await sendMessage(registration.worker, { kind: "visit", ...visit, whole: true });
  if (isStored) return { files: names.length, bytes: loaded };
  throw failure("fetch", UNREACHABLE);
}

/** @param {string} code @param {string} message */
const failure = (code, message) => new RanvierError({ code, message });

/** @param {Entry} entry */
function canRegister(entry) {
  return Boolean(entry.offline) && isSecureContext && "serviceWorker" in navigator;
}

/** @returns {Promise<void>} */
function waitForIdle() {
  const scheduleIdle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ done) => setTimeout(done, 1000));
  return new Promise((resolve) => {
    const loaded = () => scheduleIdle(() => resolve(), { timeout: 5000 });
    if (document.readyState === "complete") loaded();
    else addEventListener("load", loaded, { once: true });
  });
}

/**
 * @param {string} base
 * @param {Entry} entry
 */
function getWorker(base, entry) {
  let registration = workers.get(base);
  if (!registration) {
    const script = new URL(entry.offline ?? "", base).href;
    workers.set(base, (registration = registerWorker(script, new URL("../", base).href)));
    registration.then((result) => result ?? workers.delete(base), () => workers.delete(base));
  }
  return registration;
}

/**
 * @param {string} script
 * @param {string} site  the preferred scope: all pages of the site
 * @returns {Promise<Registration | null>}
 */
async function registerWorker(script, site) {
  const ownScope = new URL("./", script).href;
  const scope = site.startsWith(ownScope) || (await isAllowed(site, script)) ? site : ownScope;
  if (await isTaken(scope, script)) return null;
  const options = /** @type {RegistrationOptions} */ ({ scope, type: "module", updateViaCache: "imports" });
  return { worker: await waitForActive(await navigator.serviceWorker.register(scriptURL(script), options)), scope };
}

/**
 * Whether the server allows a worker for a folder above its own. Trying it without this check would log an error in the console.
 *
 * @param {string} scope
 * @param {string} script
 */
async function isAllowed(scope, script) {
  const { headers } = await fetch(script, { method: "HEAD" });
  const allowed = headers.get("service-worker-allowed");
  return allowed !== null && scope.startsWith(new URL(allowed, script).href);
}

/**
 * Whether another service worker already has this scope. It is not replaced.
 *
 * @param {string} scope
 * @param {string} script
 */
async function isTaken(scope, script) {
  const existing = (await navigator.serviceWorker.getRegistrations()).find((registration) => registration.scope === scope);
  const worker = existing?.active ?? existing?.waiting ?? existing?.installing;
  return worker !== undefined && worker !== null && worker.scriptURL !== script;
}

/**
 * @param {ServiceWorkerRegistration} registration
 * @returns {Promise<ServiceWorker>}
 */
function waitForActive({ active, waiting, installing }) {
  const worker = active ?? waiting ?? installing;
  if (!worker) return Promise.reject(new Error("no service worker was installed"));
  if (worker.state === "activated") return Promise.resolve(worker);
  return new Promise((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve(worker);
      if (worker.state === "redundant") reject(new Error("the service worker could not be installed"));
    });
  });
}

/**
 * @param {ServiceWorker} worker
 * @param {({kind: "visit"} & Visit) | {kind: "fetch", names: string[]}} message
 */
function sendMessage(worker, message) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(failure("fetch", "the service worker did not answer")), TIMEOUT);
    port1.onmessage = ({ data }) => {
      clearTimeout(timer);
      port1.close();
      if ("error" in data) reject(failure("internal", data.error));
      else resolve(data.result);
    };
    worker.postMessage(message, [port2]);
  });
}

function getResources() {
  return /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType("resource"));
}

/**
 * Return the addresses of this page and of its parts, as far as they are in the scope of the service worker.
 *
 * @param {string} base
 * @param {string} scope
 */
function pageAddresses(base, scope) {
  if (!location.href.startsWith(scope)) return [];
  const parts = getResources().filter(({ name, initiatorType }) => {
    const fileName = nameOf(name, base);
    return name.startsWith(scope) && !SCRIPT_INITIATORS.includes(initiatorType) && (fileName === null || !isHashed(fileName));
  });
  return [location.href, ...new Set(parts.map(({ name }) => name))];
}

/**
 * @param {string} base
 * @param {Entry} entry
 * @returns {Promise<Record<string, number>>}
 */
async function fetchSizes(base, entry) {
  try {
    const response = await fetch(base + entry.sizes);
    if (response.ok) return await response.json();
  } catch {
    // reported below
  }
  throw failure("fetch", `${entry.sizes}: could not be fetched`);
}
