/** The recent and the pinned searches of this reader, kept in this browser only. */

const MAX_SEARCHES = 6; // of each
const MAX_QUERY_LENGTH = 200; // characters

/** @typedef {{recent: string[], pinned: string[]}} SavedSearches  newest first */

export class RecentSearches {
  #key;

  /** @param {string} base  address of the `_ranvier/` folder: each site has its own searches */
  constructor(base) {
    this.#key = `ranvier-recent ${new URL(base).pathname}`;
  }

  /** @returns {SavedSearches} */
  get saved() {
    try {
      const { recent, pinned } = JSON.parse(localStorage.getItem(this.#key) ?? "{}");
      return { recent: toTexts(recent), pinned: toTexts(pinned) };
    } catch {
      return { recent: [], pinned: [] }; // no storage, or the text of another program
    }
  }

  /** @param {string} query */
  add(query) {
    const text = query.trim();
    if (!text || text.length > MAX_QUERY_LENGTH) return;
    const { recent, pinned } = this.saved;
    if (!pinned.includes(text)) this.#store({ pinned, recent: [text, ...recent.filter((other) => other !== text)] });
  }

  /** Pin a search, or make a pinned one a recent one again. @param {string} query */
  toggle(query) {
    const { recent, pinned } = this.saved;
    const without = (/** @type {string[]} */ queries) => queries.filter((other) => other !== query);
    if (pinned.includes(query)) this.#store({ pinned: without(pinned), recent: [query, ...without(recent)] });
    else this.#store({ pinned: [query, ...pinned], recent: without(recent) });
  }

  /** Remove all of them from the browser. */
  forget() {
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // nothing is kept without storage
    }
  }

  /** @param {SavedSearches} stored */
  #store({ recent, pinned }) {
    try {
      localStorage.setItem(this.#key, JSON.stringify({ recent: recent.slice(0, MAX_SEARCHES), pinned: pinned.slice(0, MAX_SEARCHES) }));
    } catch {
      // The storage is full, or the browser refuses it.
    }
  }
}

/** @param {unknown} value */
function toTexts(value) {
  return Array.isArray(value) ? value.filter((text) => typeof text === "string").slice(0, MAX_SEARCHES) : [];
}
