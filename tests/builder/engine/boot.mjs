// Boots the finished engine from its library, and prints the results as JSON:
//   node boot.mjs ENGINE_FOLDER/

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { ENGINE_LOCK, engineOptions } from "../../../runtime/ranvier_web/boot/engine-lock.js";

// Node would quote the line of the glue that threw: a megabyte.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${String(error.message).slice(-2000)}\n`);
  process.exit(1);
});

const [folder] = process.argv.slice(2);
const output = [];
const record = (line) => output.push(line);
const { loadPyodide } = await import(pathToFileURL(`${folder}pyodide.mjs`).href);
const python = await loadPyodide({ ...engineOptions(folder), stdout: record, stderr: record });
if (ENGINE_LOCK.info.version !== python.version) record(`the lock is for ${ENGINE_LOCK.info.version}`);

const host = { both: (text, number) => [text, number], joined: (list) => list.toJs().join(",") };
python.runPython(await readFile(new URL("./boot.py", import.meta.url), "utf8"));
const listed = python.runPython(`
import zipimport
names = zipimport.zipimporter("/lib/python314.zip")._get_files()
" ".join(sorted(n.removesuffix(".pyc").removesuffix("/__init__").replace("/", ".") for n in names if n.endswith(".pyc")))`);
const result = python.globals.get("results")(host, listed);
console.log(JSON.stringify({ ...JSON.parse(result), output }));
