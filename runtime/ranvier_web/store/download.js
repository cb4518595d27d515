/** Fetch whole files: with a retry, and with a timeout if no data arrives. */

import { RanvierError } from "../errors.js";
import { TIMEOUT, withRetry } from "./retry.js";

/** A file could not be fetched. */
export class FetchFailure extends RanvierError {
  /** Whether no data arrived for too long. */
  isStalled = false;

  /**
   * @param {string} name
   * @param {string} reason
   * @param {number} [status]  of the server's answer, if there was one
   */
  constructor(name, reason, status = 0) {
    super({ code: "fetch", message: `${name}: ${reason}` });
    this.status = status;
  }
}

/**
 * Read a body to its end, without a limit for the total time.
 *
 * @param {Response} response
 * @param {() => void} restartTimer  called for every piece
 */
async function readBody(response, restartTimer) {
  /** @type {Uint8Array[]} */
  const pieces = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    pieces.push(step.value);
    size += step.value.length;
    restartTimer();
  }
  if (pieces.length === 1) return /** @type {Uint8Array} */ (pieces[0]);
  const data = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    data.set(piece, at);
    at += piece.length;
  }
  return data;
}

/**
 * Request a file and read it, with the retry policy.
 *
 * @param {string} name  of the file, for messages
 * @param {(cache: RequestCache, signal: AbortSignal) => Promise<Response>} request
 * @param {{cache?: RequestCache, timeout?: number, signal?: AbortSignal}} [options]
 * @throws {FetchFailure}
 */
export function downloadWithRetry(name, request, { cache, timeout, signal } = {}) {
  return withRetry((mode) => download(name, (inner) => request(mode, inner), { timeout, signal }), { cache, signal });
}

/**
 * Request a file once and read it; cancel it if no data arrives for too long.
 *
 * @param {string} name  of the file, for messages
 * @param {(signal: AbortSignal) => Promise<Response>} request
 * @param {{timeout?: number, signal?: AbortSignal}} [options]
 * @returns {Promise<Uint8Array>}
 * @throws {FetchFailure}
 */
export async function download(name, request, { timeout = TIMEOUT, signal } = {}) {
  const controller = new AbortController();
  const failStalled = () => {
    const failure = new FetchFailure(name, `no data for ${Math.round(timeout / 1000)} seconds`);
    controller.abort(Object.assign(failure, { isStalled: true }));
  };
  const cancel = () => controller.abort(new FetchFailure(name, "cancelled"));
  let isWaiting = true;
  let timer = setTimeout(failStalled, timeout);
  const restartTimer = () => {
    clearTimeout(timer);
    if (isWaiting) timer = setTimeout(failStalled, timeout);
  };
  // Some `request` functions ignore the signal, because other callers share their response.
  const aborted = new Promise((_, reject) => controller.signal.addEventListener("abort", () => reject(controller.signal.reason)));
  aborted.catch(() => {});
  signal?.addEventListener("abort", cancel);
  if (signal?.aborted) cancel();
  const readResponse = async () => {
    const response = await request(controller.signal);
    if (!response.ok) throw new FetchFailure(name, `the server answered ${response.status}`, response.status);
    return readBody(response, restartTimer);
  };
  try {
    return /** @type {Uint8Array} */ (await Promise.race([readResponse(), aborted]));
  } catch (error) {
    if (error instanceof FetchFailure) throw error;
    throw new FetchFailure(name, "no connection, or the connection failed");
  } finally {
    isWaiting = false;
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}
