/** Stores the words of a search for the page of the opened result, which marks them. */

import { MARKS_KEY } from "./urls.js";

/** @typedef {{url: string, exact: string[], words: string[]}} StoredMarks  words in the form of the result, and those of the query */

const SHORT_WORD = 2; // letters of a word without an exact form; in other scripts one character is a word
const OPERATOR = /^(and|or|not|near)$/i;

/**
 * Return the words of a query, without operators, filters and exclusions.
 *
 * @param {string} query
 */
function searchWords(query) {
  const pieces = query.replace(/\[\[.*?\]\]|[\p{L}-]+:("[^"]*"|\S*)|(^|\s)-\S+/gu, " ").match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const words = pieces.filter((word) => !OPERATOR.test(word) && (word.length > SHORT_WORD || /[^\u0000-\u024f]/.test(word)));
  return [...new Set(words)];
}

/** Whether words are stored, for this page or for another. */
export function hasMarks() {
  try {
    return sessionStorage.getItem(MARKS_KEY) !== null;
  } catch {
    return false;
  }
}

/** Store the words for the page of a result. @param {HTMLAnchorElement} link @param {string} query @param {boolean} isAnswer */
export function storeMarks(link, query, isAnswer) {
  const marks = isAnswer ? [...(link.closest(".group")?.querySelectorAll("mark") ?? [])] : [];
  const exact = [...new Set(marks.map(({ textContent }) => textContent ?? ""))].filter(Boolean);
  try {
    sessionStorage.setItem(MARKS_KEY, JSON.stringify({ url: link.href, exact, words: searchWords(query) }));
  } catch {
    // without storage there are no marks
  }
}
