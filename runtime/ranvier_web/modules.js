/** Scripts that a page loads on demand, with a retry and with a timeout. */

import { RanvierError } from "./errors.js";
import { retried } from "./store/retry.js";
import { TIMEOUT } from "./timeout.js";

/** Number of failures of each address on this page. @type {Map<string, number>} */
const failures = new Map();

/**
 * Import a script. A browser remembers a failed import for the lifetime of the page. The retry therefore uses another address,
 * which is not cached: one automatic retry, and a new one with each later call.
 *
 * @param {string} url
 * @param {number} [timeout]  ms; an import reports no progress, and browsers have no timeout for it
 * @returns {Promise<any>}
 * @throws {RanvierError} "fetch"
 */
export async function imported(url, timeout = TIMEOUT) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const over = new AbortController();
  const silence = new Promise((_, reject) => {
    const giveUp = () => {
      failed(url, triesOf(url));
      reject(new Error(`no data for ${Math.round(timeout / 1000)} seconds`));
    };
    timer = setTimeout(giveUp, timeout);
  });
  try {
    return await Promise.race([retried(() => attempt(url), { signal: over.signal }), silence]);
  } catch (error) {
    const why = /** @type {any} */ (error)?.message ?? error;
    throw new RanvierError({ code: "fetch", message: `${url}: the script could not be loaded (${why})` });
  } finally {
    over.abort();
    clearTimeout(timer);
  }
}

/** @param {string} url */
async function attempt(url) {
  const before = triesOf(url);
  const address = before ? `${url}?try=${before}` : url;
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ address);
  } catch (error) {
    failed(url, before);
    throw error;
  }
}

const triesOf = (/** @type {string} */ url) => failures.get(url) ?? 0;

/**
 * Count a failure. Two callers that wait for the same address count it once.
 *
 * @param {string} url
 * @param {number} before  the number of failures at the time of the request
 */
function failed(url, before) {
  if (triesOf(url) === before) failures.set(url, before + 1);
}
