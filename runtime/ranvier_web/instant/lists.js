/**
 * Full-text hits without the engine: a ranked list of pages for each word of the site, in small files.
 *
 * The root contains the names of the files and the first word of each. For a small site, it contains the single file itself; for a
 * large site, its files may be roots again. A test compares this with the same algorithm in Python.
 */

import { DigestFiles } from "./files.js";
import { keys, listWords, splitMatches, units } from "./keys.js";
import { slugify } from "./names.js";

/** @import { SuggestOptions } from "../options.js" */
/** @import { InstantHit } from "../protocol.js" */

/**
 * @typedef {object} ShardFile
 * @property {[title: string, url: string][]} [pages]  missing if the root has the table of all pages
 * @property {[page: number, heading: string, anchor: string | 0][]} places  0: the anchor is the heading's slug
 * @property {string} words      sorted by UTF-16, one per line
 * @property {number[]} lists    list number of each word
 * @property {number[][]} ranked  place, impact, place, impact, ...; best first. A place is a row of `places`, or, if
 *   negative, -1 - page: the page as a whole. An impact is a score in hundredths, plus 10,000
 *   times the page's bonus if this word is the whole query: for a title or a heading equal to the word
 * @property {number[]} rarity   of each list, in hundredths
 *
 * @typedef {{starts: string[], files: string[], stop?: string[], all?: ShardFile, table?: [title: string, url: string][]}} RootFile
 *
 * @typedef {{title: string, heading: string, url: string, anchor: string}} Place
 * @typedef {Place & {impact: number}} Match
 * @typedef {object} WordMatches
 * @property {Map<string, Match>} matches  by page address
 * @property {number | undefined} exact  rarity of the exact word
 * @property {number} prefix  the lowest rarity of the words with this prefix
 *
 * @typedef {{match: Match, rarity: number}} WordMatch  a page and one of its words
 *
 * @typedef {object} MatchOptions
 * @property {boolean} isSingle  the word is the whole query
 * @property {boolean} isPrefix  if the site does not have the word, use the words with this prefix
 * @property {[title: string, url: string][]} [table]  of all pages
 */

const COMPLETION_WEIGHT = 0.6; // weight of a prefix match
const BONUS_FACTOR = 10_000; // of the bonus in an impact
// Bonus of a page whose title or heading equals a query of several words, or has it as a prefix.
const [TITLE_BONUS, TITLE_PREFIX_BONUS, HEADING_BONUS, HEADING_PREFIX_BONUS] = [100_000, 60_000, 50_000, 30_000];
const MAX_WORDS = 8; // each may cost a request
const LETTER = /^[a-z]$/;

class Shard {
  #words;
  #file;

  /** @param {ShardFile} file */
  constructor(file) {
    this.#file = file;
    this.#words = file.words.split("\n");
  }

  /**
   * Add the pages with a word to its matches, each with its best impact.
   *
   * @param {string} word
   * @param {MatchOptions} options
   * @param {WordMatches} result
   */
  match(word, { isSingle, isPrefix, table }, result) {
    const { lists, rarity } = this.#file;
    const first = this.#findRow(word);
    const exact = this.#words[first] === word ? lists[first] : undefined;
    if (exact !== undefined) {
      this.#addList(exact, (impact) => (isSingle ? impact : impact % BONUS_FACTOR), result.matches, table);
      result.exact = rarity[exact];
    }
    if (!isPrefix || result.exact !== undefined) return;
    const completions = new Set(); // forms of one stem share a list
    for (let row = first; this.#words[row]?.startsWith(word); row += 1) completions.add(lists[row]);
    for (const list of [...completions].sort((a, b) => a - b)) {
      this.#addList(list, (impact) => (impact % BONUS_FACTOR) * COMPLETION_WEIGHT, result.matches, table);
      result.prefix = Math.min(result.prefix, rarity[list] ?? 0);
    }
  }

  /**
   * @param {number} list
   * @param {(impact: number) => number} weigh
   * @param {Map<string, Match>} matches
   * @param {[title: string, url: string][]} [table]
   */
  #addList(list, weigh, matches, table = []) {
    const { pages = table, places, ranked } = this.#file;
    const row = ranked[list] ?? [];
    for (let at = 0; at < row.length; at += 2) {
      const place = row[at] ?? 0;
      const [page, heading, anchor] = (place < 0 ? null : places[place]) ?? [~place, "", ""];
      const [title, url] = pages[page] ?? ["", ""];
      const impact = weigh(row[at + 1] ?? 0);
      if (impact <= (matches.get(url)?.impact ?? -Infinity)) continue;
      matches.set(url, { title, heading, url, anchor: anchor === 0 ? slugify(heading) : anchor, impact });
    }
  }

