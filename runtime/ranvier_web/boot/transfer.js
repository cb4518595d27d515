/** The progress of the engine's files, in unpacked bytes and in bytes as the host sends them. */

/** @import { Progress } from "../protocol.js" */

/** @typedef {{size: number, loaded: number, encodedSize: number, url: string}} Part  of the progress: a file; `encodedSize` is 0 if unknown */

const REPORT_INTERVAL = 100; // minimum ms between two reports, except at the end of a file

export class Transfer {
  #onProgress;
  /** By file name. @type {Map<string, Part>} */
  #parts = new Map();
  #reportedAt = -Infinity;

  /** @param {(progress: Progress) => void} onProgress */
  constructor(onProgress) {
    this.#onProgress = onProgress;
  }

  /**
   * Add a requested file to the total.
   *
   * @param {string} name
   * @param {number} size
   */
  expect(name, size) {
    this.#parts.set(name, { size, loaded: 0, encodedSize: 0, url: "" });
  }

  /**
   * Count the bytes of a response while they are read. A second response for the same file replaces the first.
   *
   * @param {string} name  of an expected file
   * @param {Response} response
   * @returns {Response}  to read instead
   */
  countBytes(name, response) {
    const part = this.#parts.get(name);
    if (!part || !response.body) return response;
    Object.assign(part, { loaded: 0, encodedSize: announcedSize(response, part.size), url: response.url });
    const tap = new TransformStream({
      transform: (piece, controller) => {
        part.loaded += piece.length;
        if (part.loaded >= part.size || performance.now() - this.#reportedAt >= REPORT_INTERVAL) this.#report();
        controller.enqueue(piece);
      },
    });
    return new Response(response.body.pipeThrough(tap), { status: response.status });
  }

  #report() {
    this.#reportedAt = performance.now();
    this.#onProgress(this.progress);
  }

  /** @returns {Progress} */
  get progress() {
    const parts = [...this.#parts.values()];
    for (const part of parts) if (!part.encodedSize && part.loaded >= part.size) part.encodedSize = measuredSize(part.url);
    const sum = (/** @type {(part: Part) => number} */ valueOf) => Math.round(parts.reduce((total, part) => total + valueOf(part), 0));
    return {
      stage: "engine",
      loaded: sum(({ loaded }) => loaded),
      total: sum(({ size }) => size),
      received: sum(({ loaded, size, encodedSize }) => encodedSize * Math.min(1, loaded / size)),
      expected: parts.every(({ encodedSize }) => encodedSize > 0) ? sum(({ encodedSize }) => encodedSize) : 0,
    };
  }
}

/**
 * Return the size of a body as sent, from its headers; 0 if unknown, because some hosts compress while they send.
 *
 * @param {Response} response
 * @param {number} size  of the file
 */
function announcedSize({ headers }, size) {
  return Number(headers.get("content-length")) || (headers.has("content-encoding") ? 0 : size);
}

/** Return the size of a body as sent, as counted by the browser; 0 if unknown. @param {string} url */
function measuredSize(url) {
  const [timing] = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByName(url, "resource")).slice(-1);
  return timing?.encodedBodySize ?? 0;
}
