// Prints as JSON which numbers in the functions of a module may be addresses of the data that HOT.json defers:
//   node addresses.mjs MODULE.wasm HOT.json

import { readFileSync } from "node:fs";
import { open } from "./module.mjs";

const [file, hotFile] = process.argv.slice(2);
const { deferred } = JSON.parse(readFileSync(hotFile, "utf8"));
const text = open(readFileSync(file)).emitText().replace(/^ \(data .*$/gm, "");
const numbers = new Set(Array.from(text.matchAll(/i32\.const (\d+)|offset=(\d+)/g), ([, constant, offset]) => Number(constant ?? offset)));
const inside = (number) => deferred.some(({ from, end }) => from <= number && number < end);
console.log(JSON.stringify([...numbers].filter(inside).sort((a, b) => a - b)));
