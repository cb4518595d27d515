/** The English strings of a box in use: keys, recent searches, copying, marks on a page. */

export const featureStrings = Object.freeze({
  keyMove: "move",
  keyGo: "open",
  keyClose: "close",

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
