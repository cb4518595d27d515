/** The page's side of the worker: sends requests and receives answers, matched by id. */

import { RanvierError } from "./errors.js";
import { startWorker } from "./start-worker.js";

/** @import { Question } from "./options.js" */
/** @import { Entry, Failure, FromWorker, Progress, ToWorker } from "./protocol.js" */
/** @import { Connection } from "./start-worker.js" */

export const CLOSED = { code: "stale", message: "the engine was closed" };
export const ABORTED = { code: "stale", message: "the search was cancelled" };
const NOT_LOADED = { code: "fetch", message: "worker.js: the search worker could not be loaded" };
const SILENT = { code: "gone", message: "the search worker no longer responds" };

/** ms until the first message: a shared worker whose script fails sometimes reports nothing in Chromium. */
const STARTED = 10_000;

const SLOW = 10; // Mbit/s, the maximum that browsers report
const FAR = 100; // ms

/**
 * Whether the snapshot's additional bytes probably cost more time than they save, by the browser's network information. A high
 * latency slows down large files, too, because a connection increases its speed step by step.
 */
function isSlow() {
  const { downlink, rtt } = /** @type {any} */ (globalThis.navigator)?.connection ?? {};
  return downlink < SLOW || rtt >= FAR;
}

/**
 * @typedef {{question: ToWorker, resolve: (value: any) => void, reject: (error: RanvierError) => void}} Waiting
 *
 * @typedef {object} Hosting
 * @property {URL} base
 * @property {Entry} entry
 * @property {boolean} frugal   save bytes rather than time
 * @property {boolean} [library]  start from the library and not from the snapshot; default: depends on the connection
 * @property {number} timeout  ms without data after which a download is cancelled; the worker may be silent for twice this time
 * @property {boolean} shared   one worker for all pages of the site, if the browser can keep it between two pages
 * @property {import("./protocol.js").Layer} [layer]  read this encrypted layer
 * @property {(progress: Progress) => void} [onProgress]
 * @property {(names: string[]) => void} [onUsed]  files that were fetched for an answer
 */

export class WorkerClient {
  /** How the engine was started; null before that. @type {"snapshot" | "library" | null} */
  bootMethod = null;
  /** @type {Connection} */
  #connection;
  /** @type {Hosting} */
  #hosting;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #last = 0;
  /** @type {Waiting} */
  #boot = { question: { kind: "ping" }, resolve() {}, reject() {} };
  /** @type {Failure | null} */
  #dead = null;
  /** Whether the worker sent nothing since the last check. */
  #silent = false;
  /** Whether its scripts could be loaded and run, as far as known. */
  loaded = true;
  /** Whether it has sent any message. */
  heard = false;
  /** @type {ReturnType<typeof setInterval>[]} */
  #watches;

  /** @param {Hosting} hosting */
  constructor(hosting) {
    this.#hosting = hosting;
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      this.#boot = { ...this.#boot, resolve, reject };
    });
    this.ready.catch(() => {}); // callers receive the error; without a caller it is not an error of the page
    this.#connection = startWorker(hosting.entry, hosting.shared, {
      onMessage: (message) => this.#receive(message),
      onError: (message) => this.#fail(message),
      onReturn: () => this.#again(),
    });
    this.#watches = [
      setInterval(() => this.#look(), hosting.timeout),
      setTimeout(() => this.heard || this.#die({ ...NOT_LOADED, code: "gone" }), STARTED),
    ];
    this.#send({ kind: "ping" });
    this.#start();
  }

  /** Whether other pages may use the same worker. */
  get shared() {
    return this.#connection.shared;
  }

  /** The reason why it cannot be used any more, or null. */
  get dead() {
    return this.#dead;
  }

  /**
   * @param {Question} what
   * @param {Record<string, unknown>} request  with Python's names; missing fields have Python's defaults
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  ask(what, request, signal) {
    return new Promise((resolve, reject) => {
      if (this.#dead) return reject(new RanvierError(this.#dead));
      if (signal?.aborted) return reject(new RanvierError(ABORTED));
      const id = ++this.#last;
      const giveUp = () => this.#giveUp(id);
      const settled = () => signal?.removeEventListener("abort", giveUp);
      /** @type {ToWorker} */
      let question;
      try {
        question = { kind: "ask", id, what, request: JSON.stringify(request) };
        this.#send(question);
      } catch (error) {
        return reject(new RanvierError({ code: "request", message: String(error) }));
      }
      this.#waiting.set(id, {
        question,
        resolve: (value) => (settled(), resolve(value)),
        reject: (error) => (settled(), reject(error)),
      });
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** Release the worker, which ends unless another page uses it; reject all pending requests. */
  close() {
    this.#die(CLOSED);
  }

  #start() {
    const { base, entry, frugal, library = frugal || isSlow(), timeout, layer } = this.#hosting;
    this.#send({ kind: "boot", base: base.href, entry, frugal, library, timeout, layer });
  }

  /** Restart after the back/forward cache: the worker has dropped the page's requests. If it has ended, `#look` detects that. */
  #again() {
    this.bootMethod = null;
    this.#start();
    for (const { question } of this.#waiting.values()) this.#send(question);
  }

  /** @param {ToWorker} message */
  #send(message) {
    this.#connection.send(message);
  }

  /** @param {FromWorker} message */
  #receive(message) {
    this.#silent = false;
    this.heard = true;
    if (message.kind === "progress") this.#hosting.onProgress?.(message.progress);
    else if (message.kind === "ready") {
      this.bootMethod = message.bootMethod;
      this.#boot.resolve(undefined);
    } else if (message.kind === "failed") this.#die(message.error);
    else if (message.kind === "answer") {
      this.#take(message.id)?.resolve(message.result);
      this.#hosting.onUsed?.(message.used);
    } else if (message.kind === "refused") this.#take(message.id)?.reject(new RanvierError(message.error));
  }

  /** There is no event for a killed worker. If nothing arrives between two checks, the worker is considered dead. */
  #look() {
    if (this.bootMethod && this.#waiting.size === 0) return;
    if (this.#silent) return this.#die(SILENT);
    this.#silent = true;
    this.#send({ kind: "ping" });
  }

  /** @param {string} message  empty for scripts that the browser could not load */
  #fail(message) {
    // An error before the first message comes from the script itself: a damaged copy, for example.
    this.loaded = this.heard && message !== "";
    this.#die(this.loaded ? { code: "engine", message } : { ...NOT_LOADED, message: `${NOT_LOADED.message}${message && `: ${message}`}` });
  }

  /** @param {number} id */
  #take(id) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  /** @param {number} id */
  #giveUp(id) {
    const waiting = this.#take(id);
    if (!waiting) return;
    this.#send({ kind: "drop", id });
    waiting.reject(new RanvierError(ABORTED));
  }

  /** @param {Failure} failure */
  #die(failure) {
    if (this.#dead) return;
    this.#dead = failure;
    this.#watches.forEach(clearTimeout); // of intervals, too
    this.#connection.end();
    this.#boot.reject(new RanvierError(failure));
    for (const { reject } of this.#waiting.values()) reject(new RanvierError(failure));
    this.#waiting.clear();
  }
}
