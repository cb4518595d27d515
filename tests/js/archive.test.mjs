/** Archives of Python code are in modules without code. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { readArchive } from "../../runtime/ranvier_web/store/archive.js";

test("reads the archive in a module without code", () => {
  const zip = Uint8Array.from({ length: 300 }, (_, at) => at % 256);
  const section = [7, ...Buffer.from("archive"), ...zip];
  const file = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 0, (section.length & 127) | 128, section.length >> 7, ...section);
  assert.deepEqual(readArchive(file), zip);
});

test("refuses a damaged module", () => {
  assert.throws(() => readArchive(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 0, 99)), WebAssembly.CompileError);
});
