/**
 * The `integrity` value (SHA-256) of each script that this one may load, by file name without folders. A build fills it in for the
 * served scripts. In the source it is empty, and nothing is compared.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const SEALS = {};

/**
 * @param {string} url
 * @returns {string}  empty if unknown
 */
export function sealOf(url) {
  return SEALS[new URL(url).pathname.split("/").at(-1) ?? ""] ?? "";
}
