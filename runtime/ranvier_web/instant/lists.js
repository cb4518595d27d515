/**
 * Full-text hits before the engine is there: for each word of the site a ranked list of pages, in small files.
 *
 * The root names the files and where each begins; of a small site it has the one file in it, and of a large one the files that it
 * names do as it does. A test compares this with the same algorithm in Python.
 */

import { DigestFiles } from "./files.js";
import { keys, listWords, marked, units } from "./keys.js";
import { slug } from "./names.js";

/** @import { InstantHit } from "../protocol.js" */

/**
 * @typedef {object} ShardFile
 * @property {[title: string, url: string][]} [pages]  left out where the root has the table of all pages
 * @property {[page: number, heading: string, anchor: string | 0][]} places  0: the anchor is the heading's slug
 * @property {string} words      sorted by UTF-16, one in each line
 * @property {number[]} lists    of each word
 * @property {number[][]} ranked  place, impact, place, impact, ...; the best first. A place is a row of `places`, or where it is
 *   negative -1 - page: the page as a whole. An impact is a score in hundredths, and 10,000
 *   times what the page gains if this one word is the query: for a title or a heading that is the word
 * @property {number[]} rarity   of each list, in hundredths
 *
 * @typedef {{starts: string[], files: string[], stop?: string[], all?: ShardFile, table?: [title: string, url: string][]}} RootFile
 *
 * @typedef {{title: string, heading: string, url: string, anchor: string}} Place
 * @typedef {Place & {impact: number}} Match
 * @typedef {object} WordMatches
 * @property {Map<string, Match>} matches  by the pages' addresses
 * @property {number | undefined} exact    rarity of the word itself
 * @property {number} completed            the least rarity of the words that begin so
 *
 * @typedef {{match: Match, rarity: number}} Found  a page and a word that it has
 *
 * @typedef {object} How
 * @property {boolean} alone      the word is the whole query
 * @property {boolean} completes  where the site does not have the word, words that begin with it are meant
 * @property {[title: string, url: string][]} [table]  of all pages
 */

const COMPLETED = 0.6; // what a word that only begins so is worth
const GAIN = 10_000; // of an impact: what is above counts for this word alone
// What a page gains whose title or heading is a query of several words, or begins with it.
const [TITLE, TITLE_BEGUN, HEADING, HEADING_BEGUN] = [100_000, 60_000, 50_000, 30_000];
const MOST_WORDS = 8; // each may cost a request
const LETTER = /^[a-z]$/;
const MOST_HITS = 10;

class Shard {
  /** @type {string[]} */
  #words;
  /** @type {ShardFile} */
  #file;

  /** @param {ShardFile} file */
  constructor(file) {
    this.#file = file;
    this.#words = file.words.split("\n");
  }

  /**
   * Add the pages that have a word to its matches, each with its best impact.
   *
   * @param {string} word
   * @param {How} how
   * @param {WordMatches} to
   */
  match(word, { alone, completes, table }, to) {
    const { lists, rarity } = this.#file;
    const first = this.#first(word);
    const exact = this.#words[first] === word ? lists[first] : undefined;
    if (exact !== undefined) {
      this.#add(exact, (impact) => (alone ? impact : impact % GAIN), to.matches, table);
      to.exact = rarity[exact];
    }
    if (!completes || to.exact !== undefined) return;
    const begun = new Set(); // forms of one stem share a list
    for (let row = first; this.#words[row]?.startsWith(word); row += 1) begun.add(lists[row]);
    for (const list of [...begun].sort((a, b) => a - b)) {
      this.#add(list, (impact) => (impact % GAIN) * COMPLETED, to.matches, table);
      to.completed = Math.min(to.completed, rarity[list] ?? 0);
    }
  }

  /**
   * @param {number} list
   * @param {(impact: number) => number} weighed
   * @param {Map<string, Match>} matches
   * @param {[title: string, url: string][]} [table]
   */
  #add(list, weighed, matches, table = []) {
    const { pages = table, places, ranked } = this.#file;
    const row = ranked[list] ?? [];
    for (let at = 0; at < row.length; at += 2) {
      const place = row[at] ?? 0;
      const [page, heading, anchor] = (place < 0 ? null : places[place]) ?? [~place, "", ""];
      const [title, url] = pages[page] ?? ["", ""];
      const impact = weighed(row[at + 1] ?? 0);
      if (impact <= (matches.get(url)?.impact ?? -Infinity)) continue;
      matches.set(url, { title, heading, url, anchor: anchor === 0 ? slug(heading) : anchor, impact });
    }
  }

