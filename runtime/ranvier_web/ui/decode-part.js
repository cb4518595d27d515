/** Decodes parts of addresses. It is not in `urls.js`, which loads before the first suggestion. */

/** Decode a part of an address, if it can be decoded. @param {string} text */
export function decodePart(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
