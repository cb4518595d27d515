/** Scripts that a page loads when it needs them: compared before they run, and given up when they do not come. */

import { RanvierError } from "./errors.js";
import { TIMEOUT } from "./timeout.js";
import { sealOf } from "./seals.js";

/** How often an address has failed on this page. @type {Map<string, number>} */
const failures = new Map();

/**
 * Import a script. A browser remembers for the page that one could not be had, or was damaged; then it goes by another address,
 * which no cache has: once by itself, and once more whenever it is asked for again.
 *
 * @param {string} url
 * @param {number} [timeout]  ms; an import says nothing while it waits, and no browser gives it up
 * @returns {Promise<any>}
 * @throws {RanvierError} "fetch"
 */
export async function imported(url, timeout = TIMEOUT) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let over = false;
  const silence = new Promise((_, reject) => {
    const giveUp = () => {
      failed(url, triesOf(url));
      reject(new Error(`nothing came for ${Math.round(timeout / 1000)} seconds`));
    };
    timer = setTimeout(giveUp, timeout);
  });
  try {
    return await Promise.race([attempt(url).catch((error) => (over ? Promise.reject(error) : attempt(url))), silence]);
  } catch (error) {
    const why = /** @type {any} */ (error)?.message ?? error;
    throw new RanvierError({ code: "fetch", message: `${url}: the script could not be loaded (${why})` });
  } finally {
    over = true;
    clearTimeout(timer);
  }
}

/** @param {string} url */
async function attempt(url) {
  const before = triesOf(url);
  const address = before ? `${url}?try=${before}` : url;
  try {
    await compared(address);
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ address);
  } catch (error) {
    failed(url, before);
    throw error;
  }
}

const triesOf = (/** @type {string} */ url) => failures.get(url) ?? 0;

/**
 * Two who wait for one address have seen one failure.
 *
 * @param {string} url
 * @param {number} before  how many there were when it was asked for
 */
function failed(url, before) {
  if (triesOf(url) === before) failures.set(url, before + 1);
}

/**
 * Have a script fetched for its import, and refused if it is another one: an import of it takes what a preload has brought.
 *
 * @param {string} address
 */
async function compared(address) {
  const integrity = sealOf(address);
  const link = integrity && globalThis.document?.createElement("link");
  if (!link || !link.relList.supports("modulepreload")) return;
  const settled = new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => reject(new Error("it did not come, or is not what it should be"));
  });
  // An import may do what its script may; a link is asked for a nonce of its own, where a policy has one.
  const { nonce = "" } = /** @type {HTMLElement | null} */ (document.querySelector("script[nonce]")) ?? {};
  document.head.append(Object.assign(link, { rel: "modulepreload", href: address, integrity, nonce }));
  await settled.finally(() => link.remove());
}
