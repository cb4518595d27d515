/** Actions that wait until the page has loaded and is idle. */

import { importModule } from "../modules.js";
import { isDear, surroundings } from "./preload-policy.js";

/** @import { Surroundings } from "./preload-policy.js" */

const OFFLINE_URL = new URL("./offline.js", import.meta.url).href;
const GOOD = 5; // Mbit/s
const ROOMY = 2; // GiB
const A_WHILE = 2_000; // ms after loading, for browsers without `requestIdleCallback`

/**
 * Whether the engine may be started without any sign of intent.
 *
 * @param {Surroundings} where
 */
export function isPlentiful(where) {
  const { effectiveType = "4g", downlink = GOOD, deviceMemory = 2 * ROOMY } = where;
  return !isDear(where) && effectiveType === "4g" && downlink >= GOOD && deviceMemory > ROOMY;
}

/**
 * @param {() => void} action
 * @param {AbortSignal} signal
 */
export function whenIdle(action, signal) {
  const act = () => signal.aborted || action();
  const soon = () => ("requestIdleCallback" in globalThis ? requestIdleCallback(act) : setTimeout(act, A_WHILE));
  if (document.readyState === "complete") soon();
  else addEventListener("load", soon, { once: true, signal });
}

/**
 * Store a page for offline use.
 *
 * @param {string} base
 * @param {AbortSignal} signal
 */
export function keepIdly(base, signal) {
  whenIdle(() => void importModule(OFFLINE_URL).then(({ keep }) => keep(base)).catch(() => {}), signal);
}

/**
 * Start the engine when the page is idle, if network and memory are good enough.
 *
 * @param {{start: () => void}} client
 * @param {AbortSignal} signal
 */
export function startIdly(client, signal) {
  whenIdle(() => isPlentiful(surroundings()) && client.start(), signal);
}

/**
 * @param {{base: string, start: () => void}} client
 * @param {boolean} preloads  the engine starts without any sign of intent
 * @param {AbortSignal} signal
 */
export function actIdly(client, preloads, signal) {
  if (preloads) startIdly(client, signal);
  // If a service worker is active, it stores this page, too.
  if (navigator.serviceWorker?.controller) keepIdly(client.base, signal);
}
