// Makes a module that records which of its functions ran:  node instrument.mjs ENGINE_FOLDER HOT.json OUT.wasm
//
// The exported global `.ran<n>` is 1 after a call of the n-th function that is not imported.
// Its initial memory equals that of the primary module, so that it can restore a snapshot: the data that HOT.json defers is zero.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import binaryen from "binaryen";
import { defined, emit, initialMemory, open, pieces, setInitialMemory } from "./module.mjs";

const [folder, hotFile, out] = process.argv.slice(2);
const module = open(await readFile(join(folder, "pyodide.asm.wasm")));
const { deferred } = JSON.parse(await readFile(hotFile, "utf8"));
const { i32 } = binaryen;
defined(module).forEach(({ name, results, body }, at) => {
  const ran = `.ran${at}`;
  module.addGlobal(ran, i32, true, module.i32.const(0));
  module.addGlobalExport(ran, ran);
  const noted = module.global.set(ran, module.i32.const(1));
  binaryen.Function.setBody(module.getFunction(name), module.block(null, [noted, body], results));
});
const memory = initialMemory(module);
for (const { from, end } of deferred) memory.fill(0, from, end);
setInitialMemory(module, pieces(memory));
await writeFile(out, emit(module));
