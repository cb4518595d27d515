/** @import { Failure } from "./protocol.js" */
import type { Failure } from "./protocol.js";
/** Something that was asked for cannot be had; `code` says why, the message is for people. */
export declare class RanvierError extends Error {
    /** "fetch", "integrity", "format", "request", "engine", "gone", "updated", "stale", "offline", "quota" or "internal" */
    code: string;
    /** @param {Failure} failure */
    constructor({ code, message }: Failure);
}
