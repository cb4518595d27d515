/** The English strings of filters, preview and explanations. A translation replaces the whole object. */

export const extraStrings = Object.freeze({
  filters: "Filters",
  helpLabel: "Query syntax and keys",
  active: "Filters in use",
  /** @param {string} filter */
  remove: (filter) => `Remove the filter ${filter}`,
  /** Names of the facets. */
  facets: Object.freeze({ tags: "Tags", kind: "Kinds", folder: "Folders", lang: "Languages" }),
  counting: "Counting…",
  noFacets: "There is nothing to filter by.",
  noCounts: "The filters could not be counted.",
  sort: "Order",
  /** Orders by their names in the API. */
  sorts: Object.freeze({
    relevance: "best match first",
    title: "by title",
    path: "by place",
    created: "newest first",
    updated: "last changed first",
  }),

  beginnings: "Names that begin like this:",
  suggested: "The name of this row begins like the query. It needs no search.",
  preview: "Preview",
  why: "Why here?",
  closeDetails: "Close the details",
  loading: "Loading…",
  noPreview: "No text of this page matches.",
  failed: "This could not be loaded.",

  /** @param {number} rank */
  place: (rank) => `Result ${rank}`,
  /** @param {string} level */
  confidence: (level) => `confidence: ${level}`,
  levels: Object.freeze(/** @type {Record<string, string>} */ ({ high: "high", medium: "medium", low: "low", noise: "very low" })),
  covers: Object.freeze(
    /** @type {Record<string, string>} */ ({
      all: "The page has every word of the query.",
      some: "The page has some of the words.",
      none: "The page has none of the words; its meaning is near.",
    }),
  ),
  legsTitle: "What matched",
  /** Parts of the search. */
  legs: Object.freeze(
    /** @type {Record<string, string>} */ ({
      page: "words of the page",
      section: "words of a section",
      pairs: "neighbouring words",
      note: "notes",
      substring: "parts of words",
      vector: "meaning",
    }),
  ),
  /** @param {number} rank */
  legRank: (rank) => `place ${rank}`,
  stepsTitle: "What changed the score",
  base: "start",
  final: "score",
});

/** @typedef {typeof extraStrings} ExtraStrings */
