/** The English strings of the search box that are used with an answer. A translation replaces the whole object. */

const KILO = 1_000;
const MEGA = 1_000_000;

/**
 * Format the received bytes: `(2100000, 4000000)` → `"2.1 of 4.0 MB"`; "" if nothing is known.
 *
 * @param {number} loaded
 * @param {number} total 0 if unknown
 * @param {(value: number, decimals: number) => string} [write]  writes a number
 * @param {(part: string, whole: string, unit: string) => string} [join]
 */
function amount(loaded, total, write = (value, decimals) => value.toFixed(decimals), join = (part, whole, unit) => `${part} of ${whole} ${unit}`) {
  const isKnown = Number.isFinite(total) && total > 0;
  const max = isKnown ? total : loaded;
  if (!(max > 0)) return "";
  const isLarge = max >= MEGA;
  const unit = isLarge ? "MB" : "kB";
  const format = (/** @type {number} */ bytes) => (isLarge ? write(bytes / MEGA, 1) : write(Math.ceil(bytes / KILO), 0));
  // Compressed transfers can deliver more bytes than announced: "4.2 of 4.0" would look wrong.
  return isKnown ? join(format(Math.min(loaded, total)), format(total), unit) : `${format(loaded)} ${unit}`;
}

/**
 * @param {number} count
 * @param {string} singular
 * @param {string} plural
 */
function counted(count, singular, plural) {
  return `${count.toLocaleString("en")} ${count === 1 ? singular : plural}`;
}

const MAX_QUERY_LENGTH = 80; // characters of a query in a message: a pasted page would fill the panel

/**
 * Shorten a long query for messages: its first characters and "…".
 *
 * @param {string} query
 */
export function shortened(query) {
  const characters = [...query]; // code points: surrogate pairs stay together
  return characters.length > MAX_QUERY_LENGTH ? `${characters.slice(0, MAX_QUERY_LENGTH).join("").trimEnd()}…` : query;
}

export const answerStrings = Object.freeze({
  more: "Show more results",
  loadingMore: "Loading more…",
  reload: "Reload the page",
  share: "Link to this search",

  download: "Download for offline use",
  /** @param {string} received  as `amount` writes it */
  downloading: (received) => `Downloading… ${received}`.trim(),
  downloaded: "Ready for offline use.",
  downloadFailed: "The download failed.",

  amount,
  starting: "Getting search ready…",
  /** @param {string} query */
  waiting: (query) => `“${query}” will be searched as soon as the search is ready.`,
  searching: "Searching…",

  /**
   * @param {number} count
   * @param {boolean} [truncated]
   */
  results: (count, truncated = false) =>
    truncated ? `More than ${counted(count, "result", "results")}` : counted(count, "result", "results"),
  /**
   * @param {number} count
   * @param {string} query
   * @param {boolean} [truncated]
   */
  announce: (count, query, truncated = false) => `${answerStrings.results(count, truncated)} for “${query}”.`,
  /** @param {number} count */
  announceMore: (count) => `${counted(count, "more result", "more results")} below.`,

  /** @param {string} query */
  nothing: (query) => `No results for “${query}”.`,
  /** Above pages that have no word of the query, and in each of their rows. */
  nearOnly: "Near in meaning, without the words",
  near: "near in meaning",
  /** There are only suggestions. @param {string} query */
  nothingElse: (query) => `No other results for “${query}”.`,
  tipsTitle: "You could try",
  tips: Object.freeze(["fewer words, or more general ones", "another spelling", "the beginning of a word"]),

  /** Error messages by error code. */
  errors: Object.freeze(
    /** @type {Record<string, string>} */ ({
      fetch: "A part of the index could not be fetched. You may be offline, or the site has just been updated.",
      integrity: "A part of the index is damaged. Try again to fetch it once more.",
      format: "The site has just been updated. Reload the page to search it.",
      updated: "The site is being updated just now. Try again in a moment.",
      engine: "The search engine could not be started. If the site has just been updated, reload the page.",
      worker: "The browser has stopped the search engine. Try again to restart it.",
      offline: "This browser cannot keep the search of this site for offline use.",
      quota: "This device has too little storage space to keep the search for offline use.",
      internal: "The search engine failed with an internal error.",
    }),
  ),
  /** Messages about an answer by notice code; `subject` is the subject of the notice. */
  notices: Object.freeze(
    /** @type {Record<string, (subject: string) => string>} */ ({
      corrected: (query) => `Showing results for “${query}”.`,
      excluded: () => "Pages with a word that has “-” before it are left out.",
      "some-words": () => "No page has all of these words. These pages have some of them.",
      little: () => "No page seems to be about this. These pages have some of the words.",
      "no-phrase": () => "No page has this phrase. These pages have words from it.",
      near: () => "No page has all of these words. These pages are near in meaning.",
      "unknown-filter": (filter) => `No page matches the filter ${filter}, so it was searched as words.`,
      literal: () => "The operators do not fit together, so all of them were searched as words.",
      "only-not": () => "A query needs a word to search for before NOT.",
      clamped: () => "The query is too long; only its beginning was used.",
      "no-vectors": () => "Only words were searched, not their meaning.",
      "no-site": (title) => `${title} could not be searched.`,
      scanned: () => "The index could not be used. The texts themselves were searched.",
    }),
  ),
  /** For readers who save data: a semantic search fetches more files. */
  enterSettles: "Press Enter to search by meaning too.",
  /** The button that searches for the alternative query. @param {string} query */
  instead: (query) => `Search instead for “${query}”`,
});

/** @typedef {typeof answerStrings} AnswerStrings */
