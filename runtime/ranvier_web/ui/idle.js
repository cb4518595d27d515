/** Actions that wait until the page has loaded and is idle. */

import { imported } from "../modules.js";
import { isPlentiful, surroundings } from "./preload-policy.js";

const OFFLINE_URL = new URL("./offline.js", import.meta.url).href;
const A_WHILE = 2_000; // ms after loading, for browsers without `requestIdleCallback`

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
  whenIdle(() => void imported(OFFLINE_URL).then(({ keep }) => keep(base)).catch(() => {}), signal);
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
