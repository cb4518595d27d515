/** The English strings for encrypted layers: unlocking, and pages that are shown decrypted. */

export const layerStrings = Object.freeze({
  unlock: "Unlock private pages",
  passphrase: "Passphrase",
  keepKey: "Stay unlocked until this tab is closed",
  unlocking: "Unlocking…",
  /** @param {string} audience */
  unlocked: (audience) => `Unlocked: ${audience}`,
  lock: "Lock",
  locked: "The private pages are locked.",
  wrongKey: "No private pages open with this passphrase.",
  insecure: "Unlocking works only on https addresses.",
  privatePage: "This page is private. It is decrypted here, and has no address.",
  closePage: "Back to the public page",
  pageFailed: "The private page could not be shown.",
});

/** @typedef {typeof layerStrings} LayerStrings */
