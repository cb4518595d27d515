/** The query field, and the button beside it that closes the dialog. */

import { CROSS, element, GLASS, icon } from "./dom.js";

/** @import { Strings } from "./strings.js" */

/**
 * @param {string} placeholder
 * @param {Strings} strings
 */
export function makeInput(placeholder, strings) {
  // Not type=search: its Escape key clears the field instead of closing the dialog.
  return element("input", {
    type: "text",
    role: "combobox",
    part: "input",
    "aria-label": strings.search,
    "aria-autocomplete": "list",
    "aria-controls": "results",
    "aria-expanded": "false",
    autocapitalize: "off",
    autocomplete: "off",
    autocorrect: "off",
    enterkeyhint: "search",
    inputmode: "search",
    maxlength: 1000,
    placeholder,
    spellcheck: "false",
  });
}

/**
 * @param {HTMLInputElement} input
 * @param {(() => void) | null} onClose null if there is no dialog
 * @param {Strings} strings
 */
export function makeField(input, onClose, strings) {
  const field = element("div", { class: "field" }, icon(GLASS), input);
  if (onClose) {
    const close = element("button", { type: "button", class: "close", "aria-label": strings.close }, icon(CROSS));
    close.addEventListener("click", onClose);
    field.append(close);
  }
  return field;
}
