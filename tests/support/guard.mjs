// Makes each access to the data that HOT.json defers a trap:  node guard.mjs PRIMARY.wasm HOT.json OUT.wasm

import { readFile, writeFile } from "node:fs/promises";
import binaryen from "binaryen";
import { emit, functions, open } from "./module.mjs";

const [primary, hotFile, out] = process.argv.slice(2);
const { deferred } = JSON.parse(await readFile(hotFile, "utf8"));
const module = open(await readFile(primary));
const ownNames = new Set(functions(module).map(({ name }) => name));
// The pass makes each load and store call an imported function, whose last argument and result are an address or a value.
module.runPasses(["llvm-memory-copy-fill-lowering", "instrument-memory"]);
for (const info of functions(module)) if (info.module && !ownNames.has(info.name)) define(info);
await writeFile(out, emit(module));

function define({ name, params, results }) {
  const types = binaryen.expandType(params);
  const local = (at) => module.local.get(at, types[at]);
  const address = () => module.i32.add(local(2), local(3)); // the instruction's offset, and the pointer
  const inside = ({ from, end }) => module.i32.lt_u(module.i32.sub(address(), module.i32.const(from)), module.i32.const(end - from));
  const traps = name.endsWith("_ptr") ? deferred.map((range) => module.if(inside(range), module.unreachable())) : [];
  module.removeFunction(name);
  module.addFunction(name, params, results, [], module.block(null, [...traps, local(types.length - 1)], results));
}
