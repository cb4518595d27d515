/**
 * A snapshot: Python's memory with the core imported, as the difference from the memory of a fresh instance.
 *
 *     const restore = restoring(delta);
 *     restore.install();
 *     try { pyodide = await loadPyodide({ ...engineOptions(url), ...restore.options }); } finally { restore.uninstall(); }
 *
 * The gzip file contains a line of JSON (`Head`), Pyodide's record of references from memory to outside objects, and pages.
 * Pyodide needs the whole memory before it requests the module. It gets an array that is filled when the module is available, so
 * that the snapshot can arrive while the module is compiled. If the snapshot does not match, the array stays empty and Pyodide fails.
 */

import { inflate } from "../store/archive.js";

/**
 * @typedef {object} Head
 * @property {number} format
 * @property {string} pyodide  the Pyodide version that made it
 * @property {number} memory  bytes of the whole memory
 * @property {number} end  bytes of it that are in use
 * @property {number} head  bytes of Pyodide's record
 * @property {[number, number]} fresh  number of used bytes of a fresh instance, and the sum of their 32-bit words
 * @property {[number, number][]} runs  first page, number of pages
 */

const FORMAT = 1;
const PAGE = 4096;
const MEMORY = 31_457_280; // of a fresh instance of the pinned engine
const RECORD = 65_536; // maximum size of Pyodide's record

/**
 * @param {Promise<Uint8Array>} delta  the file
 * @returns {{options: {_loadSnapshot: Promise<Uint8Array>}, install(): void, uninstall(): void}}
 */
export function prepareRestore(delta) {
  const image = new Uint8Array(RECORD + MEMORY);
  const contents = delta.then((file) => inflate(file, "gzip"));
  contents.catch(() => {}); // reported where it is awaited
  /** @type {ReturnType<typeof pickFunctions>} */
  let originals;
  /** @param {"instantiate" | "instantiateStreaming"} name */
  const wrap = (name) => async (/** @type {any[]} */ ...args) => {
    const result = await originals[name].apply(WebAssembly, args);
    const memory = result.instance?.exports.memory;
    if (memory) await contents.then((data) => writeImage(image, data, memory)).catch((error) => console.warn(`snapshot: ${error}`));
    return result;
  };
  return {
    options: { _loadSnapshot: Promise.resolve(image) },
    install: () => {
      originals = pickFunctions(WebAssembly);
      Object.assign(WebAssembly, { instantiate: wrap("instantiate"), instantiateStreaming: wrap("instantiateStreaming") });
    },
    uninstall: () => void Object.assign(WebAssembly, originals),
  };
}

/** @param {any} address */
const pickFunctions = ({ instantiate, instantiateStreaming }) => ({ instantiate, instantiateStreaming });

/**
 * Write Pyodide's record to the start of the image, and the memory to its end.
 *
 * @param {Uint8Array} image
 * @param {Uint8Array} data
 * @param {WebAssembly.Memory} memory
 */
function writeImage(image, data, memory) {
  const line = data.indexOf(10);
  /** @type {Head} */
  const head = JSON.parse(new TextDecoder().decode(data.subarray(0, line)));
  const [usedSize] = head.fresh;
  const fresh = new Uint8Array(memory.buffer, 0, usedSize);
  checkHead(head, memory, fresh);
  const start = image.length - head.end;
  const target = image.subarray(start);
  target.set(fresh);
  let at = line + 1 + head.head;
  for (const [first, count] of head.runs) {
    const run = data.subarray(at, (at += count * PAGE));
    const address = first * PAGE;
    if (address >= usedSize) target.set(run, address);
    else for (let index = 0; index < run.length; index += 1) target[address + index] = (target[address + index] ?? 0) ^ (run[index] ?? 0);
  }
  // The record contains the start of the memory. It is written last: without it Pyodide rejects the image.
  image.set(data.subarray(line + 1, line + 1 + head.head));
  new DataView(image.buffer).setUint32(4, start, true);
}

/**
 * @param {Head} head
 * @param {WebAssembly.Memory} memory
 * @param {Uint8Array} fresh
 */
function checkHead({ format, memory: bytes, end, head, fresh: [, expected] }, memory, fresh) {
  if (format !== FORMAT) throw new Error(`format ${format}, not ${FORMAT}`);
  if (bytes !== memory.buffer.byteLength || bytes !== MEMORY || end > bytes || head > RECORD) throw new Error("result for another memory");
  const words = new Uint32Array(fresh.buffer, 0, fresh.length / 4);
  let sum = 0;
  for (const word of words) sum = (sum + word) >>> 0;
  if (sum !== expected) throw new Error("result with another build of the engine");
}
