/**
 * The state of a search box as a pure function of events: what its rows are, which search runs, what failed, and whether Enter waits.
 * The field, the rows and the selection are in the DOM; the state contains their meaning.
 */

/** @import { SearchResult } from "../protocol.js" */

/**
 * @typedef {object} BoxState
 * @property {"none" | "suggestions" | "fallback" | "answer"} rows  fallback: the suggestions of a search without results
 * @property {string | null} query      of the rows; null if there are none
 * @property {boolean} isExact          the first suggestion is a page with the query as its title
 * @property {string | null} searching  the query of the running search
 * @property {{query: string, result: SearchResult} | null} answer  the last one that was listed, with all its pages
 * @property {string} failure           the code of the last search's error, or ""
 * @property {Enter | null} enter       the reader has pressed Enter, and results are not there yet
 *
 * @typedef {object} Enter
 * @property {string} query
 * @property {boolean} newTab
 * @property {"rows" | "failure" | "never"} opens  the selected row: as soon as the rows are complete; or if the search fails again,
 *   because suggestions are then the result
 *
 * @typedef {{type: "typed" | "moved" | "opened" | "closed" | "cleared" | "emptied"}
 *   | {type: "entered", query: string, newTab: boolean}
 *   | {type: "searching", query: string}
 *   | {type: "suggested", query: string, isExact: boolean}
 *   | {type: "answered", query: string, result: SearchResult}
 *   | {type: "failed", query: string, code: string}} BoxEvent
 *   opened: the row of a waiting Enter; closed: the dialog; cleared: the field is empty; emptied: there are no keyword results, and
 *   the refresh follows
 *
 * @typedef {{query: string, newTab: boolean, isTyping: boolean, isChosen: boolean, willRefresh: boolean}} EnterPress
 *   of Enter. isTyping: the search waits for a pause; isChosen: the reader has made the selection; willRefresh: the first row may change
 */

const NO_ROWS = /** @type {const} */ ({ rows: "none", query: null });

/** @type {BoxState} */
export const EMPTY = { ...NO_ROWS, isExact: false, searching: null, answer: null, failure: "", enter: null };

/**
 * Whether the rows are suggestions, of this query if there is one.
 *
 * @param {BoxState} state
 * @param {string | null} [query]
 */
export const isSuggested = (state, query = state.query) => state.rows === "suggestions" && state.query === query;

/**
 * Whether the rows are those of a finished search.
 *
 * @param {BoxState} state
 * @param {string} query
 */
export const isAnswered = (state, query) => state.rows !== "suggestions" && state.query === query;

/** Whether an error is visible: no other attempt is running. @param {BoxState} state */
export const isFailing = ({ failure, searching }) => failure !== "" && searching === null;

/**
 * Whether Enter opens the selected row. Otherwise it starts the search, including its semantic refresh.
 *
 * @param {BoxState} state
 * @param {EnterPress} press
 */
export function opensRow(state, { query, newTab, isTyping, isChosen, willRefresh }) {
  // If the engine has failed, the suggestions are the result.
  if (isSuggested(state, query)) return isChosen || state.isExact || (isFailing(state) && !isTyping);
  // During a pause, the rows belong to an older query.
  return !isTyping && isAnswered(state, query) && (newTab || !willRefresh);
}

/** @param {BoxState} state @param {BoxEvent} event @returns {BoxState} */
export function reduce(state, event) {
  switch (event.type) {
    case "cleared":
      return { ...EMPTY, answer: state.answer };
    case "emptied":
      return isSuggested(state) ? state : { ...state, ...NO_ROWS };
    case "entered":
      return { ...state, enter: { query: event.query, newTab: event.newTab, opens: enterCondition(state, event.query) } };
    case "searching":
      return { ...state, searching: event.query };
    case "suggested":
      if (isAnswered(state, event.query)) return { ...state, rows: "fallback" };
      return { ...state, rows: "suggestions", query: event.query, isExact: event.isExact };
    case "answered":
      return withAnswer(state, event.query, event.result);
    case "failed":
      return { ...state, ...(isSuggested(state, event.query) ? {} : NO_ROWS), searching: null, failure: event.code };
    default:
      return { ...state, enter: null };
  }
}

/** @param {BoxState} state @param {string} query @returns {Enter["opens"]} */
function enterCondition(state, query) {
  if (state.query !== query) return "rows";
  return isSuggested(state) && state.failure ? "failure" : "never";
}

/**
 * A search without results leaves the suggestions of its query, which may match an incomplete word.
 *
 * @param {BoxState} state
 * @param {string} query
 * @param {SearchResult} result
 * @returns {BoxState}
 */
function withAnswer(state, query, result) {
  const next = { ...state, query, isExact: false, searching: null, failure: "" };
  const isFallback = isSuggested(state, query) && result.hits.length === 0;
  return isFallback ? { ...next, rows: "fallback" } : { ...next, rows: "answer", answer: { query, result } };
}
