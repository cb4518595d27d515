// Fills the data that the primary of an engine lacks with a pattern that occurs in no table:  node poison.mjs ENGINE_FOLDER OUT.wasm

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { emit, initialMemory, open, pieces, setInitialMemory } from "./module.mjs";

const [folder, out] = process.argv.slice(2);
const read = async (name) => open(await readFile(join(folder, name)));
const module = await read("pyodide.primary.wasm");
const [whole, memory] = [await read("pyodide.asm.wasm"), module].map(initialMemory);
setInitialMemory(module, pieces(whole.map((byte, at) => (byte === memory[at] ? byte : 0xa5))));
await writeFile(out, emit(module));
