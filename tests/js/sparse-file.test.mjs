/** The database file that SQLite reads: compared with slices of the whole file, and with missing pages. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { SparseFile } from "../../runtime/ranvier_web/store/sparse-file.js";

const SIZE = 64;
const COUNT = 40;

/** A stub of Emscripten's file system with one node. */
function fileSystem() {
  const node = { usedBytes: 0, stream_ops: { llseek: () => 0 } };
  class ErrnoError extends Error {
    /** @param {number} errno */
    constructor(errno) {
      super(`errno ${errno}`);
      this.errno = errno;
    }
  }
  return { node, writeFile() {}, lookupPath: () => ({ node }), ErrnoError };
}

/** A seeded generator of numbers. @param {number} seed */
function random(seed) {
  return (/** @type {number} */ below) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
}

/** Bytes as Pyodide passes them. @param {Uint8Array} data */
const python = (data, release = () => {}) => ({ getBuffer: () => ({ data, release }) });

function whole() {
  const roll = random(7);
  return Uint8Array.from({ length: SIZE * COUNT }, () => roll(256));
}

test("a read returns a slice of the file", () => {
  const [fs, data, roll] = [fileSystem(), whole(), random(11)];
  const file = new SparseFile(fs, "/x.db");
  file.reserve(SIZE, COUNT);
  for (let page = 1; page <= COUNT; ) {
    const pages = Math.min(1 + roll(5), COUNT - page + 1);
    file.put(page, python(data.slice((page - 1) * SIZE, (page - 1 + pages) * SIZE)));
    page += pages;
  }
  assert.equal(fs.node.usedBytes, data.length);
  for (let round = 0; round < 2_000; round += 1) {
    const [position, length, offset] = [roll(data.length + 50), roll(300), roll(9)];
    const buffer = new Uint8Array(320).fill(255);
    const count = fs.node.stream_ops.read({}, buffer, offset, length, position);
    const expected = data.slice(position, position + length);
    assert.equal(count, expected.length);
    assert.deepEqual(buffer.slice(offset, offset + count), expected);
    assert.ok(buffer.slice(offset + count).every((byte) => byte === 255), "nothing is written after the end");
  }
  assert.deepEqual(file.take_misses(), []);
});

test("a missing page is an error and is named once", () => {
  const [fs, data] = [fileSystem(), whole()];
  const file = new SparseFile(fs, "/x.db");
  file.reserve(SIZE, COUNT);
  file.put(1, python(data.slice(0, SIZE)));
  const buffer = new Uint8Array(SIZE * 4);
  assert.equal(file.read(buffer, 0, SIZE, 0), SIZE);
  for (const page of [9, 3, 9]) {
    assert.throws(() => file.read(buffer, 0, SIZE, (page - 1) * SIZE), { errno: 29 });
  }
  assert.throws(() => file.read(buffer, 0, SIZE * 2, 0), { errno: 29 });
  assert.deepEqual(file.take_misses(), [2, 3, 9]);
  assert.deepEqual(file.take_misses(), []);
  file.put(3, python(data.slice(2 * SIZE, 3 * SIZE)));
  assert.equal(file.read(buffer, 0, SIZE, 2 * SIZE), SIZE);
});

test("bytes from Python are copied and released", () => {
  const file = new SparseFile(fileSystem(), "/x.db");
  file.reserve(SIZE, 1);
  const memory = new Uint8Array(SIZE).fill(5);
  let released = 0;
  file.put(1, python(memory, () => (released += 1)));
  memory.fill(9);
  const buffer = new Uint8Array(SIZE);
  file.read(buffer, 0, SIZE, 0);
  assert.deepEqual([buffer[0], released], [5, 1]);
});
