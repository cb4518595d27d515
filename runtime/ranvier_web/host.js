/** The page's end of the worker: questions out, answers in, each under its number. */

/** @import { Question } from "./options.js" */
/** @import { Failure, FromWorker, Progress, ToWorker } from "./protocol.js" */

/** Something that was asked for cannot be had; `code` says why, the message is for people. */
export class RanvierError extends Error {
  /** @param {Failure} failure */
  constructor({ code, message }) {
    super(message);
    this.name = "RanvierError";
    /** "fetch", "integrity", "format", "request", "engine", "stale" or "internal" */
    this.code = code;
  }
}

const CLOSED = { code: "stale", message: "the engine was closed" };
const ABORTED = { code: "stale", message: "the search was given up" };

/** Under `require-trusted-types-for 'script'` a worker's address must come from a policy; ours knows one address. */
const WORKER = new URL("./worker.js", import.meta.url).href;
const { trustedTypes } = /** @type {any} */ (globalThis);
const policy = trustedTypes?.createPolicy("ranvier", { createScriptURL: () => WORKER });
/** @type {string} */
const trustedWorker = policy ? policy.createScriptURL("") : WORKER;

/**
 * @typedef {{resolve: (value: any) => void, reject: (error: RanvierError) => void}} Waiting
 */

export class Host {
  /** @type {Worker} */
  #worker;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #last = 0;
  /** @type {Waiting} */
  #boot = { resolve() {}, reject() {} };
  /** @type {Failure | null} */
  #dead = null;
  /** @type {((progress: Progress) => void) | undefined} */
  #onProgress;

  /**
   * @param {URL} base
   * @param {((progress: Progress) => void) | undefined} onProgress
   */
  constructor(base, onProgress) {
    this.#onProgress = onProgress;
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      this.#boot = { resolve, reject };
    });
    this.ready.catch(() => {}); // whoever asks gets the reason; nobody asking is no error of the page's
    this.#worker = new Worker(trustedWorker, { type: "module", name: "ranvier" });
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#die({ code: "engine", message: event.message || "the search worker could not be loaded" });
    };
    this.#send({ kind: "boot", base: base.href });
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
      try {
        this.#send({ kind: "ask", id, what, request: JSON.stringify(request) });
      } catch (error) {
        return reject(new RanvierError({ code: "request", message: String(error) }));
      }
      this.#waiting.set(id, {
        resolve: (value) => (settled(), resolve(value)),
        reject: (error) => (settled(), reject(error)),
      });
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** Stop the worker; whatever still waits is rejected. */
  close() {
    this.#worker.terminate();
    this.#die(CLOSED);
  }

  /** @param {ToWorker} message */
  #send(message) {
    this.#worker.postMessage(message);
  }

  /** @param {FromWorker} message */
  #receive(message) {
    if (message.kind === "progress") this.#onProgress?.(message.progress);
    else if (message.kind === "ready") this.#boot.resolve(undefined);
    else if (message.kind === "failed") this.#die(message.error);
    else if (message.kind === "answer") this.#take(message.id)?.resolve(message.result);
    else this.#take(message.id)?.reject(new RanvierError(message.error));
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
    this.#dead ??= failure;
    this.#worker.terminate();
    this.#boot.reject(new RanvierError(failure));
    for (const { reject } of this.#waiting.values()) reject(new RanvierError(failure));
    this.#waiting.clear();
  }
}
