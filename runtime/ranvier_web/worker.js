/**
 * The worker, of one page or shared by all pages of a site. It passes requests to its single session, and sends each answer back
 * to the page that asked.
 */

import { EngineSession } from "./engine-session.js";
import { FetchFailure } from "./store/download.js";

/** @import { Failure, FromWorker, ToWorker } from "./protocol.js" */

/** @typedef {{postMessage: (message: FromWorker) => void, onmessage: ((event: MessageEvent<ToWorker>) => void) | null}} Port */

/** Pages with their pending requests. @type {Map<Port, Map<number, AbortController>>} */
const pages = new Map();

/** Pages in the back/forward cache, which may be shown again. @type {Set<Port>} */
const away = new Set();

/** @type {Promise<EngineSession> | null} */
let session = null;

/** The boot parameters of the last page. @type {Omit<Extract<ToWorker, {kind: "boot"}>, "kind"> | null} */
let bootOptions = null;

/** @param {FromWorker} message */
const tellAll = (message) => pages.forEach((_, page) => page.postMessage(message));

/** @param {any} error @returns {Failure} */
const failure = (error) => ({
  code: error?.code ?? (error instanceof FetchFailure ? "fetch" : "engine"),
  message: String(error?.message ?? error),
});

/**
 * @param {Port} page
 * @param {Extract<ToWorker, {kind: "boot"}>} message
 */
function boot(page, { kind: _, ...starting }) {
  const isOpen = pages.has(page);
  if (!isOpen) pages.set(page, new Map());
  away.delete(page);
  bootOptions = starting;
  opened(starting).then(
    ({ bootMethod }) => page.postMessage({ kind: "ready", bootMethod }),
    (error) => page.postMessage({ kind: "failed", error: failure(error) }),
  );
}

/**
 * @param {NonNullable<typeof bootOptions>} starting
 * @returns {Promise<EngineSession>}
 */
function opened(starting) {
  if (session) return session;
  const opening = (session = EngineSession.open(starting, (progress) => tellAll({ kind: "progress", progress })));
  opening.catch(() => {
    if (session === opening) session = null; // the next page tries again
  });
  return opening;
}

/**
 * Ask the session. If Python has crashed, which fails every request, start another session and ask that one. It starts from the
 * library and the whole module: the cause may be the snapshot, or a missing second part of the module.
 *
 * @param {Promise<EngineSession>} asking
 * @param {NonNullable<typeof bootOptions>} starting
 * @param {[what: string, request: string, signal: AbortSignal]} question
 */
async function answered(asking, starting, question) {
  try {
    return await (await asking).ask(...question);
  } catch (error) {
    if (question[2].aborted) throw error;
    if (session === asking) session = null;
    const another = opened({ ...starting, library: true, whole: true });
    another.catch((why) => tellAll({ kind: "failed", error: failure(why) }));
    return (await another).ask(...question);
  }
}

/**
 * @param {Port} page
 * @param {Extract<ToWorker, {kind: "ask"}>} message
 */
async function ask(page, { id, what, request }) {
  const giveUp = new AbortController();
  pages.get(page)?.set(id, giveUp);
  try {
    const asking = session;
    await asking;
    if (giveUp.signal.aborted || !asking || !bootOptions) return;
    const { done, error, used } = await answered(asking, bootOptions, [what, request, giveUp.signal]);
    page.postMessage(error ? { kind: "refused", id, error } : { kind: "answer", id, result: done, used });
  } catch (error) {
    page.postMessage({ kind: "refused", id, error: { code: "internal", message: String(error) } });
  } finally {
    pages.get(page)?.delete(id);
  }
}

/**
 * Remove a page and abort its pending requests. The worker ends when the last page closes.
 *
 * @param {Port} page
 * @param {{close: boolean, returns: boolean}} how
 */
function leave(page, { close, returns }) {
  pages.get(page)?.forEach((question) => question.abort());
  pages.delete(page);
  if (returns) away.add(page);
  else away.delete(page);
  if (close && pages.size + away.size === 0) self.close();
}

/** @param {Port} page */
function serve(page) {
  page.onmessage = ({ data }) => {
    if (data.kind === "boot") boot(page, data);
    else if (data.kind === "ask") void ask(page, data);
    else if (data.kind === "drop") pages.get(page)?.get(data.id)?.abort();
    else if (data.kind === "leave") leave(page, data);
    else page.postMessage({ kind: "pong" });
  };
}

if ("SharedWorkerGlobalScope" in globalThis) {
  /** @type {any} */ (self).onconnect = (/** @type {MessageEvent} */ { ports }) => serve(/** @type {MessagePort} */ (ports[0]));
} else serve(/** @type {any} */ (self));
