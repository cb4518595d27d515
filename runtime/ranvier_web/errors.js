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