  /** The row of the first word that is not before this one. @param {string} word */
  #first(word) {
    let [low, high] = [0, this.#words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#words[middle] ?? "") < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class Lists {
  /** @type {string} */
  #root;
  /** @type {DigestFiles<Shard | Root>} */
  #files;

  /**
   * @param {string} base  absolute, with its slash at the end
   * @param {string | null | undefined} root  the root's name, as the entry file gives it; nothing where the site has no lists
   * @param {typeof fetch} [fetcher]
   */
  constructor(base, root, fetcher = (...request) => fetch(...request)) {
    this.#root = root ?? "";
    this.#files = new DigestFiles(base, fetcher, (file) => ("words" in file ? new Shard(file) : new Root(file)));
  }

  /** Fetch the root, so that the first query does not wait for it. @returns {Promise<void>} */
  async prepare() {
    if (this.#root) await this.#files.get(this.#root);
  }

  /**
   * The pages whose texts have words of the query, the best first. Words whose file is not to be had count as words that the site
   * does not have.
   *
   * @param {string} query
   * @param {{signal?: AbortSignal, limit?: number}} [options]
   * @returns {Promise<InstantHit[]>}
   * @throws {import("./files.js").DamagedFile}  no file is to be had
   */
  async hits(query, { limit = MOST_HITS, signal } = {}) {
    const typed = listWords(query);
    if (!typed.length || !this.#root) return [];
    const root = await this.#files.get(this.#root);
    signal?.throwIfAborted();
    if (!(root instanceof Root)) return [];
    const last = /\s$/.test(query) ? "" : typed.at(-1);
    // One letter of a word that is being typed tells too little for a file of its own.
    const words = root.terms(typed).filter((word) => word !== last || !LETTER.test(word));
    if (!words.length) return [];
    const alone = new Set(typed).size === 1;
    const { table } = root;
    const how = (/** @type {string} */ word) => ({ alone, completes: word === last && [...word].length > 1, table });
    const results = await Promise.all(words.map((word) => this.#matches(root, word, how(word))));
    signal?.throwIfAborted();
    const lists = results.flatMap((result) => (result instanceof Error ? [] : result));
    if (!lists.length) throw results[0];
    const marks = units(query).filter((unit) => !root.stop.has(unit));
    return ranked(alone && lists[0]?.exact !== undefined ? "" : query, lists).slice(0, limit).map(({ title, heading, url, anchor }) => {
      return { kind: "text", text: marked(title, marks), title, heading, url, anchor };
    });
  }

  /**
   * @param {Root} root
   * @param {string} word
   * @param {How} how
   * @returns {Promise<WordMatches | Error>}
   */
  async #matches(root, word, how) {
    /** @type {WordMatches} */
    const result = { matches: new Map(), exact: undefined, completed: Infinity };
    try {
      for (const shard of await this.#shards(root, word, how.completes)) shard.match(word, how, result);
    } catch (error) {
      return /** @type {Error} */ (error);
    }
    return result;
  }

  /**
   * @param {Root} root
   * @param {string} word
   * @param {boolean} completes
   * @returns {Promise<Shard[]>}
   */
  async #shards(root, word, completes) {
    if (root.all) return [root.all];
    const files = await Promise.all(root.files(word, completes).map((name) => this.#files.get(name)));
    const shards = files.map((file) => (file instanceof Shard ? file : this.#shards(file, word, completes)));
    return (await Promise.all(shards)).flat();
  }
}

class Root {
  /** @type {RootFile} */
  #file;
  /** The one file of a small site. @type {Shard | null} */
  all;
  /** Function words. @type {Set<string>} */
  stop;

  /** @param {RootFile} file */
  constructor(file) {
    this.#file = file;
    this.all = file.all ? new Shard(file.all) : null;
    this.table = file.table;
    this.stop = new Set(file.stop);
  }

  /**
   * The words that are searched for: without function words, unless there are no others. Of many the longest are: rare words are long.
   *
   * @param {string[]} typed
   */
  terms(typed) {
    const words = typed.filter((word) => !this.stop.has(word));
    const all = [...new Set(words.length ? words : typed)];
    const longest = new Set([...all].sort((a, b) => b.length - a.length).slice(0, MOST_WORDS));
    return all.filter((word) => longest.has(word));
  }

  /**
   * The names of the files that have a word, and where it is completed, words that begin with it: two at the most.
   *
   * @param {string} word
   * @param {boolean} completes
   */
  files(word, completes) {
    const { starts, files } = this.#file;
    const next = starts.filter((start) => start <= word).length;
    const names = files.slice(Math.max(next - 1, 0), completes && starts[next]?.startsWith(word) ? next + 1 : next);
    return names.map((name) => `lists/${name}.json`);
  }
}

/**
 * The places of the pages, the best page first: each that of its rarest word.
 *
 * @param {string} query          empty where impacts have in them what a name gains
 * @param {WordMatches[]} words  in the order of the query
 */
function ranked(query, words) {
  /** @type {Map<string, Found[]>} */
  const pages = new Map();
  for (const { matches, exact, completed } of words) {
    const rarity = exact ?? completed;
    for (const [url, match] of matches) pages.set(url, [...(pages.get(url) ?? []), { match, rarity }]);
  }
  const scored = [...pages].map(([url, row]) => {
    const impact = row.reduce((sum, { match }) => sum + match.impact, 0);
    const rarest = row.reduce((best, item) => (item.rarity > best.rarity ? item : best));
    return { url, score: impact + gain(query, row), place: rarest.match };
  });
  scored.sort((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1));
  return scored.map(({ place }) => place);
}

/**
 * What a page gains by its names.
 *
 * @param {string} query
 * @param {Found[]} row
 */
function gain(query, row) {
  const names = [query.replaceAll("\n", " "), row[0]?.match.title ?? "", ...row.map(({ match }) => match.heading)];
  const [wanted, title = "", ...headings] = keys(names).map((key) => key.split("\t")[0] ?? "");
  if (!wanted) return 0;
  const begins = (/** @type {string} */ key) => `${key} `.startsWith(`${wanted} `);
  if (wanted === title) return TITLE;
  if (headings.includes(wanted)) return HEADING;
  return begins(title) ? TITLE_BEGUN : headings.some(begins) ? HEADING_BEGUN : 0;
}
