/** @import { Failure } from "./protocol.js" */

/** A request failed. `code` is the reason; the message is for people. */
export class RanvierError extends Error {
  /** @param {Failure} failure */
  constructor({ code, message }) {
    super(message);
    this.name = "RanvierError";
    /** "fetch", "integrity", "format", "request", "engine", "worker", "updated", "stale", "offline", "quota", "passphrase", "insecure" or "internal" */
    this.code = code;
  }
}

export const CLOSED = { code: "stale", message: "the engine was closed" };
export const CANCELLED = { code: "stale", message: "the search was cancelled" };
export const UPDATED = { code: "updated", message: "the site was built again: repeat the search" };

/** @param {any} error @param {string} [code]  of an error without a code @returns {Failure} */
export const toFailure = (error, code = "internal") => ({
  code: typeof error?.code === "string" ? error.code : code, // a DOMException has a number
  message: String(error?.message || error),
});

/** @param {unknown} error */
export const toRanvierError = (error) => (error instanceof RanvierError ? error : new RanvierError(toFailure(error)));
