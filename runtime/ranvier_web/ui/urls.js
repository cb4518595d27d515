/** The addresses of results, and the query in the address of a search. */

/** Where a tab keeps the words to mark on the page of an opened result. */
export const MARKS_KEY = "ranvier-marks";
const SAFE_SCHEMES = new Set(["http:", "https:", "file:"]);

/**
 * Return the address of a result. For unsafe schemes such as `javascript:`, return the site root instead.
 *
 * @param {string} url relative to the site root
 * @param {string} siteRoot
 */
export function resultHref(url, siteRoot) {
  try {
    const target = new URL(url, siteRoot);
    return SAFE_SCHEMES.has(target.protocol) ? target.href : siteRoot;
  } catch {
    return siteRoot;
  }
}

/**
 * Return the query in a page's address: `…/search/?q=axon` → `"axon"`.
 *
 * @param {string} href
 */
export function queryOf(href) {
  return new URL(href).searchParams.get("q") ?? "";
}
