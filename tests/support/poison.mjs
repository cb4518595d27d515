// Fills the data that HOT.json defers with a pattern that occurs in no table:  node poison.mjs PRIMARY.wasm HOT.json OUT.wasm

import { readFile, writeFile } from "node:fs/promises";
import { emit, initialMemory, open, pieces, setInitialMemory } from "./module.mjs";

const [primary, hotFile, out] = process.argv.slice(2);
const module = open(await readFile(primary));
const memory = initialMemory(module);
for (const { from, end } of JSON.parse(await readFile(hotFile, "utf8")).deferred) memory.fill(0xa5, from, end);
setInitialMemory(module, pieces(memory));
await writeFile(out, emit(module));
