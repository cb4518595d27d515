/**
 * A worker and the line to it: one that all pages of the site share and that outlives each of them, where the browser has such
 * (`extendedLifetime`), else one of the page's own. A shared worker that dies with its page would be no gain.
 */

import { sealOf } from "./seals.js";
import { arrived, FetchFailure, TIMEOUT } from "./store/arrive.js";
import { NOWHERE, scriptURL } from "./trusted.js";

/** @import { Entry, FromWorker, ToWorker } from "./protocol.js" */

/**
 * @typedef {object} Line
 * @property {boolean} shared
 * @property {(message: ToWorker) => void} send
 * @property {() => void} end
 *
 * @typedef {object} Ears
 * @property {(message: FromWorker) => void} onMessage
 * @property {(message: string) => void} onError  with what the browser says, which may be nothing
 * @property {() => void} onReturn  the page was shown again from the browser's memory: the worker has to be told of it anew
 */

const WORKER = new URL("./worker.js", import.meta.url).href;

/** @type {boolean | null} */
let outlives = null;

/** @type {Promise<unknown> | null} */
let comparing = null;

/**
 * Have the worker's script compared: browsers take no digest where a worker is made, so it is fetched with one before, and the
 * worker then has it from the browser's cache. Once for a page: it costs no round where it is begun together with the entry file.
 *
 * @param {number} [timeout]  ms
 * @param {boolean} [anew]     go past the cache, which may have kept a damaged one
 * @returns {Promise<unknown>}
 * @throws {FetchFailure}
 */
export function soundWorker(timeout = TIMEOUT, anew = false) {
  const integrity = sealOf(WORKER);
  if (!integrity) return Promise.resolve();
  if (anew || !comparing) {
    /** @type {(signal: AbortSignal, cache: RequestCache) => Promise<Response>} */
    const ask = (signal, cache) => fetch(WORKER, { integrity, signal, cache });
    const refused = () => {
      throw new FetchFailure("worker.js", "the search worker's script could not be loaded, or is not what it should be");
    };
    const twice = (/** @type {AbortSignal} */ signal) =>
      ask(signal, anew ? "reload" : "default").catch(() => ask(signal, "reload").catch(refused));
    const begun = (comparing = arrived("worker.js", twice, { timeout }));
    begun.catch(() => {
      if (comparing === begun) comparing = null; // whoever needs it tries again
    });
  }
  return comparing;
}

/** Whether a shared worker can outlive its page here: then its constructor asks for the option. */
function canOutlive() {
  if (outlives !== null) return outlives;
  outlives = false;
  const options = {
    get extendedLifetime() {
      outlives = true;
      return true;
    },
  };
  try {
    new SharedWorker(scriptURL(NOWHERE), /** @type {WorkerOptions} */ (options));
  } catch {
    // as it should
  }
  return outlives;
}

/**
 * @param {Entry} entry
 * @param {boolean} shared
 * @param {Ears} ears
 * @returns {Line}
 */
export function startWorker(entry, shared, ears) {
  if (shared && canOutlive()) {
    try {
      return sharedLine(entry, ears);
    } catch {
      // A policy or a setting of the browser forbids it: a page's own worker will do.
    }
  }
  return ownLine(ears);
}

/**
 * @param {Ears} ears
 * @returns {Line}
 */
function ownLine({ onMessage, onError }) {
  const worker = new Worker(scriptURL(WORKER), { type: "module", name: "ranvier" });
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = (event) => {
    event.preventDefault();
    onError(event.message ?? "");
  };
  return { shared: false, send: (message) => worker.postMessage(message), end: () => worker.terminate() };
}

/**
 * @param {Entry} entry  its files name the worker: a site that was built anew has another one
 * @param {Ears} ears
 * @returns {Line}
 */
function sharedLine(entry, { onMessage, onError, onReturn }) {
  const name = `ranvier ${entry.manifest} ${entry.hot} ${entry.core}`;
  const options = /** @type {WorkerOptions} */ ({ type: "module", name, extendedLifetime: true });
  const worker = new SharedWorker(scriptURL(WORKER), options);
  const { port } = worker;
  const ended = new AbortController();
  const send = (/** @type {ToWorker} */ message) => port.postMessage(message);
  port.onmessage = ({ data }) => onMessage(data);
  worker.onerror = (event) => {
    event.preventDefault();
    onError(event.message ?? "");
  };
  // The worker never learns by itself that a page is gone.
  addEventListener("pagehide", ({ persisted }) => send({ kind: "leave", close: false, returns: persisted }), ended);
  addEventListener("pageshow", ({ persisted }) => persisted && onReturn(), ended);
  const end = () => {
    ended.abort();
    send({ kind: "leave", close: true, returns: false });
    port.close();
  };
  return { shared: true, send, end };
}
