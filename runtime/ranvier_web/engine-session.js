/**
 * One engine over one site, inside the worker.
 *
 * A search is a loop with `ranvier.bridge`: the bridge returns the files that it needs next, they are fetched in one parallel round
 * and passed to it, until the search is done. Only strings and bytes are exchanged; this file contains no Python code.
 */

import { startEngine } from "./boot/engine.js";
import { CANCELLED, RanvierError, UPDATED } from "./errors.js";
import { importModule } from "./modules.js";
import { inflate, readArchive } from "./store/archive.js";
import { downloadWithRetry, FetchFailure } from "./store/download.js";
import { SparseFile } from "./store/sparse-file.js";
import { FileSource } from "./store/file-source.js";

/** @import { StartedEngine } from "./boot/engine.js" */
/** @import { SealedFiles } from "./layers/sealed-files.js" */
/** @import { Failure, Progress, StartOptions } from "./protocol.js" */

/**
 * @typedef {object} Bridge  `ranvier.bridge.Bridge`
 * @property {(id: number, method: string, request: string) => string} start
 * @property {(id: number, names: unknown, buffers: unknown) => string} feed
 * @property {(names: unknown, buffers: unknown) => void} take
 * @property {(id: number) => void} drop
 *
 * @typedef {{done?: any, need?: string[], hints?: string[], error?: Failure}} Step
 * @typedef {{done?: any, error?: Failure, used: string[]}} Answer  to a request, with the files that were fetched for it
 */

const DATABASE = "/ranvier-index.db";
/** Share of the engine that is loaded before the other files are requested: they arrive while Python starts, and not before it. */
const LOADED_SHARE = 0.7;

export class EngineSession {
  #source;
  #entry;
  #bridge;
  #frugal;
  #engine;
  #sealed;
  #tickets = 0;

  /**
   * @param {FileSource} source
   * @param {StartOptions} startOptions
   * @param {StartedEngine} engine
   * @param {Bridge} bridge
   * @param {SealedFiles | null} sealed
   */
  constructor(source, { entry, frugal }, engine, bridge, sealed) {
    this.#sealed = sealed;
    this.#source = source;
    this.#entry = entry;
    this.#frugal = frugal;
    this.#engine = engine;
    this.#bridge = bridge;
  }

  /**
   * @param {StartOptions} startOptions
   * @param {(progress: Progress) => void} onProgress
   */
  static async open(startOptions, onProgress) {
    const { base, entry, timeout } = startOptions;
    const sealed = await openSealedFiles(startOptions);
    const source = new FileSource(base, sealed ? (url, init) => sealed.fetch(String(url), init) : undefined, timeout);
    const indexNames = [entry.manifest, entry.hot];
    const archiveNames = [entry.core, ...(entry.langs ? [entry.langs] : [])];
    const names = [...indexNames, ...archiveNames];
    /** @type {Map<string, Promise<Uint8Array>>} */
    const files = new Map();
    const requestFiles = () => {
      if (files.size) return;
      for (const name of names) files.set(name, source.fetchFile(name));
      for (const file of files.values()) file.catch(() => {}); // reported below
      // After the core, which is needed first. Without them, the first semantic search has an additional round.
      if (!startOptions.frugal) files.get(entry.core)?.then(() => source.prefetch(entry.vectors ?? []), () => {});
    };
    const engine = await startEngine(startOptions, (progress) => {
      if (progress.loaded >= progress.total * LOADED_SHARE) requestFiles();
      onProgress(progress);
    });
    requestFiles();
    onProgress({ stage: "index", loaded: 0, total: 0 });
    const { pyodide } = engine;
    const contents = await fetchVerified(pyodide, source, names, files);
    const archives = pyodide.pyimport("archives");
    for (const name of archiveNames) archives.add(pyodide.toPy(readArchive(/** @type {Uint8Array} */ (contents.get(name)))));
    const database = new SparseFile(pyodide.FS, DATABASE);
    const { boot } = pyodide.pyimport("ranvier.bridge");
    const indexFiles = indexNames.map((name) => contents.get(name));
    const [bridge, error] = boot(pyodide.toPy(indexNames), pyodide.toPy(indexFiles), database);
    if (!bridge) throw new RanvierError(JSON.parse(error).error);
    return new EngineSession(source, startOptions, engine, bridge, sealed);
  }

  /**
   * @param {string} method
   * @param {string} request
   * @param {AbortSignal} signal
   */
  async call(method, request, signal) {
    try {
      return await this.#callTwice(method, request, signal);
    } catch (error) {
      throw this.#engine.failure() ?? error;
    }
  }

  /**
   * @param {string} method
   * @param {string} request
   * @param {AbortSignal} signal
   * @returns {Promise<Answer>}
   */
  async #callTwice(method, request, signal) {
    const first = await this.#attempt(method, request, signal);
    // A cached file may be damaged: try again without the cache.
    const last = first.isDamaged && !signal.aborted ? await this.#attempt(method, request, signal) : first;
    // A complete answer needs no such check, even if an optional file is missing.
    const needsCheck = last.error !== undefined || lacksVectors(last.done);
    return needsCheck && (last.isDamaged || last.isIncomplete) && (await this.#isUpdated()) ? { error: UPDATED, used: [] } : last;
  }

