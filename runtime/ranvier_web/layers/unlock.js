/** Opens an encrypted layer with a passphrase. The module is loaded when a reader unlocks. */

import { FORMAT, readEntry } from "../entry.js";
import { RanvierError, toRanvierError } from "../errors.js";
import { inflate } from "../store/archive.js";
import { downloadWithRetry, FetchFailure } from "../store/download.js";
import { SealedFiles } from "./sealed-files.js";

/** @import { UnlockOptions } from "../options.js" */
/** @import { Entry, Layer } from "../protocol.js" */

/**
 * @typedef {{salt: string, iterations: number, nonce: string, key: string}} Slot  binary values in Base64
 * @typedef {{salt: string, key: string}} StoredKey  in the tab, if the reader wants that: the key that wraps a layer's key
 */

const STORAGE_PREFIX = "ranvier-unlock "; // and the path of the site: the name in the session storage
const ENTRY = "_ranvier/entry.json";
const TOOLS = { FetchFailure, downloadWithRetry, inflate };
const utf8 = new TextEncoder();

export class UnlockedLayer {
  /** The audience whose pages can be searched. */
  audience = "";
  /** The reader's keys and the directory, for the worker. */
  layer;
  #base;
  #timeout;
  #files;
  /** Pages that are not public: address → audience. @type {Record<string, string>} */
  #pages = {};
  /** @type {Set<string>} */
  #public = new Set();

  /**
   * @param {URL} base
   * @param {Layer} layer
   * @param {number} [timeout]  ms
   */
  constructor(base, layer, timeout) {
    this.#base = base;
    this.#timeout = timeout;
    this.layer = layer;
    this.#files = new SealedFiles(base.href, layer, TOOLS);
  }

  /**
   * @param {URL} base
   * @param {string | null} passphrase  null: the key that this tab keeps
   * @param {UnlockOptions & {timeout?: number}} options
   * @throws {RanvierError}
   */
  static async open(base, passphrase, { file, keep = false, timeout }) {
    if (!globalThis.crypto?.subtle) throw new RanvierError({ code: "insecure", message: "unlocking needs an https address" });
    try {
      const { layers } = await fetchWrappedKeys(base, file, timeout);
      const keys = await (passphrase === null ? restoreKeys(base, layers) : deriveKeys(base, layers, passphrase, keep));
      if (!keys) throw new RanvierError({ code: "passphrase", message: "this passphrase opens no layer of the site" });
      const layer = new UnlockedLayer(base, { ...keys, files: {}, mark: "" }, timeout);
      await layer.entry();
      return layer;
    } catch (error) {
      throw toRanvierError(error);
    }
  }

