/**
 * The English strings of the search box that are used before there is an answer. A translation replaces this whole object, and
 * the one in `answer-strings.js`.
 */

export const strings = Object.freeze({
  search: "Search",
  placeholder: "Search this site",
  close: "Close search",
  listLabel: "Search results",
  /** Label of the suggestions, until there are results. */
  jump: "Jump to",
  announceJump: "Pages to jump to are listed. All results of the search will follow.",
  /** Label of pages with the words, until there are results. */
  first: "First results",
  announceFirst: "First results are listed. All results of the search will follow.",

  errorTitle: "The search failed.",
  unreached:
    "A part of the search could not be fetched. You may be offline, or the site was just updated: then reload the page.",
  /** Shown after an error, if rows that need no engine stay visible. */
  simpler: "The list above comes from a simpler search: it has words, but no phrases, filters or meaning.",
  retry: "Try again",
});

/** @typedef {typeof strings} Strings */
