/**
 * Under `require-trusted-types-for 'script'` a worker's address must come from a policy. Ours is named "ranvier".
 *
 * A policy can be created only once per page. If a page loads two versions of this module, they share it.
 */

/** An invalid address: the worker's constructor reads its options and then throws. */
export const INVALID_URL = "http://[";

const { trustedTypes } = /** @type {any} */ (globalThis);

const SHARED = Symbol.for("ranvier.policy");
const globals = /** @type {any} */ (globalThis);
globals[SHARED] ??= trustedTypes?.createPolicy("ranvier", {
  createScriptURL: (/** @type {string} */ url) => {
    if (url === INVALID_URL || new URL(url, location.href).origin === location.origin) return url;
    throw new TypeError(`Ranvier runs no script of another origin: ${url}`);
  },
});
const policy = globals[SHARED];

/**
 * Return the address of a worker's script, as a trusted type if the browser has a policy.
 *
 * @param {string} url  of this origin
 * @returns {string}
 * @throws {TypeError}  if there is a policy, and the address is of another origin
 */
export function scriptURL(url) {
  return policy ? policy.createScriptURL(url) : url;
}
