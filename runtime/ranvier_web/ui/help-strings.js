/** The English strings about the query syntax. A translation replaces the whole object. */

export const helpStrings = Object.freeze({
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
  sections: "Sections of this site",

  help: "Query syntax",
  /** More examples, behind the button. */
  moreHints: Object.freeze(
    /** @type {const} */ ([
      ["-word", "pages without this word"],
      ["NEAR(two words)", "close to each other"],
      ["title:word", "this word in the title"],
      ["#tag", "pages with this tag"],
      ["path:folder", "pages in this folder"],
      ["kind:note", "pages of this kind"],
      ["lang:de", "pages in this language"],
      ["time:2026-01-01..", "pages from this day on"],
      ["[[Title]]", "the page with this title"],
    ]),
  ),
  keysTitle: "Keys",
  keys: Object.freeze(
    /** @type {const} */ ([
      ["↑ ↓", "from row to row"],
      ["Alt + ↑ ↓", "from page to page"],
      ["Enter", "open the selected row"],
      ["Ctrl + Enter, ⌘ + Enter", "open it in a new tab"],
      ["→", "at the end of the query: preview the selected row"],
      ["Alt + Enter", "why the selected row is here"],
      ["Esc", "close the preview, then the search"],
    ]),
  ),
});
