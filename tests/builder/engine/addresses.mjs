// Prints as JSON which numbers in the functions of the primary may be addresses of data that it lacks:
//   node addresses.mjs ENGINE_FOLDER HOT.json
//
// These are the data that HOT.json defers, and all other bytes that the primary's memory begins without.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { initialMemory, open } from "./module.mjs";

const [folder, hotFile] = process.argv.slice(2);
const { deferred } = JSON.parse(readFileSync(hotFile, "utf8"));
const [whole, primary] = ["pyodide.asm.wasm", "pyodide.primary.wasm"].map((name) => open(readFileSync(join(folder, name))));
const [all, memory] = [whole, primary].map(initialMemory);
// A stub has the number of its function in the last table.
const stubCall = `(call_indirect $${primary.getNumTables() - 1} `;
const functions = primary.emitText().replace(/^ \(data .*$/gm, "").split("\n (func ");
const text = functions.filter((body) => !body.includes(stubCall)).join("\n");
const numbers = new Set(Array.from(text.matchAll(/i32\.const (\d+)|offset=(\d+)/g), ([, constant, offset]) => Number(constant ?? offset)));
const isMissing = (number) => all[number] !== memory[number] || deferred.some(({ from, end }) => from <= number && number < end);
console.log(JSON.stringify([...numbers].filter(isMissing).sort((a, b) => a - b)));
