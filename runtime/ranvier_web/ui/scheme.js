/** The colour scheme of the page around a search box: by the page's own switch, its background, or the system. */

/** Names of attributes: `data-theme`, `data-bs-theme`, `data-md-color-scheme`, `data-color-mode`. */
const SCHEME_ATTRIBUTE = /(theme|scheme|mode)$/;
/** Values of these attributes, and classes: `dark`, `slate`, `theme-light`. */
const SCHEME_NAME = /^(theme-)?(?:(dark|slate)|light)(-mode|-theme)?$/i;
const DARK_QUERY = "(prefers-color-scheme: dark)";

/** @typedef {"light" | "dark"} Scheme */

/**
 * Whether a computed colour is dark; null if it is transparent.
 *
 * @param {string} colour  such as "rgb(0, 0, 0)" or "oklch(0.2 0.01 250)"
 */
export function isDark(colour) {
  const [first = 0, second = 0, third = 0, alpha = 1] = (colour.match(/(?<![a-z])[\d.]+/g) ?? []).map(Number);
  if (alpha < 0.5) return null;
  if (/^(rgb|color)/.test(colour)) return first + second + third < (colour[0] === "r" ? 384 : 1.5);
  return first < (colour[0] === "o" ? 0.5 : 50); // lightness in oklab and oklch, or in lab and lch
}

const roots = () => [document.documentElement, document.body].filter(Boolean);

/** Return the scheme that the page shows now. @returns {Scheme} */
export function pageScheme() {
  for (const root of roots()) {
    const switches = [...root.attributes].filter(({ name }) => SCHEME_ATTRIBUTE.test(name)).map(({ value }) => value);
    const match = [...switches, ...root.classList].map((value) => SCHEME_NAME.exec(value)).find(Boolean);
    if (match) return match[2] ? "dark" : "light";
  }
  const background = roots().map((root) => isDark(getComputedStyle(root).backgroundColor));
  return background[1] ?? background[0] ?? matchMedia(DARK_QUERY).matches ? "dark" : "light";
}

/**
 * Call `update` whenever the page may have changed its scheme.
 *
 * @param {() => void} update
 * @param {AbortSignal} signal
 */
export function followScheme(update, signal) {
  const observer = new MutationObserver(update);
  for (const root of roots()) observer.observe(root, { attributes: true });
  signal.addEventListener("abort", () => observer.disconnect());
  matchMedia(DARK_QUERY).addEventListener("change", update, { signal });
  addEventListener("load", update, { signal });
  // The background may change slowly.
  const updateAfterTransition = (/** @type {Event} */ { target }) => roots().some((root) => root === target) && update();
  document.addEventListener("transitionend", updateAfterTransition, { signal });
}
