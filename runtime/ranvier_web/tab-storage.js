/** Texts that a tab keeps until it is closed. A browser may refuse storage: then nothing is kept. */

/** @param {string} key */
export function readTab(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} text */
export function storeTab(key, text) {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // The browser refuses storage, or it is full.
  }
}
