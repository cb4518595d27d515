/** @import { Failure } from "./protocol.js" */

/** Something that was asked for cannot be had; `code` says why, the message is for people. */
export class RanvierError extends Error {
  /** @param {Failure} failure */
  constructor({ code, message }) {
    super(message);
    this.name = "RanvierError";
    /** "fetch", "integrity", "format", "request", "engine", "gone", "updated", "stale", "offline", "quota" or "internal" */
    this.code = code;
  }
}
