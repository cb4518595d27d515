/** The page's end of the worker: questions out, answers in, each under its number. */

import { RanvierError } from "./errors.js";
import { startWorker } from "./start-worker.js";

/** @import { Question } from "./options.js" */
/** @import { Entry, Failure, FromWorker, Progress, ToWorker } from "./protocol.js" */
/** @import { Line } from "./start-worker.js" */

export const CLOSED = { code: "stale", message: "the engine was closed" };
export const ABORTED = { code: "stale", message: "the search was given up" };
const NOT_LOADED = { code: "fetch", message: "worker.js: the search worker, or a script that it imports, could not be loaded" };
const SILENT = { code: "gone", message: "the search worker does not answer any more" };

const SLOW = 10; // Mbit/s, the most that browsers say
const FAR = 100; // ms

/**
 * Whether the snapshot's additional bytes cost more time here than they save, as far as the browser knows its line. Where an answer
 * takes long to begin, a large file takes long, too: a line comes to its speed step by step.
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
 * @property {boolean} frugal   fewer bytes before less time
 * @property {boolean} [library]  start from the library and not from the snapshot; left out, the line decides
 * @property {number} timeout  ms in which a file may send nothing, and half of those in which the worker may be silent
 * @property {boolean} shared   one worker for all pages of the site, where the browser can keep it between two pages
 * @property {(progress: Progress) => void} [onProgress]
 * @property {(names: string[]) => void} [onUsed]  files that were fetched for an answer
 */

export class WorkerClient {
  /** How the engine was started; null until it was. @type {"snapshot" | "library" | null} */
  way = null;
  /** @type {Line} */
  #line;
  /** @type {Hosting} */
  #hosting;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #last = 0;
  /** @type {Waiting} */
  #boot = { question: { kind: "ping" }, resolve() {}, reject() {} };
  /** @type {Failure | null} */
  #dead = null;
  /** Nothing was heard since the last look. */
  #silent = false;
  /** Whether its scripts could be had, as far as is known. */
  loaded = true;
  /** Whether it ever said anything. */
  heard = false;
  /** @type {ReturnType<typeof setInterval>} */
  #watch;

  /** @param {Hosting} hosting */
  constructor(hosting) {
    this.#hosting = hosting;
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      this.#boot = { ...this.#boot, resolve, reject };
    });
    this.ready.catch(() => {}); // whoever asks gets the reason; nobody asking is no error of the page's
    this.#line = startWorker(hosting.entry, hosting.shared, {
      onMessage: (message) => this.#receive(message),
      onError: (message) => this.#fail(message),
      onReturn: () => this.#again(),
    });
    this.#watch = setInterval(() => this.#look(), hosting.timeout);
    this.#start();
  }

  /** Whether other pages may have the same worker. */
  get shared() {
    return this.#line.shared;
  }

  /** Why it is of no use any more; null as long as it is. */
  get dead() {
    return this.#dead;
  }

  /**
   * @param {Question} what
   * @param {Record<string, unknown>} request  in Python's names; what is not there is as Python has it by itself
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

  /** Let go of the worker, which ends unless another page has it too; whatever still waits is rejected. */
  close() {
    this.#die(CLOSED);
  }

  #start() {
    const { base, entry, frugal, library = frugal || isSlow(), timeout } = this.#hosting;
    this.#send({ kind: "boot", base: base.href, entry, frugal, library, timeout });
  }

  /** The page was away, and the worker let go of its questions; it may even have ended, which the watch then finds. */
  #again() {
    this.way = null;
    this.#start();
    for (const { question } of this.#waiting.values()) this.#send(question);
  }

  /** @param {ToWorker} message */
  #send(message) {
    this.#line.send(message);
  }

  /** @param {FromWorker} message */
  #receive(message) {
    this.#silent = false;
    this.heard = true;
    if (message.kind === "progress") this.#hosting.onProgress?.(message.progress);
    else if (message.kind === "ready") {
      this.way = message.way;
      this.#boot.resolve(undefined);
    } else if (message.kind === "failed") this.#die(message.error);
    else if (message.kind === "answer") {
      this.#take(message.id)?.resolve(message.result);
      this.#hosting.onUsed?.(message.used);
    } else if (message.kind === "refused") this.#take(message.id)?.reject(new RanvierError(message.error));
  }

  /** No event tells that a worker was killed. One that is waited for, and says nothing twice in a row, is taken for dead. */
  #look() {
    if (this.way && this.#waiting.size === 0) return;
    if (this.#silent) return this.#die(this.heard ? SILENT : { ...NOT_LOADED, code: SILENT.code });
    this.#silent = true;
    this.#send({ kind: "ping" });
  }

  /** @param {string} message  empty where the browser says nothing: it does not, of scripts that it could not load */
  #fail(message) {
    this.loaded = message !== "";
    this.#die(this.loaded ? { code: "engine", message } : NOT_LOADED);
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
    clearInterval(this.#watch);
    this.#line.end();
    this.#boot.reject(new RanvierError(failure));
    for (const { reject } of this.#waiting.values()) reject(new RanvierError(failure));
    this.#waiting.clear();
  }
}
