/**
 * Reads the files of an encrypted layer. A page and its worker each have one reader; the keys cannot be exported.
 *
 * The builder's counterpart is `layers/container.py`, and the manual describes the format: `site_example/content/format/layers.md`.
 */

/** @import { inflate } from "../store/archive.js" */
/** @import { downloadWithRetry, FetchFailure } from "../store/download.js" */
/** @import { Layer } from "../protocol.js" */

/**
 * @typedef {{FetchFailure: typeof FetchFailure, downloadWithRetry: typeof downloadWithRetry, inflate: typeof inflate}} Tools
 * the caller's modules. This module imports nothing: in WebKit, an import of what it shares with the worker's script would run that
 * script a second time, with another session that never starts.
 */

const NONCE = 12; // bytes
const MARK = 6; // bytes of a nonce in the directory
const NAME = 16; // bytes
const HEAD = 5; // bytes of the plaintext before the content

export class SealedFiles {
  #base;
  #root;
  #layer;
  #tools;

  /**
   * @param {string} base  the address of the `_ranvier/` folder
   * @param {Layer} layer
   * @param {Tools} tools
   */
  constructor(base, layer, tools) {
    this.#base = base;
    this.#root = new URL("../", base).href;
    this.#layer = layer;
    this.#tools = tools;
  }

  /**
   * Fetch an address of the site: decrypted if the layer has this file, otherwise the public file.
   *
   * @param {string} url
   * @param {RequestInit} [init]
   * @returns {Promise<Response>}  an encrypted file that does not open is an error of the body
   */
  async fetch(url, init) {
    const path = decodeURIComponent(url.replace(/[?#].*/, "").slice(this.#root.length));
    if (!Object.hasOwn(this.#layer.files, path)) return fetch(url, init);
    const response = await this.#sealed(path, init);
    return response.ok && response.body ? new Response(this.#opened(path, response.body.getReader())) : response;
  }

  /** Whether the site was built again since the directory was read, or the key was revoked. @returns {Promise<boolean>} */
  async isUpdated() {
    try {
      const response = await this.#sealed("", { cache: "no-cache" });
      return response.status === 404 || (response.ok && markOf(await response.arrayBuffer()) !== this.#layer.mark);
    } catch {
      return false;
    }
  }

  /**
   * Read the directory.
   *
   * @param {number} [timeout]  ms
   * @returns {Promise<{directory: any, mark: string}>}
   * @throws {FetchFailure}
   */
  async directory(timeout) {
    const request = (/** @type {RequestCache} */ cache, /** @type {AbortSignal} */ signal) => this.#sealed("", { cache, signal });
    const data = await this.#tools.downloadWithRetry("the directory", request, { cache: "no-cache", timeout });
    const text = new TextDecoder().decode(await this.#plain("", new Uint8Array(data)));
    return { directory: JSON.parse(text), mark: markOf(data.buffer) };
  }

  /**
   * @param {string} path  "" is that of the directory
   * @param {RequestInit} [init]
   */
  async #sealed(path, init) {
    const { id, names } = this.#layer;
    const mac = await crypto.subtle.sign("HMAC", names, new TextEncoder().encode(path));
    return fetch(`${this.#base}layers/${id}/${hex(mac, NAME)}.bin`, init);
  }

  /**
   * @param {string} path
   * @param {ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>} reader
   * @returns {ReadableStream<Uint8Array<ArrayBuffer>>}
   */
  #opened(path, reader) {
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const pieces = [];
    return new ReadableStream({
      pull: async (to) => {
        const { done, value } = await reader.read();
        if (done) {
          to.enqueue(await this.#plain(path, new Uint8Array(await new Blob(pieces).arrayBuffer())));
          return to.close();
        }
        pieces.push(value);
        to.enqueue(new Uint8Array(0)); // a sign of life: the download's timeout starts again
      },
      cancel: () => reader.cancel(),
    });
  }

  /**
   * @param {string} path
   * @param {Uint8Array<ArrayBuffer>} data
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   * @throws {FetchFailure} "integrity"
   */
  async #plain(path, data) {
    const { id, files, contents } = this.#layer;
    const found = markOf(data.buffer);
    const [size, mark] = files[path] ?? [data.length, found];
    if (found !== mark) throw this.#damaged(path, "is not of this build");
    if (data.length !== size) throw this.#damaged(path, `has ${data.length} of ${size} bytes`);
    try {
      const additionalData = new TextEncoder().encode(`ranvier layer 1\n${id}\n${path}`);
      const algorithm = { name: "AES-GCM", iv: data.subarray(0, NONCE), additionalData };
      return await this.#unpacked(await crypto.subtle.decrypt(algorithm, contents, data.subarray(NONCE)));
    } catch {
      throw this.#damaged(path, "is damaged, or is not of this layer");
    }
  }

  /** Return the content of a padded plaintext. @param {ArrayBuffer} plain */
  async #unpacked(plain) {
    const content = new Uint8Array(plain, HEAD, new DataView(plain).getUint32(1));
    return new Uint8Array(plain)[0] ? /** @type {Uint8Array<ArrayBuffer>} */ (await this.#tools.inflate(content)) : content;
  }

  /**
   * @param {string} path
   * @param {string} why
   */
  #damaged(path, why) {
    return Object.assign(new this.#tools.FetchFailure(path || "the directory", why), { code: "integrity" });
  }
}

/** @param {ArrayBufferLike} data  a file */
const markOf = (data) => hex(data, Math.min(MARK, data.byteLength));

/**
 * @param {ArrayBufferLike} data
 * @param {number} count  bytes
 */
const hex = (data, count) => Array.from(new Uint8Array(data, 0, count), (byte) => byte.toString(16).padStart(2, "0")).join("");
