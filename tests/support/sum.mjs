// Writes the sum of the 32-bit words of the memory that a module begins with, by which a snapshot knows it:  node sum.mjs MODULE.wasm OUT

import { readFile, writeFile } from "node:fs/promises";
import { initialMemory, open } from "./module.mjs";

const [file, out] = process.argv.slice(2);
const memory = initialMemory(open(await readFile(file)));
const padded = new Uint8Array(Math.ceil(memory.length / 4) * 4);
padded.set(memory);
await writeFile(out, String(new Uint32Array(padded.buffer).reduce((sum, word) => (sum + word) >>> 0, 0)));