  /**
   * @param {string} method
   * @param {string} request
   * @param {AbortSignal} signal
   * @returns {Promise<Answer & {isDamaged?: boolean, isIncomplete?: boolean}>}
   */
  async #attempt(method, request, signal) {
    const ticket = ++this.#tickets;
    this.#take();
    /** @type {Step} */
    let step = JSON.parse(this.#bridge.start(ticket, method, request));
    /** @type {string[]} */
    const requested = [];
    /** @type {FetchFailure | null} */
    let firstFailure = null;
    while (step.need) {
      const response = this.#source.fetchFiles(step.need, signal);
      if (step.hints && !this.#frugal) this.#source.prefetch(step.hints); // after the needed files
      const { names, files, failure } = await response;
      if (signal.aborted) {
        this.#bridge.drop(ticket);
        return { error: CANCELLED, used: [] };
      }
      step = JSON.parse(this.#callPython(names, files, (pyNames, pyFiles) => this.#bridge.feed(ticket, pyNames, pyFiles)));
      requested.push(...names);
      firstFailure ??= failure;
      // The core only detects that a file is missing; the failure has the reason.
      if (failure && step.error?.code === "fetch") step.error = { code: failure.code, message: failure.message };
      if (step.error?.code === "integrity") this.#source.markSuspect(names);
    }
    const isWithoutVectors = lacksVectors(step.done);
    if (isWithoutVectors) this.#source.markSuspect(requested);
    const hasDamagedVectors = isWithoutVectors && !firstFailure && requested.some((name) => name.startsWith("vectors/"));
    const isDamaged = step.error?.code === "integrity" || hasDamagedVectors;
    return { ...step, used: requested, isDamaged, isIncomplete: firstFailure !== null };
  }

  /** Whether files are missing because the site was updated. */
  async #isUpdated() {
    if (this.#sealed) return this.#sealed.isUpdated();
    try {
      const current = JSON.parse(new TextDecoder().decode(await this.#source.fetchFile("entry.json", { cache: "no-cache" })));
      return current.manifest !== this.#entry.manifest || current.hot !== this.#entry.hot;
    } catch {
      return false;
    }
  }

  /** Pass on the prefetched files that a semantic search reads first: this saves it one round. */
  #take() {
    const { names, files } = this.#source.takePrefetched(this.#entry.vectors ?? []);
    if (names.length) this.#callPython(names, files, (pyNames, pyFiles) => this.#bridge.take(pyNames, pyFiles));
  }

  /**
   * @template T
   * @param {string[]} names
   * @param {Uint8Array[]} files
   * @param {(names: unknown, files: unknown) => T} call
   */
  #callPython(names, files, call) {
    const [pyNames, pyFiles] = [this.#engine.pyodide.toPy(names), this.#engine.pyodide.toPy(files)];
    try {
      return call(pyNames, pyFiles);
    } finally {
      pyNames.destroy();
      pyFiles.destroy();
    }
  }
}

/**
 * Return the reader of an encrypted layer, if one is open.
 *
 * @param {StartOptions} startOptions
 * @returns {Promise<SealedFiles | null>}
 */
async function openSealedFiles({ base, layer, timeout }) {
  if (!layer) return null;
  const module = await importModule(new URL("./layers/sealed-files.js", import.meta.url).href, timeout);
  return new module.SealedFiles(base, layer, { FetchFailure, downloadWithRetry, inflate });
}

/**
 * Whether the answer is without semantic search: one of its files may be damaged, and the core does not report which.
 *
 * @param {{notices?: {code: string}[]} | undefined} result
 */
function lacksVectors(result) {
  return result?.notices?.some(({ code }) => code === "no-vectors") ?? false;
}

/**
 * Compare files with the digests in their names; fetch a file that differs again, without the browser's cache. Python computes
 * the digests, because `crypto.subtle` is missing on plain http.
 *
 * @param {any} pyodide
 * @param {FileSource} source
 * @param {string[]} names  `core-<hex>.wasm`: the hex is a prefix of the file's SHA-256
 * @param {Map<string, Promise<Uint8Array>>} files  those that are already requested
 * @returns {Promise<Map<string, Uint8Array>>}
 */
async function fetchVerified(pyodide, source, names, files) {
  const { sha256 } = pyodide.pyimport("hashlib");
  const isIntact = (/** @type {string} */ name, /** @type {Uint8Array} */ file) =>
    sha256(pyodide.toPy(file)).hexdigest().startsWith(/-([0-9a-f]+)\.\w+$/.exec(name)?.[1] ?? "?");
  const fetchIntact = async (/** @type {string} */ name) => {
    const file = await (files.get(name) ?? source.fetchFile(name));
    if (isIntact(name, file)) return file;
    const fresh = await source.fetchFile(name, { cache: "reload" });
    if (isIntact(name, fresh)) return fresh;
    throw new RanvierError({ code: "integrity", message: `${name}: does not match its digest (${fresh.length} bytes)` });
  };
  return new Map(await Promise.all(names.map(async (name) => /** @type {const} */ ([name, await fetchIntact(name)]))));
}
