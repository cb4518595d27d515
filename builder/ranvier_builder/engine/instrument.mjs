// Makes a module that notes which of its functions ran:  node instrument.mjs ENGINE_FOLDER OUT.wasm
//
// The global that is exported as `.ran<n>` is 1 when the n-th function that is not imported was called.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import binaryen from "binaryen";
import { defined, emit, open } from "./module.mjs";

const [folder, out] = process.argv.slice(2);
const module = open(await readFile(join(folder, "pyodide.asm.wasm")));
defined(module).forEach(({ name, results, body }, at) => {
  const ran = `.ran${at}`;
  module.addGlobal(ran, binaryen.i32, true, module.i32.const(0));
  module.addGlobalExport(ran, ran);
  const noted = module.global.set(ran, module.i32.const(1));
  binaryen.Function.setBody(module.getFunction(name), module.block(null, [noted, body], results));
});
await writeFile(out, emit(module));
