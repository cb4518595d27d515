/** Scripts that a page loads on demand, with a retry and with a timeout. */

import { RanvierError } from "./errors.js";
import { TIMEOUT, withRetry } from "./store/retry.js";

/** Number of failures of each address on this page. @type {Map<string, number>} */
const failures = new Map();

/**
 * Import a script. A browser remembers a failed import for the lifetime of the page. The retry therefore uses another address,
 * which is not cached: one automatic retry, and a new one with each later call.
 *
 * @param {string} url
 * @param {number} [timeout]  ms; an import reports no progress, and browsers have no timeout for it
 * @throws {RanvierError} "fetch"
 */
export async function importModule(url, timeout = TIMEOUT) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const controller = new AbortController();
  const expiry = new Promise((_, reject) => {
    const expire = () => {
      countFailure(url, failureCount(url));
      reject(new Error(`no data for ${Math.round(timeout / 1000)} seconds`));
    };
    timer = setTimeout(expire, timeout);
  });
  try {
    return await Promise.race([withRetry(() => attemptImport(url), { signal: controller.signal }), expiry]);
  } catch (error) {
    const reason = /** @type {any} */ (error)?.message ?? error;
    throw new RanvierError({ code: "fetch", message: `${url}: the script could not be loaded (${reason})` });
  } finally {
    controller.abort();
    clearTimeout(timer);
  }
}

/** @param {string} url */
async function attemptImport(url) {
  const count = failureCount(url);
  const address = count ? `${url}?try=${count}` : url;
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ address);
  } catch (error) {
    countFailure(url, count);
    throw error;
  }
}

const failureCount = (/** @type {string} */ url) => failures.get(url) ?? 0;

/**
 * Count a failure. Two callers that wait for the same address count it once.
 *
 * @param {string} url
 * @param {number} count  the number of failures at the time of the request
 */
function countFailure(url, count) {
  if (failureCount(url) === count) failures.set(url, count + 1);
}
