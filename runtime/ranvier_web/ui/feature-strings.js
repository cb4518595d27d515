/** The English strings of a box in use: keys, query syntax, recent searches, copying, marks on a page. */

export const featureStrings = Object.freeze({
  keyMove: "move",
  keyGo: "open",
  keyClose: "close",

  hintTitle: "Type a few words, or be more exact:",
  /** Examples of the query syntax with their meaning. */
  hints: Object.freeze(
    /** @type {const} */ ([
      ['"two words"', "side by side, in this order"],
      ["this OR that", "either of them"],
      ["this NOT that", "the first without the second"],
      ["begin*", "words that begin with this"],
    ]),
  ),

  recent: "Recent searches",
  pinned: "Pinned searches",
  forget: "Forget all searches",
  forgotten: "All searches are forgotten.",
  /** @param {string} query */
  pin: (query) => `Pin “${query}”`,

  copyLink: "Copy link",
  copyContext: "Copy as context for an LLM",
  copied: "Copied.",
  copyFailed: "The browser did not copy it.",

  /** @param {number} count */
  unmark: (count) => `Remove ${count.toLocaleString("en")} ${count === 1 ? "mark" : "marks"}`,
});

/** @typedef {typeof featureStrings} FeatureStrings */
