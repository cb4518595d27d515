/**
 * When the engine, which is some megabytes, is started: decisions without a DOM.
 *
 * | where                                     | what starts it |
 * | ----------------------------------------- | -------------- |
 * | anywhere else                             | intent: the focus, a pointer over the box, ⌘K |
 * | bytes or memory are dear                  | a query: two letters and a pause, or Enter |
 * | `preload="idle"`, and a good connection   | the page is loaded and idle |
 */

import { savesData } from "../save-data.js";

/**
 * @typedef {object} Surroundings  what a browser does not tell is left out
 * @property {boolean} [saveData]
 * @property {string} [effectiveType]  "slow-2g", "2g", "3g" or "4g"
 * @property {number} [downlink]       Mbit/s
 * @property {number} [deviceMemory]   GiB
 */

const GOOD = 5; // Mbit/s
const SMALL = 1; // GiB
const ROOMY = 2; // GiB
const PAUSE = 80; // ms: shorter than the gap between two keys of a quick typist, so a word is one search
const LONG_PAUSE = 400;
const FEW_LETTERS = 2;

/** @returns {Surroundings} */
export function surroundings() {
  const { connection, deviceMemory } = /** @type {any} */ (navigator);
  const { effectiveType, downlink } = connection ?? {};
  return { saveData: savesData(), effectiveType, downlink, deviceMemory };
}

/**
 * Whether intent alone is no reason to start the engine.
 *
 * @param {Surroundings} where
 */
export function isDear({ saveData, effectiveType = "", deviceMemory = ROOMY }) {
  return !!saveData || effectiveType.endsWith("2g") || deviceMemory <= SMALL;
}

/**
 * Whether the engine may be started before anybody has shown that they want it.
 *
 * @param {Surroundings} where
 */
export function isPlentiful(where) {
  const { effectiveType = "4g", downlink = GOOD, deviceMemory = 2 * ROOMY } = where;
  return !isDear(where) && effectiveType === "4g" && downlink >= GOOD && deviceMemory > ROOMY;
}

/**
 * How long after a key a query is looked up; null where it is too short to start an engine for.
 *
 * @param {string} query
 * @param {boolean} spares  the engine is not there, and only a query starts it
 * @returns {number | null} ms
 */
export function pauseAfter(query, spares) {
  if (!spares) return PAUSE;
  return [...query.trim()].length < FEW_LETTERS ? null : LONG_PAUSE;
}
