/**
 * Converts highlight strings to DOM nodes, without parsing HTML.
 *
 * The engine sends escaped text whose only tags are `<mark>` and `</mark>`. Everything else in such a string is shown
 * as literal text.
 */

import { element } from "./dom.js";

/** @typedef {{text: string, marked: boolean}} Run */

const ENTITIES = /&(?:amp|lt|gt|quot|#x27);/g;

/** @type {Record<string, string>} */
const CHARACTERS = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

/**
 * Split a highlight string into runs: `"a <mark>b</mark>"` → `a ` plain, `b` marked.
 *
 * Any input is accepted: an unclosed mark extends to the end, a single end tag is ignored.
 *
 * @param {unknown} highlight
 */
export function splitMarks(highlight) {
  /** @type {Run[]} */
  const runs = [];
  let marked = false;
  for (const piece of String(highlight ?? "").split(/(<\/?mark>)/)) {
    if (piece === "<mark>") marked = true;
    else if (piece === "</mark>") marked = false;
    else if (piece) runs.push({ text: piece.replace(ENTITIES, (entity) => CHARACTERS[entity] ?? entity), marked });
  }
  return runs;
}

/**
 * Return the text without marks, for labels and titles.
 *
 * @param {unknown} highlight
 */
export function plainText(highlight) {
  return splitMarks(highlight)
    .map((run) => run.text)
    .join("");
}

/**
 * Return a pattern that finds words in any case, the longest first, as its only group.
 *
 * @param {Iterable<string>} words  not empty
 * @param {boolean} [isComplete]  complete words only
 */
export function wordPattern(words, isComplete = false) {
  const sorted = [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const alternatives = sorted.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  const [start, end] = isComplete ? ["(?<![\\p{L}\\p{N}])", "(?![\\p{L}\\p{N}])"] : ["", ""];
  return new RegExp(`${start}(${alternatives})${end}`, "giu");
}

/**
 * Return the runs as the children of an element: plain text, and `<mark>` elements.
 *
 * @param {unknown} highlight
 */
export function markNodes(highlight) {
  return splitMarks(highlight).map(({ text, marked }) => (marked ? element("mark", { part: "mark" }, text) : text));
}

/** Decode a part of an address, if it can be decoded. @param {string} text */
export function decodePart(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
