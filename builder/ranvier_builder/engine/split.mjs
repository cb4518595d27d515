// Splits the shaken module into two parts, by a list of the functions that ran in a profile:  node split.mjs ENGINE_FOLDER HOT.json
//
// ENGINE_FOLDER/pyodide.primary.wasm    the hot functions, and a stub for each cold function that they refer to
// ENGINE_FOLDER/pyodide.secondary.wasm  the cold functions; memory, tables and globals are the primary's
//
// HOT.json also lists the tables that only cold functions read. These tables, and the string literals to which nothing in the primary
// refers, are zero in the primary. They are written when the secondary is linked.
//
// If the secondary is not linked yet, a stub lets the host link it. Then the stub calls its function through a table that the secondary
// fills. If the host cannot link it, the entry of the table is empty, and the call traps; no code in wasm catches a trap.
// The profile only decides how often the secondary is needed. The deferred tables do not depend on it.

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import binaryen from "binaryen";
import { constants, defined, emit, functions, initialMemory, joined, open, pieces, setInitialMemory } from "./module.mjs";

/** Prefix of exports that only the secondary imports. No name in C contains it. The host hides these exports from the glue. */
const SHARED = ".";
const LINKED = "linked";
const LINK = "link";
const COLD = "cold";
const HOST = "secondary";
const PRIMARY = "primary";

const [folder, hotFile] = process.argv.slice(2);
const whole = await readFile(join(folder, "pyodide.asm.wasm"));
const { module: profiled, functions: bits, deferred } = JSON.parse(await readFile(hotFile, "utf8"));
const digest = createHash("sha256").update(whole).digest("hex");
if (digest !== profiled) throw new Error(`the hot functions are those of module ${profiled}, and this one is ${digest}`);

const hotBits = Buffer.from(bits, "base64");
const [hot, cold] = [[], []];
const secondary = open(whole);
defined(secondary).forEach((info, at) => ((hotBits[at >> 3] >> (at & 7)) & 1 ? hot : cold).push(info));

const primary = open(whole);
const { stubs, addresses } = keepHot();
keepCold();
deferData();
await writeFile(join(folder, "pyodide.secondary.wasm"), emit(secondary));
await writeFile(join(folder, "pyodide.primary.wasm"), emit(primary));

/**
 * Make the primary.
 *
 * @returns the cold functions that it calls, exports or has in a table: each is a stub there; and all addresses in hot functions
 */
function keepHot() {
  for (const info of cold) replace(info, primary.unreachable());
  const addresses = constants(primary.emitBinary());
  // All that the secondary may need. What it does not need is removed at the end.
  for (const { name } of hot) primary.addFunctionExport(name, SHARED + name);
  for (const { name } of list(primary, "Global")) primary.addGlobalExport(name, SHARED + name);
  for (const { name } of list(primary, "Table")) primary.addTableExport(name, `${SHARED}table${name}`); // names of tables are numbers, as those of functions
  primary.runPasses(["remove-unused-module-elements"]);
  const left = new Set(defined(primary).map(({ name }) => name));
  const stubs = cold.filter(({ name }) => left.has(name));

  primary.addGlobal(LINKED, binaryen.i32, true, primary.i32.const(0));
  primary.addTable(COLD, stubs.length, stubs.length);
  primary.addFunctionImport(LINK, HOST, LINK, binaryen.none, binaryen.none);
  const linked = primary.global.get(LINKED, binaryen.i32);
  const link = primary.call(LINK, [], binaryen.none);
  primary.addFunction("ready", binaryen.none, binaryen.none, [], primary.if(primary.i32.eqz(linked), link));
  stubs.forEach((info, at) => {
    const parameters = binaryen.expandType(info.params).map((type, index) => primary.local.get(index, type));
    const call = primary.call_indirect(COLD, primary.i32.const(at), parameters, info.params, info.results);
    replace(info, primary.block(null, [primary.call("ready", [], binaryen.none), call], info.results));
  });
  return { stubs, addresses };
}

