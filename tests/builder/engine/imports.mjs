// Imports every module of the prepared core, and prints the names of all loaded modules as JSON:
//   node imports.mjs ENGINE_FOLDER/ CORE.zip

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { engineOptions } from "../../../runtime/ranvier_web/boot/engine-lock.js";

const [folder, core] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}pyodide.mjs`).href);
const python = await loadPyodide(engineOptions(folder));
python.pyimport("archives").add(python.toPy(new Uint8Array(await readFile(core))));
const names = python.runPython(`
import archives, json, sys
for path in sorted(archives.members):
    if path.startswith("ranvier/"):
        __import__(path.removesuffix(".pyc").removesuffix("/__init__").replace("/", "."))
json.dumps(sorted(sys.modules))`);
console.log(names);
