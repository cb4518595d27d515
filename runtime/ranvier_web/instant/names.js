/** Names and their order, with the rules of the core's `ranvier/suggest.py`, which describes them. */

import { keys, splitMatches } from "./keys.js";

/** @import { Suggestion } from "../protocol.js" */

/**
 * @typedef {Suggestion["kind"]} Kind
 * @typedef {{kind: Kind, page: number, text: string, anchor: string | 0}} Name  `page` is a row of the same file
 */

/**
 * A file with all names, or with those that have a word with a certain prefix.
 *
 * @typedef {object} NameFile
 * @property {string[]} titles
 * @property {string[]} urls
 * @property {number[]} [numbers]  of the pages, in the order of the site; missing if the file has all pages
 * @property {string[]} aliases
 * @property {number[]} alias_pages  the page of each alias, as a row
 * @property {string[]} headings
 * @property {number[]} heading_counts  number of headings of each page
 * @property {(string | 0)[]} anchors  0: the common slug, see `slugify`
 * @property {string[]} tags
 * @property {number[][]} tag_pages
 */

const MAX_PER_PAGE = 3;
/**
 * Equal to the query, prefix, all words, all words with the page's title. Names with an unfinished word follow, as many without
 * the first.
 *
 * @type {Record<Kind, number[]>}
 */
export const TIERS = { title: [0, 2, 3], alias: [1, 6, 7], heading: [10, 11, 12, 13], tag: [17, 18, 19] };

/** Return the anchor that most generators use for a heading. @param {string} text */
export const slugify = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

export class Names {
  /** @type {Name[]} */
  #names = [];
  #keys;
  #file;

  /** @param {NameFile} file */
  constructor(file) {
    this.#file = file;
    /** @type {(kind: Kind, page: number, text: string, anchor: string | 0) => void} */
    const add = (kind, page, text, anchor) => this.#names.push({ kind, page, text, anchor });
    file.titles.forEach((text, page) => add("title", page, text, ""));
    file.aliases.forEach((text, row) => add("alias", file.alias_pages[row] ?? 0, text, ""));
    let row = 0;
    file.heading_counts.forEach((count, page) => {
      for (const end = row + count; row < end; row += 1) add("heading", page, file.headings[row] ?? "", file.anchors[row] ?? 0);
    });
    file.tags.forEach((text, tag) => file.tag_pages[tag]?.forEach((page) => add("tag", page, text, "")));
    this.#keys = keys(this.#names.map(({ text }) => text));
  }

  /**
   * Return the names that match, best first.
   *
   * @param {string[]} queryUnits  units that they must contain
   * @param {number} limit
   * @returns {Suggestion[]}
   */
  search(queryUnits, limit) {
    /** @type {Map<number, number>} */
    const counts = new Map();
    const results = [];
    for (const name of this.#rank(queryUnits)) {
      const count = (counts.get(name.page) ?? 0) + 1;
      counts.set(name.page, count);
      if (count <= MAX_PER_PAGE && results.push(name) >= limit) break;
    }
    return results.map(({ kind, page, text, anchor }) => ({
      kind,
      text: splitMatches(text, queryUnits),
      title: this.#file.titles[page] ?? "",
      url: this.#file.urls[page] ?? "",
      anchor: anchor === 0 ? slugify(text) : anchor,
    }));
  }

  /** @param {string[]} queryUnits */
  #rank(queryUnits) {
    const prefixes = queryUnits.map((unit) => ` ${unit}`);
    const rows = [];
    for (let row = 0; row < this.#names.length; row += 1) {
      const name = /** @type {Name} */ (this.#names[row]);
      const key = this.#keys[row] ?? "";
      const title = (prefixes.length > 1 && name.kind === "heading" && this.#keys[name.page]) || "";
      const rank = matchRank(key, title, prefixes);
      if (rank < 0) continue;
      const tiers = TIERS[name.kind];
      const pieces = `${key} ${title} `.replaceAll("\t", " ");
      const offset = rank && !prefixes.every((unit) => pieces.includes(`${unit} `)) ? tiers.length - 1 : 0;
      rows.push({ name, row, tier: (tiers[rank] ?? 0) + offset, length: [...name.text].length, page: this.#file.numbers?.[name.page] ?? name.page });
    }
    rows.sort((a, b) => a.tier - b.tier || a.length - b.length || a.page - b.page || a.row - b.row);
    return rows.map(({ name }) => name);
  }
}

/**
 * How a name matches: 0 equal to the query, 1 prefix, 2 all words, 3 all words together with its page's title, -1 no match.
 *
 * @param {string} key
 * @param {string} title
 * @param {string[]} prefixes
 */
function matchRank(key, title, prefixes) {
  let missing = 0;
  for (const unit of prefixes) {
    if (key.includes(unit)) continue;
    missing += 1;
    if (!title.includes(unit)) return -1;
  }
  if (missing) return missing < prefixes.length ? 3 : -1;
  const query = prefixes.join("");
  if (!key.startsWith(query)) return 2;
  return key.length === query.length || key[query.length] === "\t" ? 0 : 1;
}
