// Reads and writes Pyodide's module with binaryen.

import binaryen from "binaryen";

/** The features that the module may use. With all of them, binaryen would write some that Node.js 20 refuses. */
const FEATURES =
  "MutableGlobals NontrappingFPToInt BulkMemory BulkMemoryOpt SignExt ExceptionHandling ReferenceTypes Multivalue".split(" ");

/** Two ranges of data become one if there are at most so many bytes between them. */
const GAP = 256;
/** Numbers of the format: the section of functions, and instructions. */
const [CODE, I32_CONST, I32_LOAD, I64_STORE32] = [10, 0x41, 0x28, 0x3e];

/** @param {Uint8Array} bytes */
export function open(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES.reduce((all, name) => all | binaryen.Features[name], 0));
  return module;
}

/** Return all functions in order, imported ones too: `{name, module, params, results}`. `module` is "" if a function is not imported. */
export function functions(module) {
  return Array.from({ length: module.getNumFunctions() }, (_, at) => binaryen.getFunctionInfo(module.getFunctionByIndex(at)));
}

/** Return the functions that are not imported. */
export const defined = (module) => functions(module).filter((info) => !info.module);

/** @returns {Uint8Array} */
export function emit(module) {
  if (!module.validate()) throw new Error("the changed module is not valid");
  return module.emitBinary();
}

/**
 * Return the initial memory of the module, up to the last byte of its data.
 *
 * @returns {Uint8Array}
 */
export function initialMemory(module) {
  const segments = Array.from({ length: module.getNumDataSegments() }, (_, at) => module.getDataSegmentInfo(module.getDataSegmentByIndex(at)));
  if (segments.some(({ passive }) => passive)) throw new Error("the module has data that are not in its initial memory");
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

/**
 * Return the same ranges. Ranges with a small distance are joined.
 *
 * @param {{from: number, end: number}[]} ranges  in order
 */
export function joined(ranges) {
  const all = [];
  for (const { from, end } of ranges) append(all, from, end);
  return all;
}

/** Append a range, or extend the last one up to its end. */
function append(ranges, from, end) {
  const last = ranges.at(-1);
  if (last && from <= last.end + GAP) last.end = end;
  else ranges.push({ from, end });
}

/** Return the parts of a memory between long runs of zeros. Thousands of small parts would compress worse. */
export function pieces(memory) {
  const ranges = [];
  memory.forEach((byte, at) => byte && append(ranges, at, at + 1));
  return ranges.map(({ from, end }) => ({ from, data: memory.subarray(from, end) }));
}

/**
 * Return all numbers that an instruction may use as an address: operands of `i32.const`, and offsets of loads and stores. Each byte is
 * read as the start of an instruction, so there are some other numbers among them.
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

/** Return the content of the first section of a kind. */
function section(bytes, kind) {
  let at = 8;
  while (bytes[at] !== kind) {
    const size = leb128(bytes, at + 1);
    at = after(bytes, at + 1) + size;
  }
  return bytes.subarray(after(bytes, at + 1), after(bytes, at + 1) + leb128(bytes, at + 1));
}

/** Read a number below 2³¹, which has up to five bytes. */
function leb128(bytes, at) {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7, at += 1) {
    value |= (bytes[at] & 127) << shift;
    if (bytes[at] < 128) break;
  }
  return value >>> 0;
}

/** Return the position after a number. */
function after(bytes, at) {
  while (bytes[at] >= 128) at += 1;
  return at + 1;
}
