/**
 * Suggestions while a reader types, without the engine: from small files of names.
 *
 * A small site has one file, the root. For a larger site, the root is a guide to the file of each prefix.
 */

import { damagedFile, DigestFiles } from "./files.js";
import { importModule } from "../modules.js";
import { units } from "./keys.js";
import { Names } from "./names.js";

/** @import { SuggestOptions } from "../options.js" */
/** @import { FolderFile, Folders } from "./folders.js" */

/**
 * @typedef {object} Guide
 * @property {string[]} heads  prefixes with more names than fit into a file: their files have the best
 * @property {string[]} runs  the first prefix of each other file
 * @property {string[]} files  digests of both, in hexadecimal
 */

const FOLDERS = new URL("./folders.js", import.meta.url).href;
const MAX_PREFIX_LENGTH = 16; // code points
const MAX_LIMIT = 100; // suggestions

/** @extends {DigestFiles<Names | Guide | FolderFile>} */
export class Titles extends DigestFiles {
  defaultLimit = 8;

  /**
   * @param {string} base  absolute, with its slash at the end
   * @param {string | null} root
   * @param {typeof fetch} fetcher
   */
  constructor(base, root, fetcher) {
    super(base, root, fetcher, (file) => ("titles" in file && !("page_folders" in file) ? new Names(file) : file));
  }

  /**
   * Return the folders of the site.
   *
   * @param {string | null | undefined} name  of their file
   * @returns {Promise<Folders>}
   */
  async folders(name) {
    const [module, file] = await Promise.all([importModule(FOLDERS), name && this.get(name)]);
    return new module.Folders(file || undefined);
  }

  /**
   * Return the names that match the query, best first.
   *
   * @param {string} query
   * @param {SuggestOptions & {rows?: number}} [options]  `rows` has priority over `limit` and its maximum
   * @throws {RanvierError} "integrity"
   */
  async search(query, { limit = this.defaultLimit, rows = Math.min(limit, MAX_LIMIT), signal } = {}) {
    const queryUnits = units(query);
    if (!queryUnits.length) return [];
    let shard = await this.root();
    if (!shard) return [];
    if (!(shard instanceof Names)) {
      signal?.throwIfAborted();
      const file = findFile(/** @type {Guide} */ (shard), queryUnits);
      if (!file) return [];
      shard = await this.get(`titles/${file}.bin`);
    }
    signal?.throwIfAborted();
    if (!(shard instanceof Names)) throw damagedFile("a root of names names another root");
    return shard.search(queryUnits, rows);
  }
}

/**
 * Return the file to search: that of the longest prefix that is not a head.
 *
 * @param {Guide} guide
 * @param {string[]} queryUnits
 */
function findFile({ heads, runs, files }, queryUnits) {
  const prefixes = queryUnits.map((unit) => {
    const points = [...unit].slice(0, MAX_PREFIX_LENGTH);
    const prefix = points.join("");
    return { prefix, length: points.length, head: heads.findIndex((text) => text.startsWith(prefix)) };
  });
  prefixes.sort((a, b) => Math.sign(a.head + 1) - Math.sign(b.head + 1) || b.length - a.length);
  const [longest] = prefixes;
  if (!longest) return "";
  if (longest.head >= 0) return files[longest.head];
  const run = runs.filter((start) => start <= longest.prefix).length - 1;
  return run < 0 ? "" : files[heads.length + run];
}