function replace({ name, params, results }, body) {
  primary.removeFunction(name);
  primary.addFunction(name, params, results, [], body);
}

/** Make the secondary, and let the primary export what it refers to. */
function keepCold() {
  for (const { name } of list(secondary, "Export")) secondary.removeExport(name);
  for (const { name } of list(secondary, "ElementSegment")) secondary.removeElementSegment(name);
  for (const { name, params, results } of hot) {
    secondary.removeFunction(name);
    secondary.addFunctionImport(name, PRIMARY, SHARED + name, params, results);
  }
  for (const { name, type, mutable } of list(secondary, "Global")) {
    secondary.removeGlobal(name);
    secondary.addGlobalImport(name, PRIMARY, SHARED + name, type, mutable);
  }
  for (const { name } of list(secondary, "Table")) secondary.addTableImport(name, PRIMARY, `${SHARED}table${name}`);
  for (const name of tags()) {
    const { params, results } = binaryen.getTagInfo(secondary.getTag(name));
    secondary.removeTag(name);
    secondary.addTagImport(name, PRIMARY, SHARED + name, params, results);
  }
  secondary.addTable(COLD, stubs.length, stubs.length);
  secondary.addTableImport(COLD, PRIMARY, SHARED + COLD);
  secondary.addActiveElementSegment(COLD, COLD, stubs.map(({ name }) => name), secondary.i32.const(0));
  secondary.runPasses(["remove-unused-module-elements"]);

  const kept = [...functions(secondary), ...list(secondary, "Global"), ...list(secondary, "Table")];
  const needed = new Set(kept.filter(({ module }) => module === PRIMARY).map(({ base }) => base));
  for (const { name } of list(primary, "Export")) if (name.startsWith(SHARED) && !needed.has(name)) primary.removeExport(name);
  for (const name of tags()) primary.addTagExport(name, SHARED + name);
  primary.addGlobalExport(LINKED, SHARED + LINKED);
  primary.addTableExport(COLD, SHARED + COLD);
}

/** Move the data that only cold functions read into the secondary; there its memory is the primary's, too. */
function deferData() {
  const memory = initialMemory(primary);
  const all = memory.slice();
  for (const { from, end } of deferred) memory.fill(0, from, end);
  const literals = coldLiterals(memory);
  for (const { from, end } of literals) memory.fill(0, from, end);
  // A literal between two others is written again: nothing changes it.
  const segments = [...joined(literals), ...deferred].map(({ from, end }) => ({ from, data: all.subarray(from, end) }));
  setInitialMemory(secondary, segments);
  secondary.addMemoryImport("0", PRIMARY, "memory");
  setInitialMemory(primary, pieces(memory));
}

/**
 * String literals that no hot function and no other data refers to, most of them messages of errors. The linker puts all literals at the
 * start of memory, and sorts them by their ends, because the end of one may be another: in the order of last characters, from the highest.
 */
function coldLiterals(memory) {
  const words = new Set(new Uint32Array(memory.buffer, 0, memory.length >> 2));
  const literals = [];
  let from = memory.findIndex(Boolean);
  let end = memory.indexOf(0, from);
  for (let last = Infinity; memory[end - 1] <= last; end = memory.indexOf(0, from)) {
    let address = from - 1; // a loop may count from there
    while (address <= end && !addresses.has(address) && !words.has(address)) address += 1;
    if (address > end) literals.push({ from, end });
    last = memory[end - 1];
    for (from = end; !memory[from]; ) from += 1;
  }
  return literals;
}

/** Binaryen lists no tags; it gives them these names. */
function* tags() {
  for (let at = 0; secondary.getTag(`tag$${at}`); at += 1) yield `tag$${at}`;
}

/** @param {"ElementSegment" | "Export" | "Global" | "Table"} kind */
function list(module, kind) {
  const infos = Array.from({ length: module[`getNum${kind}s`]() }, (_, at) => module[`get${kind}ByIndex`](at));
  return infos.map(binaryen[`get${kind}Info`]);
}
