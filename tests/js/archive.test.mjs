/** The archive of the core is unpacked as Python's `zipfile` wrote it. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { readArchive, readMembers, unpack } from "../../runtime/ranvier_web/store/archive.js";

const WRITE = `
import io, sys, zipfile
out = io.BytesIO()
with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
    for name, content in (("a/__init__.py", b""), ("a/b/c.py", b"x = 1\\n"), ("été.py", bytes(range(256)) * 300)):
        archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
sys.stdout.buffer.write(out.getvalue())
`;

const written = new Uint8Array(execFileSync("python3", ["-c", WRITE]));

test("reads every member of an archive", () => {
  const files = Object.fromEntries(readMembers(written));
  assert.deepEqual(Object.keys(files), ["a/__init__.py", "a/b/c.py", "été.py"]);
  assert.equal(files["a/__init__.py"].length, 0);
  assert.equal(new TextDecoder().decode(files["a/b/c.py"]), "x = 1\n");
  assert.deepEqual(files["été.py"], Uint8Array.from({ length: 256 * 300 }, (_, at) => at % 256));
});

test("reads an archive inside a larger buffer", () => {
  const larger = new Uint8Array(written.length + 20);
  larger.set(written, 7);
  assert.deepEqual(readMembers(larger.subarray(7, 7 + written.length)), readMembers(written));
});

test("writes members into their folders", () => {
  const calls = [];
  unpack({ mkdirTree: (path) => calls.push(path), writeFile: (path, data) => calls.push([path, data.length]) }, written, "/core");
  assert.deepEqual(calls, ["/core/a", ["/core/a/__init__.py", 0], "/core/a/b", ["/core/a/b/c.py", 6], "/core", ["/core/été.py", 76_800]]);
});

test("accepts an empty archive and refuses other files", () => {
  assert.deepEqual(readMembers(new Uint8Array([80, 75, 5, 6, ...new Array(18).fill(0)])), []);
  assert.throws(() => readMembers(new Uint8Array(3)), RangeError);
});

test("reads the archive in a module without code", () => {
  const zip = Uint8Array.from({ length: 300 }, (_, at) => at % 256);
  const section = [7, ...Buffer.from("archive"), ...zip];
  const file = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 0, (section.length & 127) | 128, section.length >> 7, ...section);
  assert.deepEqual(readArchive(file), zip);
});

test("refuses a damaged module", () => {
  assert.throws(() => readArchive(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 0, 99)), WebAssembly.CompileError);
});