  /** Return the row of the first word that is not less than this one. @param {string} word */
  #findRow(word) {
    let [low, high] = [0, this.#words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#words[middle] ?? "") < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** @extends {DigestFiles<Shard | Root>} */
export class Lists extends DigestFiles {
  defaultLimit = 10;

  /**
   * @param {string} base  absolute, with its slash at the end
   * @param {string | null | undefined} root
   * @param {typeof fetch} fetcher
   */
  constructor(base, root, fetcher) {
    super(base, root, fetcher, (file) => ("words" in file ? new Shard(file) : new Root(file)));
  }

  /**
   * Return the pages whose texts contain words of the query, best first. Words whose file is unavailable count as unknown words.
   *
   * @param {string} query
   * @param {SuggestOptions} [options]
   * @returns {Promise<InstantHit[]>}
   * @throws {RanvierError} "integrity": no file is available
   */
  async search(query, { limit = this.defaultLimit, signal } = {}) {
    const queryWords = listWords(query);
    if (!queryWords.length) return [];
    const root = await this.root();
    signal?.throwIfAborted();
    if (!(root instanceof Root)) return [];
    const last = /\s$/.test(query) ? "" : queryWords.at(-1);
    // A single letter of an incomplete word is too short for a request.
    const words = root.terms(queryWords).filter((word) => word !== last || !LETTER.test(word));
    if (!words.length) return [];
    const isSingle = new Set(queryWords).size === 1;
    const { table } = root;
    const optionsOf = (/** @type {string} */ word) => ({ isSingle, isPrefix: word === last && [...word].length > 1, table });
    const results = await Promise.all(words.map((word) => this.#matchWord(root, word, optionsOf(word))));
    signal?.throwIfAborted();
    const lists = results.flatMap((result) => (result instanceof Error ? [] : result));
    if (!lists.length) throw results[0];
    const markedUnits = units(query).filter((unit) => !root.stop.has(unit));
    return rankPages(isSingle && lists[0]?.exact !== undefined ? "" : query, lists).slice(0, limit).map(({ title, heading, url, anchor, score }) => {
      return { kind: "text", text: splitMatches(title, markedUnits), title, heading, url, anchor, score };
    });
  }

  /**
   * @param {Root} root
   * @param {string} word
   * @param {MatchOptions} options
   */
  async #matchWord(root, word, options) {
    /** @type {WordMatches} */
    const result = { matches: new Map(), exact: undefined, prefix: Infinity };
    try {
      for (const shard of await this.#loadShards(root, word, options.isPrefix)) shard.match(word, options, result);
    } catch (error) {
      return /** @type {Error} */ (error);
    }
    return result;
  }

  /**
   * @param {Root} root
   * @param {string} word
   * @param {boolean} isPrefix
   * @returns {Promise<Shard[]>}
   */
  async #loadShards(root, word, isPrefix) {
    if (root.shard) return [root.shard];
    const files = await Promise.all(root.names(word, isPrefix).map((name) => this.get(name)));
    const shards = files.map((file) => (file instanceof Shard ? file : this.#loadShards(file, word, isPrefix)));
    return (await Promise.all(shards)).flat();
  }
}

class Root {
  #file;
  /** The single file of a small site. */
  shard;
  /** Function words. */
  stop;

  /** @param {RootFile} file */
  constructor(file) {
    this.#file = file;
    this.shard = file.all ? new Shard(file.all) : null;
    this.table = file.table;
    this.stop = new Set(file.stop);
  }

  /**
   * Return the words to search for: without function words, unless there are no others. If there are many, the longest are used,
   * because long words are rare.
   *
   * @param {string[]} queryWords
   */
  terms(queryWords) {
    const words = queryWords.filter((word) => !this.stop.has(word));
    const all = [...new Set(words.length ? words : queryWords)];
    const longest = new Set([...all].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS));
    return all.filter((word) => longest.has(word));
  }

  /**
   * Return the names of the files with a word, and with its completions if `isPrefix` is set: at most two.
   *
   * @param {string} word
   * @param {boolean} isPrefix
   */
  names(word, isPrefix) {
    const { starts, files } = this.#file;
    const next = starts.filter((start) => start <= word).length;
    const names = files.slice(Math.max(next - 1, 0), isPrefix && starts[next]?.startsWith(word) ? next + 1 : next);
    return names.map((name) => `lists/${name}.bin`);
  }
}

/**
 * Return the place of each page, best page first. The place is that of the page's rarest matched word.
 *
 * @param {string} query          empty if the impacts already contain the bonus
 * @param {WordMatches[]} words  in the order of the query
 */
function rankPages(query, words) {
  /** @type {Map<string, WordMatch[]>} */
  const pages = new Map();
  for (const { matches, exact, prefix } of words) {
    const rarity = exact ?? prefix;
    for (const [url, match] of matches) pages.set(url, [...(pages.get(url) ?? []), { match, rarity }]);
  }
  const scored = [...pages].map(([url, row]) => {
    const impact = row.reduce((sum, { match }) => sum + match.impact, 0);
    const rarest = row.reduce((best, item) => (item.rarity > best.rarity ? item : best));
    return { url, score: impact + titleBonus(query, row), place: rarest.match };
  });
  scored.sort((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1));
  return scored.map(({ place, score }) => ({ ...place, score }));
}

/**
 * Return the bonus of a page for its title and headings.
 *
 * @param {string} query
 * @param {WordMatch[]} row
 */
function titleBonus(query, row) {
  const names = [query.replaceAll("\n", " "), row[0]?.match.title ?? "", ...row.map(({ match }) => match.heading)];
  const [queryKey, title = "", ...headings] = keys(names).map((key) => key.split("\t")[0] ?? "");
  if (!queryKey) return 0;
  const hasPrefix = (/** @type {string} */ key) => `${key} `.startsWith(`${queryKey} `);
  if (queryKey === title) return TITLE_BONUS;
  if (headings.includes(queryKey)) return HEADING_BONUS;
  return hasPrefix(title) ? TITLE_PREFIX_BONUS : headings.some(hasPrefix) ? HEADING_PREFIX_BONUS : 0;
}
