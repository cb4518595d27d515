// Makes a module that records which of its functions run:  node instrument.mjs ENGINE_FOLDER OUT.wasm
//
// The exported global `.ran<n>` becomes 1 when the n-th function that is not imported is called.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import binaryen from "binaryen";
import { defined, emit, open } from "./module.mjs";

const [folder, out] = process.argv.slice(2);
const module = open(await readFile(join(folder, "pyodide.asm.wasm")));
const { i32 } = binaryen;
defined(module).forEach(({ name, results, body }, at) => {
  const ran = `.ran${at}`;
  module.addGlobal(ran, i32, true, module.i32.const(0));
  module.addGlobalExport(ran, ran);
  const record = module.global.set(ran, module.i32.const(1));
  binaryen.Function.setBody(module.getFunction(name), module.block(null, [record, body], results));
});
await writeFile(out, emit(module));
