/** How much of the engine's files has come: in their own bytes, and in those that the host sends. */

/** @import { Progress } from "../protocol.js" */

/** @typedef {{size: number, loaded: number, packed: number, url: string}} Part  of a file; `packed` is 0 where nobody knows it */

const PAUSE = 100; // ms from one report to the next, but for the end of a file: nobody reads faster

export class Transfer {
  #tell;
  /** By the files' names. @type {Map<string, Part>} */
  #parts = new Map();
  #reported = -Infinity;

  /** @param {(progress: Progress) => void} tell */
  constructor(tell) {
    this.#tell = tell;
  }

  /**
   * A file is asked for, which belongs to the whole.
   *
   * @param {string} name
   * @param {number} size
   */
  expect(name, size) {
    this.#parts.set(name, { size, loaded: 0, packed: 0, url: "" });
  }

  /**
   * Count the bytes of an answer while they are read. Another answer for the same file takes the place of the first.
   *
   * @param {string} name  of any file: what is not expected is not counted
   * @param {Response} response
   * @returns {Response}  to be read in its place
   */
  counted(name, response) {
    const part = this.#parts.get(name);
    if (!part || !response.body) return response;
    Object.assign(part, { loaded: 0, packed: packedSize(response, part.size), url: response.url });
    const tap = new TransformStream({
      transform: (piece, to) => {
        part.loaded += piece.length;
        if (part.loaded >= part.size || performance.now() - this.#reported >= PAUSE) this.#report();
        to.enqueue(piece);
      },
    });
    return new Response(response.body.pipeThrough(tap), { status: response.status });
  }

  #report() {
    this.#reported = performance.now();
    this.#tell(this.progress);
  }

  /** @returns {Progress} */
  get progress() {
    const parts = [...this.#parts.values()];
    for (const part of parts) if (!part.packed && part.loaded >= part.size) part.packed = timedSize(part.url);
    const sum = (/** @type {(part: Part) => number} */ of) => Math.round(parts.reduce((all, part) => all + of(part), 0));
    return {
      stage: "engine",
      loaded: sum(({ loaded }) => loaded),
      total: sum(({ size }) => size),
      received: sum(({ loaded, size, packed }) => packed * Math.min(1, loaded / size)),
      expected: parts.every(({ packed }) => packed > 0) ? sum(({ packed }) => packed) : 0,
    };
  }
}

/**
 * How many bytes of a body are sent. A host that compresses while it sends does not know it before.
 *
 * @param {Response} response
 * @param {number} size  of the file
 */
function packedSize({ headers }, size) {
  return Number(headers.get("content-length")) || (headers.has("content-encoding") ? 0 : size);
}

/** How many bytes of a body were sent, as the browser has counted them; 0 where it has not. @param {string} url */
function timedSize(url) {
  const [timing] = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByName(url, "resource")).slice(-1);
  return timing?.encodedBodySize ?? 0;
}