  /** Forget the key that this tab keeps. */
  forget() {
    try {
      sessionStorage.removeItem(STORAGE_PREFIX + this.#base.pathname);
    } catch {
      // The browser refuses storage, so nothing is stored.
    }
  }

  /**
   * Read the directory of the current build, and return the layer's entry file.
   *
   * @returns {Promise<Entry>}
   * @throws {RanvierError}
   */
  async entry() {
    const { directory, mark } = await this.#files.readDirectory(this.#timeout);
    const { audience, files, pages } = directory;
    [this.audience, this.#pages, this.#public] = [audience, pages, new Set(directory.public)];
    this.layer = { ...this.layer, files, mark };
    this.#files = new SealedFiles(this.#base.href, this.layer, TOOLS);
    const entry = JSON.parse(new TextDecoder().decode(await this.file(ENTRY)));
    if (entry.format !== FORMAT) throw new RanvierError({ code: "format", message: `the layer has format ${entry.format}: reload the page` });
    return { ...entry, offline: null }; // decrypted text is never stored
  }

  /**
   * Return a file of the audience's site.
   *
   * @param {string} path  relative to the site's root
   * @returns {Promise<Uint8Array>}
   * @throws {FetchFailure}
   */
  file(path) {
    const url = new URL("../", this.#base).href + path.split("/").map(encodeURIComponent).join("/");
    return downloadWithRetry(path, (cache, signal) => this.fetch(url, { cache, signal }), { timeout: this.#timeout });
  }

  /** Whether the layer itself has a file. @param {string} path */
  has(path) {
    return Object.hasOwn(this.layer.files, path);
  }

  /** Whether the public site has a file of this path. @param {string} path */
  isPublic(path) {
    return this.#public.has(path);
  }

  /**
   * @param {string} url
   * @param {RequestInit} [init]
   */
  fetch(url, init) {
    return this.#files.fetch(url, init);
  }

  isUpdated() {
    return this.#files.isUpdated();
  }

  /** Decrypted files are not stored. @throws {RanvierError} */
  refuseStorage() {
    throw new RanvierError({ code: "offline", message: "decrypted files are not stored" });
  }

  /**
   * Return the audience of a page; "" if the page is public.
   *
   * @param {string} url  relative to the site's root
   */
  audienceOf(url) {
    return this.#pages[url.replace(/#.*/, "")] ?? "";
  }

  /**
   * Add its audience to each hit that is not public.
   *
   * @template T
   * @param {T} answer
   */
  labelled(answer) {
    const { hits } = /** @type {any} */ (answer);
    if (!hits) return answer;
    return { ...answer, hits: hits.map((/** @type {any} */ hit) => ({ ...hit, audience: this.audienceOf(hit.url) })) };
  }
}

/**
 * @param {URL} base
 * @param {string | undefined} file  a hidden name
 * @param {number} [timeout]
 * @returns {Promise<{layers: {id: string, slots: Slot[]}[]}>}
 */
async function fetchWrappedKeys(base, file, timeout) {
  const name = file ? `layers/${file}.json` : (await readEntry(base, timeout)).locked;
  if (!name) throw new RanvierError({ code: "request", message: "this site has no locked part" });
  const { href } = new URL(name, base);
  const data = await downloadWithRetry(name, (cache, signal) => fetch(href, { cache, signal }), { cache: "no-cache", timeout });
  try {
    const keys = JSON.parse(new TextDecoder().decode(data));
    if (keys.format === 1) return keys;
  } catch {
    // reported below
  }
  throw new RanvierError({ code: "format", message: `${name}: this page cannot read it: reload the page` });
}

/**
 * Try a passphrase for all slots.
 *
 * @param {URL} base
 * @param {{id: string, slots: Slot[]}[]} layers
 * @param {string} passphrase
 * @param {boolean} keep
 */
async function deriveKeys(base, layers, passphrase, keep) {
  const secret = await crypto.subtle.importKey("raw", utf8.encode(passphrase.normalize("NFC")), "PBKDF2", false, ["deriveBits"]);
  for (const { id, slots } of layers) {
    for (const slot of slots) {
      const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: fromBase64(slot.salt), iterations: slot.iterations };
      const wrappingKey = new Uint8Array(await crypto.subtle.deriveBits(algorithm, secret, 256));
      const keys = await unwrapKeys(id, slot, wrappingKey);
      if (keys && keep) storeKey(base, { salt: slot.salt, key: btoa(String.fromCharCode(...wrappingKey)) });
      wrappingKey.fill(0);
      if (keys) return keys;
    }
  }
  return null;
}

/**
 * @param {URL} base
 * @param {{id: string, slots: Slot[]}[]} layers
 */
async function restoreKeys(base, layers) {
  /** @type {StoredKey} */
  const storedKey = JSON.parse(sessionStorage.getItem(STORAGE_PREFIX + base.pathname) ?? "{}");
  for (const { id, slots } of layers) {
    const slot = slots.find(({ salt }) => salt === storedKey.salt);
    if (slot) return unwrapKeys(id, slot, fromBase64(storedKey.key));
  }
  return null;
}

/**
 * @param {URL} base
 * @param {StoredKey} storedKey
 */
function storeKey(base, storedKey) {
  try {
    sessionStorage.setItem(STORAGE_PREFIX + base.pathname, JSON.stringify(storedKey));
  } catch {
    // The browser refuses storage: the layer is open until the page is left.
  }
}

/**
 * Return the keys of a layer, which cannot be exported; null if the slot belongs to another passphrase.
 *
 * @param {string} id
 * @param {Slot} slot
 * @param {Uint8Array<ArrayBuffer>} wrappingKey
 * @returns {Promise<Pick<Layer, "id" | "names" | "contents"> | null>}
 */
async function unwrapKeys(id, slot, wrappingKey) {
  const kek = await crypto.subtle.importKey("raw", wrappingKey, "AES-GCM", false, ["unwrapKey"]);
  const algorithm = { name: "AES-GCM", iv: fromBase64(slot.nonce), additionalData: utf8.encode(`ranvier layer 1\n${id}\nkeys`) };
  try {
    const key = await crypto.subtle.unwrapKey("raw", fromBase64(slot.key), kek, algorithm, "HKDF", false, ["deriveKey"]);
    const derive = (/** @type {string} */ purpose, /** @type {any} */ keyAlgorithm, /** @type {KeyUsage} */ usage) => {
      const hkdf = { name: "HKDF", hash: "SHA-256", salt: utf8.encode(id), info: utf8.encode(`ranvier layer ${purpose}`) };
      return crypto.subtle.deriveKey(hkdf, key, keyAlgorithm, false, [usage]);
    };
    const names = await derive("names", { name: "HMAC", hash: "SHA-256", length: 256 }, "sign");
    return { id, names, contents: await derive("files", { name: "AES-GCM", length: 256 }, "decrypt") };
  } catch {
    return null;
  }
}

/** @param {string} base64 */
const fromBase64 = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
