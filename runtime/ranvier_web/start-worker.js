/**
 * A worker and the connection to it. If the browser supports `extendedLifetime`, all pages of the site share one worker, which
 * outlives each page. Otherwise each page has a dedicated worker: a shared worker that ends with its page has no advantage.
 */

import { RanvierError, toFailure } from "./errors.js";
import { downloadWithRetry } from "./store/download.js";
import { TIMEOUT } from "./store/retry.js";
import { INVALID_URL, scriptURL } from "./trusted.js";

/** @import { Entry, FromWorker, ToWorker } from "./protocol.js" */
/** @import { FetchFailure } from "./store/download.js" */

/**
 * @typedef {object} Connection
 * @property {boolean} shared
 * @property {(message: ToWorker) => void} send
 * @property {() => void} end
 *
 * @typedef {object} Listeners
 * @property {(message: FromWorker) => void} onMessage
 * @property {(message: string) => void} onError  with the browser's message, which may be empty
 * @property {() => void} onReturn  the page was restored from the back/forward cache: register it at the worker again
 */

const WORKER = new URL("./worker.js", import.meta.url).href;

/** @type {boolean | null} */
let canShare = null;

/** @type {Promise<unknown> | null} */
let scriptRequest = null;

/**
 * Fetch the worker's script, once per page and in parallel with the entry file; the worker gets it from the browser's cache. A
 * worker whose script does not arrive reports nothing, so a timeout is needed here.
 *
 * @param {number} [timeout]  ms
 * @param {boolean} [reload]   skip the cache, which may contain a damaged copy
 * @throws {FetchFailure}
 */
export function fetchWorker(timeout = TIMEOUT, reload = false) {
  if (reload || !scriptRequest) {
    const request = (/** @type {RequestCache} */ cache, /** @type {AbortSignal} */ signal) => fetch(WORKER, { cache, signal });
    const download = (scriptRequest = downloadWithRetry("worker.js", request, { cache: reload ? "reload" : "default", timeout }));
    download.catch(() => {
      if (scriptRequest === download) scriptRequest = null; // the next caller tries again
    });
  }
  return scriptRequest;
}

/** Whether this browser supports `extendedLifetime`: its constructor then reads the option. */
function canShareWorker() {
  if (canShare !== null) return canShare;
  canShare = false;
  const options = {
    get extendedLifetime() {
      canShare = true;
      return true;
    },
  };
  try {
    new SharedWorker(scriptURL(INVALID_URL), /** @type {WorkerOptions} */ (options));
  } catch {
    // expected
  }
  return canShare;
}

/**
 * @param {Entry} entry
 * @param {boolean} shared
 * @param {Listeners} listeners
 */
export function startWorker(entry, shared, listeners) {
  if (shared && canShareWorker()) {
    try {
      return sharedConnection(entry, listeners);
    } catch {
      // Forbidden by a policy or a browser setting: use a dedicated worker.
    }
  }
  return dedicatedConnection(listeners);
}

/**
 * @param {Listeners} listeners
 * @returns {Connection}
 * @throws {RanvierError} "engine": the browser has no workers, or a setting forbids them
 */
function dedicatedConnection({ onMessage, onError }) {
  const worker = makeWorker();
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = (event) => {
    event.preventDefault();
    onError(event.message ?? "");
  };
  return { shared: false, send: (message) => worker.postMessage(message), end: () => worker.terminate() };
}

function makeWorker() {
  try {
    return new Worker(scriptURL(WORKER), { type: "module", name: "ranvier" });
  } catch (error) {
    throw new RanvierError(toFailure(error, "engine"));
  }
}

/**
 * @param {Entry} entry  the worker's name contains its files: a rebuilt site has another worker
 * @param {Listeners} listeners
 * @returns {Connection}
 */
function sharedConnection(entry, { onMessage, onError, onReturn }) {
  const name = `ranvier ${entry.manifest} ${entry.hot} ${entry.core}`;
  const options = /** @type {WorkerOptions} */ ({ type: "module", name, extendedLifetime: true });
  const worker = new SharedWorker(scriptURL(WORKER), options);
  const { port } = worker;
  const controller = new AbortController();
  const send = (/** @type {ToWorker} */ message) => port.postMessage(message);
  port.onmessage = ({ data }) => onMessage(data);
  worker.onerror = (event) => {
    event.preventDefault();
    // A second shared worker may become a connection to the failed one, which reports nothing: this page uses dedicated workers from now on.
    canShare = false;
    onError(event.message ?? "");
  };
  // A worker gets no event when a page is closed.
  addEventListener("pagehide", ({ persisted }) => send({ kind: "disconnect", close: false, returns: persisted }), controller);
  addEventListener("pageshow", ({ persisted }) => persisted && onReturn(), controller);
  const end = () => {
    controller.abort();
    send({ kind: "disconnect", close: true, returns: false });
    port.close();
  };
  return { shared: true, send, end };
}
