// Makes the trimmed standard library:  node trim.mjs PYODIDE_FOLDER WANTED.json OUT.zip
//
// The bytecode has to come from the interpreter that will read it, so this loads the stock Pyodide and lets
// trim_stdlib.py do the work inside it. The hash seed is fixed: the order of sets must not reach the output.

import { readFile, writeFile } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** Where Pyodide keeps its library; code objects name it, so tracebacks read as they do in a stock Pyodide. */
const LIBRARY = "/lib/python314.zip";

const [folder, wantedFile, out] = process.argv.slice(2).map((path) => resolve(path));
const wanted = JSON.parse(await readFile(wantedFile, "utf8"));
const { loadPyodide } = await import(pathToFileURL(folder + sep + "pyodide.mjs").href);

const python = await loadPyodide({
  indexURL: folder + sep,
  packageBaseUrl: folder + sep,
  lockFileContents: { info: { abi_version: "2026_0" }, packages: {} },
  env: { PYTHONHASHSEED: "0" },
});
for (const name of ["trim_stdlib.py", "bytecode.py"]) {
  python.FS.writeFile(`/tmp/${name}`, await readFile(new URL(name, import.meta.url), "utf8"));
}
python.globals.set("wanted", python.toPy(wanted));
python.globals.set("library", LIBRARY);
const archive = python.runPython(`
import pathlib, sys
sys.path.append("/tmp")
import trim_stdlib
trim_stdlib.trim(pathlib.Path(library).read_bytes(), wanted["modules"], wanted["replacements"], library)
`);
await writeFile(out, archive.toJs());
