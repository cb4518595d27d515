/** Key bindings as pure functions without a DOM, so that they can be tested. */

/**
 * @typedef {Pick<KeyboardEvent, "key"> & Partial<KeyboardEvent>} KeyPress
 * @typedef {"toggle" | "open" | null} PageAction
 * @typedef {"next" | "previous" | "first" | "last" | "go" | "go-new-tab" | null} FieldAction
 */

/** A longer selection is text that the reader reads, not a query. */
const MAX_SELECTION = 100;

/** Browsers report this key code for keys that an input method handles, some of them without `isComposing`. */
const IME_KEY = 229;

/** Inputs without text: "/" opens the search even if one of them has the focus. */
const NOT_TEXT = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);

/**
 * Whether the platform's command key is ⌘.
 *
 * @param {string} platform
 */
export function isApple(platform) {
  return /mac|iphone|ipad|ipod/i.test(platform);
}

/**
 * Whether an input method handles the key, so that it must be ignored.
 *
 * @param {KeyPress} press
 */
export function isComposing(press) {
  return press.isComposing === true || press.keyCode === IME_KEY;
}

/** Whether a click or a key has a modifier: the browser then opens a link in its own way. @param {MouseEvent | KeyboardEvent} event */
export const isModified = ({ altKey, ctrlKey, metaKey, shiftKey }) => altKey || ctrlKey || metaKey || shiftKey;

/**
 * Return the search box's action for a key pressed anywhere in the page.
 *
 * On Apple systems only ⌘K is used: Ctrl-K deletes to the end of a line.
 *
 * @param {KeyPress} press
 * @param {{apple: boolean, typing: boolean}} where
 * @returns {PageAction}
 */
export function pageAction(press, { apple, typing }) {
  if (isComposing(press) || press.altKey) return null;
  const command = apple ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  const letter = press.key > "~" ? press.code ?? "" : press.key; // a keyboard with other letters has no K
  if (/^(Key)?k$/i.test(letter) && command && !press.shiftKey) return "toggle";
  if (press.key === "/" && !press.ctrlKey && !press.metaKey && !typing) return "open";
  return null;
}

/**
 * Return the result list's action for a key pressed in the search field.
 *
 * Home and End move in the text until the reader has moved in the list.
 *
 * @param {KeyPress} press
 * @param {{hasOptions: boolean, hasMoved: boolean}} list
 * @returns {FieldAction}
 */
export function fieldAction(press, { hasOptions, hasMoved }) {
  if (isComposing(press) || press.altKey) return null;
  if (press.key === "Enter") return press.ctrlKey || press.metaKey ? "go-new-tab" : "go";
  if (!hasOptions || press.shiftKey || press.ctrlKey || press.metaKey) return null;
  if (press.key === "ArrowDown") return "next";
  if (press.key === "ArrowUp") return "previous";
  if (press.key === "Home" && hasMoved) return "first";
  if (press.key === "End" && hasMoved) return "last";
  return null;
}

/**
 * Return the index of the next option, wrapping at both ends; -1 if there is none.
 *
 * @param {FieldAction} action
 * @param {number} index
 * @param {number} count
 */
export function stepIndex(action, index, count) {
  if (count <= 0) return -1;
  if (action === "next") return (index + 1) % count;
  if (action === "previous") return (index > 0 ? index : count) - 1;
  return action === "first" ? 0 : action === "last" ? count - 1 : index;
}

/**
 * Whether the target of a key press accepts text. The field of a closed dialog keeps the focus until the next frame, but it is not
 * rendered any more.
 *
 * @param {unknown} target
 */
export function isTextTarget(target) {
  /** @type {Partial<HTMLInputElement>} */
  const { tagName = "", type = "text", isContentEditable } = Object(target);
  if (Object(target).getClientRects?.().length === 0) return false;
  return isContentEditable || (/^(input|textarea|select)$/i.test(tagName) && !NOT_TEXT.has(type));
}

/**
 * Convert a selection to a query: `" word\n embedding "` → `"word embedding"`; "" for a long passage.
 *
 * @param {string} selection
 */
export function queryFromSelection(selection) {
  const text = selection.replace(/\s+/g, " ").trim();
  return text.length <= MAX_SELECTION ? text : "";
}
