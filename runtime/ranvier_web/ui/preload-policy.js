/**
 * Decides when the engine (some megabytes) is started. Without a DOM.
 *
 * | condition                                 | what starts it |
 * | ----------------------------------------- | -------------- |
 * | default                                   | intent: the focus, a pointer over the box, ⌘K |
 * | bytes or memory are scarce                | a query: two letters and a pause, or Enter |
 * | `preload="idle"`, and a good connection   | the page is loaded and idle |
 */

import { savesData } from "../save-data.js";

/**
 * @typedef {object} DeviceInfo  values that the browser does not report are missing
 * @property {boolean} [saveData]
 * @property {string} [effectiveType]  "slow-2g", "2g", "3g" or "4g"
 * @property {number} [downlink]       Mbit/s
 * @property {number} [deviceMemory]   GiB
 */

const LOW_MEMORY = 1; // GiB
const DEFAULT_MEMORY = 2; // GiB, if the browser does not report it
const SEARCH_DELAY = 80; // ms after a key before the search starts
const LONG_SEARCH_DELAY = 400;
const MIN_LETTERS = 2;

/** @returns {DeviceInfo} */
export function readDeviceInfo() {
  const { connection, deviceMemory } = /** @type {any} */ (navigator);
  const { effectiveType, downlink } = connection ?? {};
  return { saveData: savesData(), effectiveType, downlink, deviceMemory };
}

/**
 * Whether bytes or memory are scarce, so that only a query starts the engine.
 *
 * @param {DeviceInfo} device
 */
export function isConstrained({ saveData, effectiveType = "", deviceMemory = DEFAULT_MEMORY }) {
  return !!saveData || effectiveType.endsWith("2g") || deviceMemory <= LOW_MEMORY;
}

/**
 * Return the delay from a key to the search; null if the query is too short to start the engine.
 *
 * @param {string} query
 * @param {boolean} isLazy  the engine is not started, and only a query starts it
 * @returns {number | null} ms
 */
export function searchDelay(query, isLazy) {
  if (!isLazy) return SEARCH_DELAY;
  return [...query.trim()].length < MIN_LETTERS ? null : LONG_SEARCH_DELAY;
}
