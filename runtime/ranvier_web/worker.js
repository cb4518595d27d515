/**
 * The worker, of one page or shared by all pages of a site. It passes requests to its single session, and sends each answer back
 * to the page that sent the request.
 */

import { EngineSession } from "./engine-session.js";
import { toFailure } from "./errors.js";

/** @import { FromWorker, StartOptions, ToWorker } from "./protocol.js" */

/** @typedef {{postMessage: (message: FromWorker) => void, onmessage: ((event: MessageEvent<ToWorker>) => void) | null}} Port */

/** Pages with their pending requests. @type {Map<Port, Map<number, AbortController>>} */
const pages = new Map();

/** Pages in the back/forward cache: the browser may show them again. @type {Set<Port>} */
const cachedPages = new Set();

/** @type {Promise<EngineSession> | null} */
let session = null;

/** Those of the last page. @type {StartOptions | null} */
let bootOptions = null;

/** @param {FromWorker} message */
const notifyAll = (message) => pages.forEach((_, page) => page.postMessage(message));

/**
 * @param {Port} page
 * @param {Extract<ToWorker, {kind: "boot"}>} message
 */
function boot(page, { kind: _, ...startOptions }) {
  const isOpen = pages.has(page);
  if (!isOpen) pages.set(page, new Map());
  cachedPages.delete(page);
  bootOptions = startOptions;
  openSession(startOptions).then(
    () => page.postMessage({ kind: "ready" }),
    (error) => page.postMessage({ kind: "failed", error: toFailure(error, "engine") }),
  );
}

/** @param {StartOptions} startOptions */
function openSession(startOptions) {
  if (session) return session;
  const opening = (session = EngineSession.open(startOptions, (progress) => notifyAll({ kind: "progress", progress })));
  opening.catch(() => {
    if (session === opening) session = null; // the next page tries again
  });
  return opening;
}

/**
 * Call the session. If Python has crashed, which fails every request, start another session and call that one.
 *
 * @param {Promise<EngineSession>} opening
 * @param {StartOptions} startOptions
 * @param {[method: string, request: string, signal: AbortSignal]} request
 */
async function callWithRestart(opening, startOptions, request) {
  try {
    return await (await opening).call(...request);
  } catch (error) {
    if (request[2].aborted) throw error;
    if (session === opening) session = null;
    const newSession = openSession(startOptions);
    newSession.catch((reason) => notifyAll({ kind: "failed", error: toFailure(reason, "engine") }));
    try {
      return await (await newSession).call(...request);
    } catch (reason) {
      if (session === newSession && !request[2].aborted) session = null;
      throw reason;
    }
  }
}

/**
 * @param {Port} page
 * @param {Extract<ToWorker, {kind: "request"}>} message
 */
async function answer(page, { id, method, request }) {
  const controller = new AbortController();
  pages.get(page)?.set(id, controller);
  try {
    if (!bootOptions) return;
    const opening = openSession(bootOptions);
    await opening;
    if (controller.signal.aborted) return;
    const { done, error, used } = await callWithRestart(opening, bootOptions, [method, request, controller.signal]);
    page.postMessage(error ? { kind: "error", id, error } : { kind: "answer", id, result: done, used });
  } catch (error) {
    page.postMessage({ kind: "error", id, error: toFailure(error) });
  } finally {
    pages.get(page)?.delete(id);
  }
}

/**
 * Remove a page and abort its pending requests. The worker ends when the last page closes.
 *
 * @param {Port} page
 * @param {{close: boolean, returns: boolean}} options
 */
function disconnect(page, { close, returns }) {
  pages.get(page)?.forEach((request) => request.abort());
  pages.delete(page);
  if (returns) cachedPages.add(page);
  else cachedPages.delete(page);
  if (close && pages.size + cachedPages.size === 0) self.close();
}

/** @param {Port} page */
function serve(page) {
  page.onmessage = ({ data }) => {
    if (data.kind === "boot") boot(page, data);
    else if (data.kind === "request") void answer(page, data);
    else if (data.kind === "cancel") pages.get(page)?.get(data.id)?.abort();
    else if (data.kind === "disconnect") disconnect(page, data);
    else page.postMessage({ kind: "pong" });
  };
}

if ("SharedWorkerGlobalScope" in globalThis) {
  /** @type {any} */ (self).onconnect = (/** @type {MessageEvent} */ { ports }) => serve(/** @type {MessagePort} */ (ports[0]));
} else serve(/** @type {any} */ (self));
