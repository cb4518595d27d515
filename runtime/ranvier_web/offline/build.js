/** One build of the site, for the service worker: its entry file and the list of its files. */

import { digestOf, isHashed } from "./file-names.js";
import { isComplete, isIntact, toStorable } from "./integrity.js";

/** @import { Entry } from "../protocol.js" */
/** @import { FileList, Shell } from "./integrity.js" */
/** @import { BoundedCache } from "./bounded-cache.js" */

export const TIMEOUT = 30_000; // ms for a file that the next check needs

const DIGITS = 10; // of each digest in the list

/** @typedef {{shell: Shell, has: (name: string) => boolean, isKnown: boolean}} Build  files of other builds are not stored */

/** @type {Build} */
const UNKNOWN_BUILD = { shell: {}, has: () => false, isKnown: false };

/**
 * Read the list of a build's files. It contains the digests of the files without a digest in their name.
 *
 * @param {Entry | null} entry
 * @param {string} base
 * @param {BoundedCache} files
 * @param {typeof fetch} fetcher
 * @returns {Promise<Build>}  unknown without an entry, or if its list is unavailable
 */
export async function readBuild(entry, base, files, fetcher) {
  const list = entry ? await fetchList(entry.files, base, files, fetcher) : null;
  if (!entry || !list) return UNKNOWN_BUILD;
  const engine = Object.fromEntries(Object.entries(entry.engineFiles).map(([name, sizeAndDigest]) => [entry.engine + name, sizeAndDigest]));
  const digests = new Set(list.digests.match(new RegExp(`.{${DIGITS}}`, "g")));
  const has = (/** @type {string} */ name) =>
    name === entry.files || Object.hasOwn(list.shell, name) || digests.has(digestOf(name)?.slice(0, DIGITS) ?? "");
  return { shell: { ...list.shell, ...engine }, has, isKnown: true };
}

/**
 * @param {string} name
 * @param {string} base
 * @param {BoundedCache} files
 * @param {typeof fetch} fetcher
 * @returns {Promise<FileList | null>}
 */
async function fetchList(name, base, files, fetcher) {
  const url = base + name;
  try {
    const cached = await files.get(url);
    if (cached) return await cached.json();
    const signal = AbortSignal.timeout(TIMEOUT);
    // The browser's own cache may contain the error of an earlier request.
    for (const cache of /** @type {const} */ (["force-cache", "reload"])) {
      const response = await fetcher(url, { cache, credentials: "same-origin", signal });
      if (response.status === 429) break; // the host limits the number of requests
      const data = isComplete(response) ? await response.arrayBuffer() : null;
      if (!data || !(await isIntact(name, data, {}))) continue;
      await files.put(url, toStorable(response, data), data.byteLength, {});
      return JSON.parse(new TextDecoder().decode(data));
    }
    return null;
  } catch {
    return null;
  }
}

/**
 * @param {string} text  possibly an HTML page: some hosts return one for every address
 * @returns {Entry | null}
 */
export function parseEntry(text) {
  try {
    const entry = JSON.parse(text);
    return entry.build && isHashed(entry.files) && entry.engineFiles ? entry : null;
  } catch {
    return null;
  }
}
