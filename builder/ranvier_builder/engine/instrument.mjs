// Makes a module that notes which of its functions ran:  node instrument.mjs ENGINE_FOLDER HOT.json OUT.wasm
//
// The global that is exported as `.ran<n>` is 1 when the n-th function that is not imported was called.
// Its memory begins as that of the primary, by which a snapshot knows it: the data that HOT.json defers are zero.

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
