/** Tasks for the time when the page has loaded and is idle. */

import { importModule } from "../modules.js";
import { isConstrained, readDeviceInfo } from "./preload-policy.js";

/** @import { DeviceInfo } from "./preload-policy.js" */

const OFFLINE_URL = new URL("./offline.js", import.meta.url).href;
const MIN_DOWNLINK = 5; // Mbit/s
const LOW_MEMORY = 2; // GiB; a preload needs more
const IDLE_DELAY = 2_000; // ms after loading, for browsers without `requestIdleCallback`

/**
 * Whether the engine may be started without any sign of intent.
 *
 * @param {DeviceInfo} device
 */
export function canPreload(device) {
  const { effectiveType = "4g", downlink = MIN_DOWNLINK, deviceMemory = 2 * LOW_MEMORY } = device;
  return !isConstrained(device) && effectiveType === "4g" && downlink >= MIN_DOWNLINK && deviceMemory > LOW_MEMORY;
}

/**
 * @param {() => void} action
 * @param {AbortSignal} signal
 */
export function runWhenIdle(action, signal) {
  const run = () => signal.aborted || action();
  const schedule = () => ("requestIdleCallback" in globalThis ? requestIdleCallback(run) : setTimeout(run, IDLE_DELAY));
  if (document.readyState === "complete") schedule();
  else addEventListener("load", schedule, { once: true, signal });
}

/**
 * @param {{base: string, start: () => void}} client
 * @param {boolean} isPreloading  the engine starts without any sign of intent, if network and memory are good enough
 * @param {AbortSignal} signal
 */
export function runIdleTasks(client, isPreloading, signal) {
  const storePage = () => importModule(OFFLINE_URL).then(({ storeSearch }) => storeSearch(client.base)).catch(() => {});
  if (isPreloading) runWhenIdle(() => canPreload(readDeviceInfo()) && client.start(), signal);
  // If a service worker is active, it stores this page, too, and those that a site's own router shows after it.
  if (!navigator.serviceWorker?.controller) return;
  runWhenIdle(storePage, signal);
  let { pathname } = location;
  const storeNext = () => {
    if (location.pathname === pathname) return;
    ({ pathname } = location);
    runWhenIdle(storePage, signal);
  };
  /** @type {any} */ (globalThis).navigation?.addEventListener("navigatesuccess", storeNext, { signal });
}
