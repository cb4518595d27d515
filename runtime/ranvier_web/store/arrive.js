/** Fetch whole files: with a retry, and with a timeout if no data arrives. */

import { TIMEOUT } from "../timeout.js";
import { retried } from "./retry.js";

export { TIMEOUT } from "../timeout.js";

/** A file could not be fetched. */
export class FetchFailure extends Error {
  /** Whether no data arrived for too long. */
  stalled = false;
  /** "integrity" if the data arrived but are damaged. */
  code = "fetch";

  /**
   * @param {string} name
   * @param {string} why
   * @param {number} [status]  of the server's answer, if there was one
   */
  constructor(name, why, status = 0) {
    super(`${name}: ${why}`);
    this.name = "FetchFailure";
    this.status = status;
  }
}

/**
 * Read a body to its end, without a limit for the total time.
 *
 * @param {Response} response
 * @param {() => void} alive  called for every piece
 * @returns {Promise<Uint8Array>}
 */
async function bodyOf(response, alive) {
  /** @type {Uint8Array[]} */
  const pieces = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    pieces.push(step.value);
    size += step.value.length;
    alive();
  }
  if (pieces.length === 1) return /** @type {Uint8Array} */ (pieces[0]);
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/**
 * Request a file and read it, with the retry policy.
 *
 * @param {string} name  of the file, for messages
 * @param {(cache: RequestCache, signal: AbortSignal) => Promise<Response>} request
 * @param {{cache?: RequestCache, timeout?: number, signal?: AbortSignal}} [options]
 * @returns {Promise<Uint8Array>}
 * @throws {FetchFailure}
 */
export function fetched(name, request, { cache, timeout, signal } = {}) {
  return retried((mode) => arrived(name, (stop) => request(mode, stop), { timeout, signal }), { cache, signal });
}

/**
 * Request a file once and read it; cancel it if no data arrives for too long.
 *
 * @param {string} name  of the file, for messages
 * @param {(signal: AbortSignal) => Promise<Response>} ask
 * @param {{timeout?: number, signal?: AbortSignal}} [options]
 * @returns {Promise<Uint8Array>}
 * @throws {FetchFailure}
 */
export async function arrived(name, ask, { timeout = TIMEOUT, signal } = {}) {
  const stop = new AbortController();
  const stalled = () => {
    const failure = new FetchFailure(name, `no data for ${Math.round(timeout / 1000)} seconds`);
    stop.abort(Object.assign(failure, { stalled: true }));
  };
  const givenUp = () => stop.abort(new FetchFailure(name, "cancelled"));
  let waiting = true;
  let timer = setTimeout(stalled, timeout);
  const alive = () => {
    clearTimeout(timer);
    if (waiting) timer = setTimeout(stalled, timeout);
  };
  // Some `ask` functions ignore the signal: their answer may be shared with other callers.
  const stopped = new Promise((_, reject) => stop.signal.addEventListener("abort", () => reject(stop.signal.reason)));
  stopped.catch(() => {});
  signal?.addEventListener("abort", givenUp);
  if (signal?.aborted) givenUp();
  const download = async () => {
    const response = await ask(stop.signal);
    if (!response.ok) throw new FetchFailure(name, `the server answered ${response.status}`, response.status);
    return bodyOf(response, alive);
  };
  try {
    return /** @type {Uint8Array} */ (await Promise.race([download(), stopped]));
  } catch (error) {
    if (error instanceof FetchFailure) throw error;
    throw new FetchFailure(name, "no connection, or the connection failed");
  } finally {
    waiting = false;
    clearTimeout(timer);
    signal?.removeEventListener("abort", givenUp);
  }
}
