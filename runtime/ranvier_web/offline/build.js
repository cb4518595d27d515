/** One build of the site, for the service worker: its entry file and the list of its files. */

import { isHashed } from "./file-names.js";
import { isComplete, isIntact, toStorable } from "./integrity.js";

/** @import { Entry } from "../protocol.js" */
/** @import { FileList, Shell } from "./integrity.js" */
/** @import { BoundedCache } from "./bounded-cache.js" */

export const TIMEOUT = 30_000; // ms for a file that the next check needs

/** @typedef {{shell: Shell, names: ReadonlySet<string>}} Build  the names of all its files; other files are not stored */

/** @type {Build} */
const EMPTY_BUILD = { shell: {}, names: new Set() };

/**
 * Read the list of a build's files. It contains the digests of the files without a digest in their name.
 *
 * @param {Entry | null} entry
 * @param {string} base
 * @param {BoundedCache} files
 * @param {typeof fetch} fetcher
 * @returns {Promise<Build>}  empty without an entry, or if its list is unavailable
 */
export async function readBuild(entry, base, files, fetcher) {
  const list = entry ? await fetchList(entry.files, base, files, fetcher) : null;
  if (!entry || !list) return EMPTY_BUILD;
  const engine = Object.fromEntries(Object.entries(entry.engineFiles).map(([name, sizeAndDigest]) => [entry.engine + name, sizeAndDigest]));
  const names = new Set([entry.files, ...Object.keys(list.shell), ...Object.keys(list.data)]);
  return { shell: { ...list.shell, ...engine }, names };
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
