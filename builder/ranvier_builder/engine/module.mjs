// Reads and writes a module of Pyodide's with binaryen.

import binaryen from "binaryen";

/** What the module is written in. Were all allowed, the writer would use what Node.js 20 refuses. */
const FEATURES =
  "MutableGlobals NontrappingFPToInt BulkMemory BulkMemoryOpt SignExt ExceptionHandling ReferenceTypes Multivalue".split(" ");

/** Bytes that are written down between two pieces of data. */
const GAP = 256;
/** Of the format: the section of functions, and instructions. */
const [CODE, I32_CONST, I32_LOAD, I64_STORE32] = [10, 0x41, 0x28, 0x3e];

/** @param {Uint8Array} bytes */
export function open(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES.reduce((all, name) => all | binaryen.Features[name], 0));
  return module;
}

/** All functions, imported ones too, in their order: `{name, module, params, results}`; `module` is "" where it is not imported. */
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
 * The memory that the module begins with, up to its last byte that is given.
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
 * Let the module begin with other bytes in its memory.
 *
 * @param {{from: number, data: Uint8Array}[]} segments
 */
export function setInitialMemory(module, segments) {
  const { initial, max } = module.getMemoryInfo();
  module.setMemory(initial, max, null, segments.map(({ from, data }) => ({ offset: module.i32.const(from), data })));
}

/**
 * The same ranges, those with a small distance as one.
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

/** The pieces of a memory between runs of zero: few, for thousands of small ones compress worse. */
export function pieces(memory) {
  const ranges = [];
  memory.forEach((byte, at) => byte && append(ranges, at, at + 1));
  return ranges.map(({ from, end }) => ({ from, data: memory.subarray(from, end) }));
}

/**
 * All numbers that an instruction may take for an address: operands of `i32.const`, and offsets of loads and stores. As each byte is
 * taken for the start of an instruction, some others are among them.
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
