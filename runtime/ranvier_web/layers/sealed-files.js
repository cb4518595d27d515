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

const NONCE_SIZE = 12; // bytes
const MARK_SIZE = 6; // bytes of a nonce in the directory
const NAME_SIZE = 16; // bytes
const HEAD_SIZE = 5; // bytes of the plaintext before the content

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
    const response = await this.#fetchSealed(path, init);
    return response.ok && response.body ? new Response(this.#decryptStream(path, response.body.getReader())) : response;
  }

  /** Whether the site was built again since the directory was read, or the key was revoked. */
  async isUpdated() {
    try {
      const response = await this.#fetchSealed("", { cache: "no-cache" });
      return response.status === 404 || (response.ok && markOf(await response.arrayBuffer()) !== this.#layer.mark);
    } catch {
      return false;
    }
  }

  /**
   * Read the directory.
   *
   * @param {number} [timeout]  ms
   * @throws {FetchFailure}
   */
  async readDirectory(timeout) {
    const request = (/** @type {RequestCache} */ cache, /** @type {AbortSignal} */ signal) => this.#fetchSealed("", { cache, signal });
    const data = await this.#tools.downloadWithRetry("the directory", request, { cache: "no-cache", timeout });
    const text = new TextDecoder().decode(await this.#decrypt("", new Uint8Array(data)));
    return { directory: JSON.parse(text), mark: markOf(data.buffer) };
  }

  /**
   * @param {string} path  "" is that of the directory
   * @param {RequestInit} [init]
   */
  async #fetchSealed(path, init) {
    const { id, names } = this.#layer;
    const mac = await crypto.subtle.sign("HMAC", names, new TextEncoder().encode(path));
    return fetch(`${this.#base}layers/${id}/${hex(mac, NAME_SIZE)}.bin`, init);
  }

  /**
   * @param {string} path
   * @param {ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>} reader
   * @returns {ReadableStream<Uint8Array<ArrayBuffer>>}
   */
  #decryptStream(path, reader) {
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const pieces = [];
    return new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) {
          controller.enqueue(await this.#decrypt(path, new Uint8Array(await new Blob(pieces).arrayBuffer())));
          return controller.close();
        }
        pieces.push(value);
        controller.enqueue(new Uint8Array(0)); // data: the download's timeout starts again
      },
      cancel: () => reader.cancel(),
    });
  }

  /**
   * @param {string} path
   * @param {Uint8Array<ArrayBuffer>} data
   * @throws {FetchFailure} "integrity"
   */
  async #decrypt(path, data) {
    const { id, files, contents } = this.#layer;
    const actual = markOf(data.buffer);
    const [size, mark] = files[path] ?? [data.length, actual];
    if (actual !== mark) throw this.#damageError(path, "is not of this build");
    if (data.length !== size) throw this.#damageError(path, `has ${data.length} of ${size} bytes`);
    try {
      const additionalData = new TextEncoder().encode(`ranvier layer 1\n${id}\n${path}`);
      const algorithm = { name: "AES-GCM", iv: data.subarray(0, NONCE_SIZE), additionalData };
      return await this.#unpack(await crypto.subtle.decrypt(algorithm, contents, data.subarray(NONCE_SIZE)));
    } catch {
      throw this.#damageError(path, "is damaged, or is not of this layer");
    }
  }

  /** Return the content of a padded plaintext. @param {ArrayBuffer} plain */
  async #unpack(plain) {
    const content = new Uint8Array(plain, HEAD_SIZE, new DataView(plain).getUint32(1));
    return new Uint8Array(plain)[0] ? /** @type {Uint8Array<ArrayBuffer>} */ (await this.#tools.inflate(content)) : content;
  }

  /**
   * @param {string} path
   * @param {string} reason
   */
  #damageError(path, reason) {
    return Object.assign(new this.#tools.FetchFailure(path || "the directory", reason), { code: "integrity" });
  }
}

/** @param {ArrayBufferLike} data  a file */
const markOf = (data) => hex(data, Math.min(MARK_SIZE, data.byteLength));

/**
 * @param {ArrayBufferLike} data
 * @param {number} count  bytes
 */
const hex = (data, count) => Array.from(new Uint8Array(data, 0, count), (byte) => byte.toString(16).padStart(2, "0")).join("");
