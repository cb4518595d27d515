// Makes the data of the shaken module smaller, in place:  node lighten.mjs PYODIDE_FOLDER ENGINE_FOLDER
//
// PYODIDE_FOLDER                    the stock Pyodide, which compiles the frozen modules again
// ENGINE_FOLDER/pyodide.asm.wasm    is rewritten: shorter data are padded with zeros, and no address changes

import { readFile, writeFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { constants, emit, initialMemory, open, pieces, setInitialMemory } from "./module.mjs";

/** The path of Pyodide's library. */
const LIBRARY = "/lib/python314.zip";
/** The help text of a function in C, as CPython's Argument Clinic writes it: `name(parameters)\n--\n\ntext`. */
const DOCSTRING = /(?<=\0)[A-Za-z_]\w*\([^\0]*?\)\n--\n\n[^\0]*/g;
/** An array of characters in C that contains prose: the linker aligns it, and it is not among the literals, which have no gaps. */
const PROSE = /(?<=\0\0)[\t\n -~]{16,}(?=\0)/g;
const ALIGNMENT = 16;
const PROSE_WORDS = 3;
/** The last characters of a help text may also be another text, of at most this length. */
const SHORT = 40;

const [stock, folder] = process.argv.slice(2).map((path) => resolve(path));
const file = join(folder, "pyodide.asm.wasm");
const bytes = await readFile(file);
const module = open(bytes);
const memory = initialMemory(module);
const words = new Uint32Array(memory.buffer, 0, memory.length >> 2);
const places = (await frozen()).map(([old, smaller]) => ({ at: emptied(Buffer.from(old), smaller.length), smaller }));
blankDocstrings(); // while there is no bytecode, of which some would look like addresses
for (const { at, smaller } of places) memory.set(smaller, at);
setInitialMemory(module, pieces(memory));
await writeFile(file, emit(module));

/** @returns {Promise<[Uint8Array, Uint8Array][]>} the bytecode of each frozen module, and its replacement */
async function frozen() {
  const { loadPyodide } = await import(pathToFileURL(`${stock}${sep}pyodide.mjs`).href);
  const python = await loadPyodide({
    indexURL: stock + sep,
    packageBaseUrl: stock + sep,
    lockFileContents: { info: { abi_version: "2026_0" }, packages: {} },
    env: { PYTHONHASHSEED: "0" },
  });
  for (const name of ["frozen.py", "bytecode.py", "trim_stdlib.py"]) python.FS.writeFile(`/tmp/${name}`, await readFile(new URL(name, import.meta.url), "utf8"));
  python.runPython("import sys; sys.path.append('/tmp')");
  return python.pyimport("frozen").smaller_modules(LIBRARY).toJs();
}

/**
 * Clear the bytes of a frozen module, and write the size of its replacement into the table of these modules.
 *
 * @returns {number} its address
 */
function emptied(old, size) {
  const at = Buffer.from(memory.buffer).indexOf(old);
  const entries = [...words.keys()].filter((index) => words[index] === at && words[index + 1] === old.length);
  if (at < 0 || !entries.length || size > old.length) throw new Error(`a frozen module of ${old.length} bytes cannot be replaced`);
  for (const index of entries) words[index + 1] = size;
  memory.fill(0, at, at + old.length);
  return at;
}

/** Remove the help texts of functions, types, attributes and modules in C. */
function blankDocstrings() {
  const [instructions, pointers] = [constants(bytes), new Set(words)];
  const text = Buffer.from(memory.buffer).toString("latin1");
  const any = (from, end, sets) => Array.from({ length: end - from }, (_, at) => from + at).some((address) => sets.some((set) => set.has(address)));
  for (const { index, 0: literal } of text.matchAll(DOCSTRING)) {
    const end = index + literal.length;
    // A text stays if something may point into its end: the linker stores a short text only once if a longer one ends with it.
    if (!any(Math.max(index, end - SHORT) + 1, end + 1, [instructions, pointers])) memory.fill(0, index, end);
  }
  for (const { index, 0: literal } of text.matchAll(PROSE)) {
    const end = index + literal.length;
    // Structures refer to help texts by their start. Instructions refer to texts that a program prints.
    const isHelp = index % ALIGNMENT === 0 && pointers.has(index) && literal.split(" ").length >= PROSE_WORDS;
    if (isHelp && !any(index, end + 1, [instructions])) memory.fill(0, index, end);
  }
}
