// Reads and writes a module of Pyodide with binaryen.

import binaryen from "binaryen";

/** The features of WebAssembly that the module uses. With all features, binaryen would write instructions that Node.js 20 rejects. */
const FEATURES =
  "MutableGlobals NontrappingFPToInt BulkMemory BulkMemoryOpt SignExt ExceptionHandling ReferenceTypes Multivalue".split(" ");

/** Number of zero bytes between two pieces of data from which the pieces become separate segments. */
const GAP = 256;
/** Numbers of the format: the code section, and instructions. */
const [CODE, I32_CONST, I32_LOAD, I64_STORE32] = [10, 0x41, 0x28, 0x3e];

/** @param {Uint8Array} bytes */
export function open(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES.reduce((all, name) => all | binaryen.Features[name], 0));
  return module;
}

/** All functions in their order, with the imported functions: `{name, module, params, results}`; `module` is "" for other functions. */
export function functions(module) {
  return Array.from({ length: module.getNumFunctions() }, (_, at) => binaryen.getFunctionInfo(module.getFunctionByIndex(at)));
}

/** The functions that are not imported. */
export const defined = (module) => functions(module).filter((info) => !info.module);

/** @returns {Uint8Array} */
export function emit(module) {
  if (!module.validate()) throw new Error("this is no module any more");
  return module.emitBinary();
}

/**
 * The initial memory of the module, up to the end of its last data segment.
 *
 * @returns {Uint8Array}
 */
export function initialMemory(module) {
  const segments = Array.from({ length: module.getNumDataSegments() }, (_, at) => module.getDataSegmentInfo(module.getDataSegmentByIndex(at)));
  if (segments.some(({ passive }) => passive)) throw new Error("the module has data that are not in memory from the start");
  const memory = new Uint8Array(Math.max(...segments.map(({ offset, data }) => offset + data.byteLength)));
  for (const { offset, data } of segments) memory.set(new Uint8Array(data), offset);
  return memory;
}

/**
 * Replace the initial memory of the module.
 *
 * @param {{from: number, data: Uint8Array}[]} segments
 */
export function setInitialMemory(module, segments) {
  const { initial, max } = module.getMemoryInfo();
  module.setMemory(initial, max, null, segments.map(({ from, data }) => ({ offset: module.i32.const(from), data })));
}

/** The pieces of a memory between runs of zeros. Few pieces: thousands of small segments compress worse. */
export function pieces(memory) {
  const ranges = [];
  memory.forEach((byte, at) => {
    if (!byte) return;
    if (at > (ranges.at(-1)?.end ?? -Infinity) + GAP) ranges.push({ from: at });
    ranges.at(-1).end = at + 1;
  });
  return ranges.map(({ from, end }) => ({ from, data: memory.subarray(from, end) }));
}

/**
 * All numbers that may be addresses: operands of `i32.const`, and offsets of loads and stores. Every byte is read as the start of an
 * instruction, so the result also contains other numbers.
 *
 * @param {Uint8Array} bytes  of a module
 * @returns {Set<number>}
 */
export function constants(bytes) {
  const numbers = new Set();
  const code = section(bytes, CODE);
  code.forEach((opcode, at) => {
    if (opcode === I32_CONST) numbers.add(leb128(code, at + 1));
    if (opcode >= I32_LOAD && opcode <= I64_STORE32) numbers.add(leb128(code, at + 2)); // after the alignment
  });
  return numbers;
}

/** The content of the first section of a kind. */
function section(bytes, kind) {
  let at = 8;
  while (bytes[at] !== kind) {
    const size = leb128(bytes, at + 1);
    at = after(bytes, at + 1) + size;
  }
  return bytes.subarray(after(bytes, at + 1), after(bytes, at + 1) + leb128(bytes, at + 1));
}

/** A number below 2³¹, in up to five bytes. */
function leb128(bytes, at) {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7, at += 1) {
    value |= (bytes[at] & 127) << shift;
    if (bytes[at] < 128) break;
  }
  return value >>> 0;
}

function after(bytes, at) {
  while (bytes[at] >= 128) at += 1;
  return at + 1;
}
