/**
 * Of each script that this one may load, by its name without folders, its SHA-256 as browsers compare it. A build fills it in, for
 * what is served: there each script knows those after it. In the source it is empty, and nothing is compared.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const SEALS = {};

/**
 * @param {string} url
 * @returns {string}  empty where nothing is known
 */
export function sealOf(url) {
  return SEALS[new URL(url).pathname.split("/").at(-1) ?? ""] ?? "";
}
