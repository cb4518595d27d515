/**
 * The worker: Pyodide, and in it the same search core that runs on a server.
 *
 * A search is a conversation with `ranvier.bridge`: it says which files it needs next, they are fetched in one parallel round
 * and handed over, and so on until it is done. Everything that crosses is a string or bytes; no Python is written here.
 */

import { engineOptions } from "./engine-lock.js";
import { unpack } from "./store/archive.js";
import { ChunkFile } from "./store/chunk-file.js";
import { ChunkSource, FetchFailure, fresh } from "./store/chunk-source.js";

/** @import { Entry, Failure, FromWorker, ToWorker } from "./protocol.js" */

/**
 * @typedef {object} Bridge  `ranvier.bridge.Bridge`
 * @property {(id: number, what: string, request: string) => string} start
 * @property {(id: number, names: unknown, buffers: unknown) => string} feed
 * @property {(id: number) => void} drop
 */

const FORMAT = 3;
const CORE = "/ranvier-core";
const DATABASE = "/ranvier-index.db";
// The smallest module there is. Where a policy forbids wasm this throws at once; Pyodide would wait for ever.
const NO_WASM = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** @type {Set<number>} */
const dropped = new Set();

/** @param {FromWorker} message */
const tell = (message) => self.postMessage(message);

class BootFailure extends Error {
  /** @param {Failure} failure */
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/**
 * Tell the page how much of the engine has arrived. The browser reports each file when the last byte of it is here.
 *
 * @param {string} engineURL
 * @param {Record<string, number>} sizes
 */
function follow(engineURL, sizes) {
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let loaded = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { name } of list.getEntries()) loaded += sizes[name.slice(engineURL.length)] ?? 0;
    tell({ kind: "progress", progress: { stage: "engine", loaded, total } });
  });
  observer.observe({ type: "resource" });
  return observer;
}

/** One engine over one site. */
class Session {
  /** @type {ChunkSource} */
  #source;
  /** @type {any} */
  #pyodide;
  /** @type {Bridge} */
  #bridge;

  /**
   * @param {ChunkSource} source
   * @param {any} pyodide
   * @param {Bridge} bridge
   */
  constructor(source, pyodide, bridge) {
    this.#source = source;
    this.#pyodide = pyodide;
    this.#bridge = bridge;
  }

  /**
   * @param {string} base
   * @returns {Promise<Session>}
   */
  static async open(base) {
    const source = new ChunkSource(base);
    const entry = await readEntry(source);
    const names = [entry.core, entry.manifest, entry.hot];
    const [pyodide, ...arrived] = await Promise.all([
      startPyodide(new URL(entry.engine, base).href, entry.engineFiles),
      ...names.map((name) => source.one(name)),
    ]);
    tell({ kind: "progress", progress: { stage: "index", loaded: 0, total: 0 } });
    const [core, ...files] = await whole(pyodide, source, names, arrived);
    unpack(pyodide.FS, /** @type {Uint8Array} */ (core), CORE);
    pyodide.pyimport("sys").path.insert(0, CORE);
    const pages = new ChunkFile(pyodide.FS, DATABASE);
    const { boot } = pyodide.pyimport("ranvier.bridge");
    const [bridge, error] = boot(pyodide.toPy(names.slice(1)), pyodide.toPy(files), pages);
    if (!bridge) throw new BootFailure(JSON.parse(error).error);
    return new Session(source, pyodide, bridge);
  }

  /**
   * @param {number} id
   * @param {string} what
   * @param {string} request
   * @returns {Promise<FromWorker>}
   */
  async ask(id, what, request) {
    let step = JSON.parse(this.#bridge.start(id, what, request));
    /** @type {string[]} */
    const given = [];
    while (step.need) {
      const { names, files, failure } = await this.#source.some(step.need);
      if (dropped.delete(id)) return this.#given(id);
      step = this.#feed(id, names, files);
      given.push(...names);
      // The core knows only that a file was not delivered.
      if (failure && step.error?.code === "fetch") step.error.message = failure.message;
      if (step.error?.code === "integrity") this.#source.suspect(names);
    }
    if (withoutVectors(step.done)) this.#source.suspect(given);
    return step.error ? { kind: "refused", id, error: step.error } : { kind: "answer", id, result: step.done };
  }

  /**
   * A search that was given up: the page does not wait for it any more.
   *
   * @param {number} id
   * @returns {FromWorker}
   */
  #given(id) {
    this.#bridge.drop(id);
    return { kind: "refused", id, error: { code: "stale", message: "the search was given up" } };
  }

