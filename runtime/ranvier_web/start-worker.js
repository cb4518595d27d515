/**
 * A worker and the connection to it. If the browser supports `extendedLifetime`, all pages of the site share one worker, which
 * outlives each page. Otherwise each page has its own worker: a shared worker that ends with its page has no advantage.
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
 * @property {(message: string) => void} onError  with the browser's message, which may be empty
 * @property {() => void} onReturn  the page was restored from the back/forward cache: register it at the worker again
 */

const WORKER = new URL("./worker.js", import.meta.url).href;

/** @type {boolean | null} */
let outlives = null;

/** @type {Promise<unknown> | null} */
let comparing = null;

/**
 * Check the integrity of the worker's script. The Worker constructor has no `integrity` option, so the script is fetched with one
 * before, and the worker then gets it from the browser's cache. Done once per page, in parallel with the entry file.
 *
 * @param {number} [timeout]  ms
 * @param {boolean} [anew]     skip the cache, which may contain a damaged copy
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
      if (comparing === begun) comparing = null; // the next caller tries again
    });
  }
  return comparing;
}

/** Whether this browser supports `extendedLifetime`: its constructor then reads the option. */
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
    // expected
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
      // Forbidden by a policy or a browser setting: use the page's own worker.
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
 * @param {Entry} entry  the worker's name contains its files: a rebuilt site has another worker
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
  // A worker gets no event when a page is closed.
  addEventListener("pagehide", ({ persisted }) => send({ kind: "leave", close: false, returns: persisted }), ended);
  addEventListener("pageshow", ({ persisted }) => persisted && onReturn(), ended);
  const end = () => {
    ended.abort();
    send({ kind: "leave", close: true, returns: false });
    port.close();
  };
  return { shared: true, send, end };
}
