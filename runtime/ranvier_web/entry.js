/** `entry.json`: the file with a stable name and changing content. It is always revalidated. */

import { RanvierError } from "./errors.js";
import { download } from "./store/download.js";
import { withRetry } from "./store/retry.js";

/** @import { Entry } from "./protocol.js" */

export const FORMAT = 10;

/**
 * Return the address of a `_ranvier/` folder, with a slash at its end.
 *
 * @param {string | URL} base
 */
export function resolveBase(base) {
  const address = new URL(base, globalThis.location?.href);
  if (!address.pathname.endsWith("/")) address.pathname += "/";
  return address;
}

/**
 * @param {URL} base
 * @param {number} [timeout]  ms
 * @throws {RanvierError} "fetch" if it is unavailable, "format" if this page cannot read it
 */
export async function readEntry(base, timeout) {
  const entry = await fetchEntry(base, timeout);
  if (entry.format === FORMAT) return entry;
  const message = `entry.json: this site's index has format ${entry.format}, and this page reads ${FORMAT}: reload the page`;
  throw new RanvierError({ code: "format", message });
}

/**
 * @param {Uint8Array} file  possibly an HTML page: some hosts return one for every address
 * @returns {Entry}
 */
function parseEntry(file) {
  try {
    const value = JSON.parse(new TextDecoder().decode(file));
    if (value !== null && typeof value === "object") return value;
  } catch {
    // reported below
  }
  throw new RanvierError({ code: "format", message: "entry.json: the server's response is not the entry file of an index" });
}

/**
 * @param {URL} base
 * @param {number} [timeout]
 */
async function fetchEntry(base, timeout) {
  if (base.protocol === "file:") {
    const message = "a browser can search a site only over http: run `ranvier serve` on the folder, or publish it";
    throw new RanvierError({ code: "fetch", message });
  }
  const { href } = new URL("entry.json", base);
  // The browser's copy may be damaged, and the server then confirms that it is current.
  const attempt = async (/** @type {RequestCache} */ cache) => {
    return parseEntry(await download("entry.json", (signal) => fetch(href, { cache, signal }), { timeout }));
  };
  return withRetry(attempt, { cache: "no-cache" });
}
