/**
 * Under `require-trusted-types-for 'script'` a worker's address must come from a policy: the one policy of ours, "ranvier".
 *
 * A policy is made once in a page, which may come to have two versions of this module: they share it.
 */

/** No address at all: a worker there is refused after its options were read. */
export const NOWHERE = "http://[";

const { trustedTypes } = /** @type {any} */ (globalThis);

const SHARED = Symbol.for("ranvier.policy");
const page = /** @type {any} */ (globalThis);
page[SHARED] ??= trustedTypes?.createPolicy("ranvier", {
  createScriptURL: (/** @type {string} */ url) => {
    if (url === NOWHERE || new URL(url, location.href).origin === location.origin) return url;
    throw new TypeError(`Ranvier runs no script of another origin: ${url}`);
  },
});
const policy = page[SHARED];

/**
 * The address of a worker's script, as a policy may want it.
 *
 * @param {string} url  of this origin
 * @returns {string}
 * @throws {TypeError}  where a policy asks, and it is of another one
 */
export function scriptURL(url) {
  return policy ? policy.createScriptURL(url) : url;
}
