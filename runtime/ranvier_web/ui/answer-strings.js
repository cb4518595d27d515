/** The words of the search box, in English: those that come with an answer. One object: a translation replaces it whole. */

/** @import { Progress } from "../protocol.js" */

const KILO = 1_000;
const MEGA = 1_000_000;

/**
 * How much has arrived: `(2100000, 4000000)` → `"2.1 of 4.0 MB"`; "" when nothing is known.
 *
 * @param {number} loaded
 * @param {number} total 0 where the server does not say
 * @returns {string}
 */
export function amount(loaded, total) {
  const isKnown = Number.isFinite(total) && total > 0;
  const most = isKnown ? total : loaded;
  if (!(most > 0)) return "";
  const show = most >= MEGA
    ? (/** @type {number} */ bytes) => (bytes / MEGA).toFixed(1)
    : (/** @type {number} */ bytes) => String(Math.ceil(bytes / KILO));
  const unit = most >= MEGA ? "MB" : "kB";
  // Compressed transfers can deliver more bytes than were announced: "4.2 of 4.0" would read as a mistake.
  return isKnown ? `${show(Math.min(loaded, total))} of ${show(total)} ${unit}` : `${show(loaded)} ${unit}`;
}

/**
 * @param {number} count
 * @param {string} single
 * @param {string} many
 * @returns {string}
 */
function counted(count, single, many) {
  return `${count.toLocaleString("en")} ${count === 1 ? single : many}`;
}

const LONGEST = 80; // characters of a query that are repeated: a pasted page would push everything else away

/**
 * The beginning of a long query, as it is repeated to the reader: "a…" for a thousand letters.
 *
 * @param {string} query
 * @returns {string}
 */
export function shortened(query) {
  const signs = [...query]; // whole characters: a pair of surrogates is not parted
  return signs.length > LONGEST ? `${signs.slice(0, LONGEST).join("").trimEnd()}…` : query;
}

export const answerStrings = Object.freeze({
  more: "Show more results",
  loadingMore: "Looking for more…",
  reload: "Reload the page",
  share: "Link to this search",

  download: "Download for offline use",
  /** @param {number} loaded @param {number} total */
  downloading: (loaded, total) => ["Downloading…", amount(loaded, total)].filter(Boolean).join(" "),
  downloaded: "Ready for offline use.",
  downloadFailed: "The download did not work.",

  /**
   * How much has come, in bytes as the host sends them. If it compresses while it sends, nobody knows how many are to come.
   *
   * @param {Progress} progress
   */
  progress({ loaded, total, received = loaded, expected = total }) {
    return [answerStrings.starting, received > 0 ? amount(received, expected) : ""].filter(Boolean).join(" ");
  },
  starting: "Getting search ready…",
  /** @param {string} query */
  waiting: (query) => `“${query}” will be looked up as soon as the search is ready.`,
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
  nothing: (query) => `Nothing here matches “${query}”.`,
  /** Only what was suggested is there. @param {string} query */
  nothingElse: (query) => `Nothing else here matches “${query}”.`,
  tipsTitle: "You could try",
  tips: Object.freeze(["fewer words, or more general ones", "another spelling", "the beginning of a word"]),

  /** What went wrong, by the error's code. */
  errors: Object.freeze(
    /** @type {Record<string, string>} */ ({
      fetch: "A part of the index could not be fetched. You may be offline, or the site has just been updated.",
      integrity: "A part of the index arrived damaged. Asking again fetches it anew.",
      format: "The site has just been updated. Reload the page to search it.",
      updated: "The site is being updated just now. Try again in a moment.",
      engine: "The search engine could not be started. If the site has just been updated, reload the page.",
      gone: "The browser has stopped the search engine. Trying again starts it anew.",
      offline: "This browser cannot keep the search of this site for offline use.",
      quota: "There is not enough room on this device to keep the search for offline use.",
      internal: "The search engine met an error of its own.",
    }),
  ),
  /** What the reader should know about an answer, by the notice's code; `said` is what it is about. */
  notices: Object.freeze(
    /** @type {Record<string, (said: string) => string>} */ ({
      corrected: (query) => `Showing results for “${query}”.`,
      excluded: () => "Pages with a word that has “-” before it are left out.",
      "some-words": () => "No page has all of these words. These have some of them.",
      little: () => "No page seems to be about this. These have some of the words.",
      near: () => "No page has all of these words. These are near in meaning.",
      "unknown-filter": (filter) => `Nothing here matches the filter ${filter}, so it was searched as words.`,
      "bad-time": () => "A time is FROM..TO, with days as YYYY-MM-DD.",
      literal: () => "Read as plain words: the query could not be understood as operators.",
      "only-not": () => "A search needs something to look for before NOT.",
      clamped: () => "The query was very long; only its beginning was used.",
      "no-vectors": () => "Only words were searched for, not their meaning.",
      scanned: () => "The index could not be used. The texts themselves were searched.",
    }),
  ),
  /** To readers who spare bytes: a search by meaning fetches more. */
  enterSettles: "Press Enter to search by meaning too.",
  /** Searches for another reading of the query. @param {string} query */
  instead: (query) => `Search instead for “${query}”`,
});

/** @typedef {typeof answerStrings} AnswerStrings */