  /**
   * @param {number} id
   * @param {string[]} names
   * @param {Uint8Array[]} files
   */
  #feed(id, names, files) {
    const [pyNames, pyFiles] = [this.#pyodide.toPy(names), this.#pyodide.toPy(files)];
    try {
      return JSON.parse(this.#bridge.feed(id, pyNames, pyFiles));
    } finally {
      pyNames.destroy();
      pyFiles.destroy();
    }
  }
}

/**
 * Whether an answer had to do without the search by meaning: a file of it may have been damaged, and the core does not say which.
 *
 * @param {{notices?: {code: string}[]} | undefined} result
 */
function withoutVectors(result) {
  return result?.notices?.some(({ code }) => code === "no-vectors") ?? false;
}

/**
 * Make sure that files are what their names say; what is not is fetched once more, past the browser's cache. Python digests
 * them: `crypto.subtle` is not there on plain http.
 *
 * @param {any} pyodide
 * @param {ChunkSource} source
 * @param {string[]} names  `core-<hex>.zip`: the hex is the beginning of the file's SHA-256
 * @param {Uint8Array[]} files
 * @returns {Promise<Uint8Array[]>}
 */
async function whole(pyodide, source, names, files) {
  const { sha256 } = pyodide.pyimport("hashlib");
  const isWhole = (/** @type {string} */ name, /** @type {Uint8Array} */ file) =>
    sha256(pyodide.toPy(file)).hexdigest().startsWith(/-([0-9a-f]+)\./.exec(name)?.[1] ?? "?");
  const check = async (/** @type {string} */ name, /** @type {Uint8Array} */ file) => {
    if (isWhole(name, file)) return file;
    const again = await source.one(name, "reload");
    if (isWhole(name, again)) return again;
    throw new BootFailure({ code: "integrity", message: `${name}: is not what its name says (${again.length} bytes)` });
  };
  return Promise.all(names.map((name, at) => check(name, files[at] ?? new Uint8Array())));
}

/**
 * @param {ChunkSource} source
 * @returns {Promise<Entry>}
 */
async function readEntry(source) {
  // Always asked anew: it is the one file whose name stays while what it says changes.
  const entry = JSON.parse(new TextDecoder().decode(await source.one("entry.json", "no-cache")));
  if (entry.format === FORMAT) return entry;
  const message = `this site's index has format ${entry.format}, and this page reads ${FORMAT}: reload the page`;
  throw new BootFailure({ code: "format", message });
}

/**
 * @param {string} engineURL
 * @param {Record<string, number>} sizes  of the engine's large files, by name
 */
async function startPyodide(engineURL, sizes) {
  try {
    new WebAssembly.Module(NO_WASM);
  } catch {
    throw new BootFailure({ code: "engine", message: "this site's content security policy forbids 'wasm-unsafe-eval'" });
  }
  const observer = follow(engineURL, sizes);
  // Where a file fails, Pyodide leaves rejected promises of its own behind; `failing` below has told the reason.
  const hush = (/** @type {PromiseRejectionEvent} */ event) => event.preventDefault();
  self.addEventListener("unhandledrejection", hush);
  const failing = prefetch(Object.keys(sizes).map((name) => engineURL + name));
  const { loadPyodide } = await import(`${engineURL}pyodide.mjs`);
  // Without its wasm Pyodide neither starts nor fails.
  const pyodide = await Promise.race([loadPyodide(engineOptions(engineURL)), failing]);
  observer.disconnect();
  self.removeEventListener("unhandledrejection", hush);
  return pyodide;
}

/**
 * Ask for Pyodide's large files before its own loader is there to ask for them; the loader then finds them on their way.
 *
 * @param {string[]} urls
 * @returns {Promise<never>} rejected where one of them cannot be had, and else never settled
 */
function prefetch(urls) {
  const network = self.fetch.bind(self);
  const early = new Map(urls.map((url) => [url, fresh(url, "default", network)]));
  /** @type {Promise<never>} */
  const failing = new Promise((_, reject) => {
    for (const [url, response] of early) {
      const name = url.slice(url.lastIndexOf("/") + 1);
      response.then(
        ({ ok, status }) => ok || reject(new FetchFailure(name, `the server answered ${status}`)),
        () => reject(new FetchFailure(name, "no connection, or it broke off")),
      );
    }
  });
  failing.catch(() => {}); // whoever races it gets the reason
  self.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const found = early.get(url);
    early.delete(url);
    return found ?? network(input, init);
  };
  return failing;
}

/** @param {any} error @returns {Failure} */
const failure = (error) => ({
  code: error?.code ?? (error instanceof FetchFailure ? "fetch" : "engine"),
  message: String(error?.message ?? error),
});

/** @type {Promise<Session>} */
let session;

/** @param {MessageEvent<ToWorker>} event */
self.onmessage = async ({ data }) => {
  if (data.kind === "boot") {
    session = Session.open(data.base);
    session.then(
      () => tell({ kind: "ready" }),
      (error) => tell({ kind: "failed", error: failure(error) }),
    );
  } else if (data.kind === "drop") {
    dropped.add(data.id);
  } else {
    try {
      const opened = await session;
      if (!dropped.delete(data.id)) tell(await opened.ask(data.id, data.what, data.request));
    } catch (error) {
      tell({ kind: "refused", id: data.id, error: { code: "internal", message: String(error) } });
    }
  }
};
