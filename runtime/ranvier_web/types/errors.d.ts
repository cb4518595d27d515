/** @import { Failure } from "./protocol.js" */
import type { Failure } from "./protocol.js";
/** A request failed. `code` is the reason; the message is for people. */
export declare class RanvierError extends Error {
    /** "fetch", "integrity", "format", "request", "engine", "worker", "updated", "stale", "offline", "quota", "passphrase", "insecure" or "internal" */
    code: string;
    /** @param {Failure} failure */
    constructor({ code, message }: Failure);
}
