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
 * @typedef {object} Surroundings  values that the browser does not report are missing
 * @property {boolean} [saveData]
 * @property {string} [effectiveType]  "slow-2g", "2g", "3g" or "4g"
 * @property {number} [downlink]       Mbit/s
 * @property {number} [deviceMemory]   GiB
 */

const SMALL = 1; // GiB
const ROOMY = 2; // GiB
const PAUSE = 80; // ms after a key before the search starts
const LONG_PAUSE = 400;
const FEW_LETTERS = 2;

/** @returns {Surroundings} */
export function surroundings() {
  const { connection, deviceMemory } = /** @type {any} */ (navigator);
  const { effectiveType, downlink } = connection ?? {};
  return { saveData: savesData(), effectiveType, downlink, deviceMemory };
}

/**
 * Whether bytes or memory are scarce, so that only a query starts the engine.
 *
 * @param {Surroundings} where
 */
export function isDear({ saveData, effectiveType = "", deviceMemory = ROOMY }) {
  return !!saveData || effectiveType.endsWith("2g") || deviceMemory <= SMALL;
}

/**
 * Return the delay from a key to the search; null if the query is too short to start the engine.
 *
 * @param {string} query
 * @param {boolean} spares  the engine is not started, and only a query starts it
 * @returns {number | null} ms
 */
export function pauseAfter(query, spares) {
  if (!spares) return PAUSE;
  return [...query.trim()].length < FEW_LETTERS ? null : LONG_PAUSE;
}
