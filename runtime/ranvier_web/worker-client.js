/** The page's side of the worker: sends requests and receives answers, matched by id. */

import { CANCELLED, CLOSED, RanvierError } from "./errors.js";
import { startWorker } from "./start-worker.js";

/** @import { Method } from "./options.js" */
/** @import { Failure, FromWorker, Progress, StartOptions, ToWorker } from "./protocol.js" */

const NOT_LOADED = { code: "fetch", message: "worker.js: the search worker could not be loaded" };
const NOT_RESPONDING = { code: "worker", message: "the search worker no longer responds" };

/** ms until the first message: a shared worker whose script fails sometimes reports nothing in Chromium. */
const START_TIMEOUT = 10_000;

/**
 * @typedef {{message: ToWorker, resolve: (value: any) => void, reject: (error: RanvierError) => void}} PendingRequest
 *
 * @typedef {object} OwnOptions
 * @property {boolean} shared   one worker for all pages of the site, if the browser can keep it between two pages
 * @property {(progress: Progress) => void} [onProgress]
 * @property {(names: string[]) => void} [onUsed]  files that were fetched for an answer
 *
 * @typedef {StartOptions & OwnOptions} ClientOptions  the worker may be silent for twice the timeout
 */

export class WorkerClient {
  /** Whether the engine is started. */
  isReady = false;
  #connection;
  #options;
  /** @type {Map<number, PendingRequest>} */
  #pending = new Map();
  #lastId = 0;
  /** Settles `ready`. @type {Pick<PendingRequest, "resolve" | "reject">} */
  #readiness = { resolve() {}, reject() {} };
  /** The reason why it cannot be used any more. @type {Failure | null} */
  failure = null;
  /** Whether the worker sent nothing since the last check. */
  #isSilent = false;
  /** Whether its scripts could be loaded and run, as far as known. */
  isLoaded = true;
  /** Whether it has sent any message. */
  hasStarted = false;
  /** @type {ReturnType<typeof setInterval>[]} */
  #timers;

  /** @param {ClientOptions} options */
  constructor(options) {
    this.#options = options;
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => (this.#readiness = { resolve, reject }));
    this.ready.catch(() => {}); // callers receive the error; without a caller it is not an error of the page
    this.#connection = startWorker(options.entry, options.shared, {
      onMessage: (message) => this.#receive(message),
      onError: (message) => this.#reportError(message),
      onReturn: () => this.#restart(),
    });
    this.#timers = [
      setInterval(() => this.#checkAlive(), options.timeout),
      setTimeout(() => this.hasStarted || this.#fail({ ...NOT_LOADED, code: "worker" }), START_TIMEOUT),
    ];
    this.#connection.send({ kind: "ping" });
    this.#start();
  }

  /** Whether other pages may use the same worker. */
  get shared() {
    return this.#connection.shared;
  }

  /**
   * @param {Method} method
   * @param {Record<string, unknown>} request  with Python's names; missing fields have Python's defaults
   * @param {AbortSignal} [signal]
   */
  call(method, request, signal) {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(new RanvierError(this.failure));
      if (signal?.aborted) return reject(new RanvierError(CANCELLED));
      const id = ++this.#lastId;
      const abort = () => this.#abort(id);
      const removeListener = () => signal?.removeEventListener("abort", abort);
      /** @type {ToWorker} */
      let message;
      try {
        message = { kind: "request", id, method, request: JSON.stringify(request) };
        this.#connection.send(message);
      } catch (error) {
        return reject(new RanvierError({ code: "request", message: String(error) }));
      }
      this.#pending.set(id, {
        message,
        resolve: (value) => (removeListener(), resolve(value)),
        reject: (error) => (removeListener(), reject(error)),
      });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Release the worker, which ends unless another page uses it; reject all pending requests. */
  close() {
    this.#fail(CLOSED);
  }

  #start() {
    const { base, entry, frugal, timeout, layer } = this.#options;
    this.#connection.send({ kind: "boot", base, entry, frugal, timeout, layer });
  }

  /** Restart after the back/forward cache: the worker has dropped the page's requests. `#checkAlive` detects a worker that has ended. */
  #restart() {
    this.isReady = false;
    this.#start();
    for (const { message } of this.#pending.values()) this.#connection.send(message);
  }

  /** @param {FromWorker} message */
  #receive(message) {
    this.#isSilent = false;
    this.hasStarted = true;
    if (message.kind === "progress") this.#options.onProgress?.(message.progress);
    else if (message.kind === "ready") {
      this.isReady = true;
      this.#readiness.resolve(undefined);
    } else if (message.kind === "failed") this.#fail(message.error);
    else if (message.kind === "answer") {
      this.#takePending(message.id)?.resolve(message.result);
      this.#options.onUsed?.(message.used);
    } else if (message.kind === "error") this.#takePending(message.id)?.reject(new RanvierError(message.error));
  }

  /** There is no event for a killed worker. A worker that sends nothing between two checks has failed. */
  #checkAlive() {
    if (this.isReady && this.#pending.size === 0) return;
    if (this.#isSilent) return this.#fail(NOT_RESPONDING);
    this.#isSilent = true;
    this.#connection.send({ kind: "ping" });
  }

  /** @param {string} message  empty for scripts that the browser could not load */
  #reportError(message) {
    // An error before the first message comes from the script itself: a damaged copy, for example.
    this.isLoaded = this.hasStarted && message !== "";
    this.#fail(this.isLoaded ? { code: "engine", message } : { ...NOT_LOADED, message: `${NOT_LOADED.message}${message && `: ${message}`}` });
  }

  /** @param {number} id */
  #takePending(id) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  /** @param {number} id */
  #abort(id) {
    const pending = this.#takePending(id);
    if (!pending) return;
    this.#connection.send({ kind: "cancel", id });
    pending.reject(new RanvierError(CANCELLED));
  }

  /** @param {Failure} failure */
  #fail(failure) {
    if (this.failure) return;
    this.failure = failure;
    this.#timers.forEach(clearTimeout); // of intervals, too
    this.#connection.end();
    this.#readiness.reject(new RanvierError(failure));
    for (const { reject } of this.#pending.values()) reject(new RanvierError(failure));
    this.#pending.clear();
  }
}
