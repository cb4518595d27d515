/** Copies text that may still be on its way. */

/**
 * Some browsers allow copying only at once after a click, so that the promise itself goes to the clipboard.
 *
 * @param {Promise<string>} text
 */
export async function copyText(text) {
  if (!("ClipboardItem" in globalThis)) return navigator.clipboard.writeText(await text);
  const blob = text.then((content) => new Blob([content], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}
