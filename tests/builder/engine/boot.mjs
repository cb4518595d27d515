// Boots the finished engine as the worker does, and prints as JSON what it could do:
//   node boot.mjs ENGINE_FOLDER/ CORE.zip

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { ENGINE_LOCK, engineOptions } from "../../../runtime/ranvier_web/engine-lock.js";

const [folder, coreFile] = process.argv.slice(2);
const core = new Uint8Array(await readFile(coreFile));
const said = [];
const note = (line) => said.push(line);
const { loadPyodide } = await import(pathToFileURL(`${folder}pyodide.mjs`).href);
const python = await loadPyodide({ ...engineOptions(folder), stdout: note, stderr: note });
if (ENGINE_LOCK.info.version !== python.version) note(`the lock is for ${ENGINE_LOCK.info.version}`);

python.runPython(await readFile(new URL("./boot.py", import.meta.url), "utf8"));
python.FS.writeFile("/core.zip", core);
python.unpackArchive(core, "zip", { extractDir: "/core" });
const result = python.globals.get("results")();
console.log(JSON.stringify({ ...JSON.parse(result), said }));
