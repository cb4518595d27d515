// Makes the trimmed standard library:  node trim.mjs PYODIDE_FOLDER WANTED.json OUT.zip
//
// The interpreter that reads the bytecode must also make it. So trim_stdlib.py runs inside the stock Pyodide. The hash seed is fixed,
// because the order of sets must not change the output.

import { readFile, writeFile } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** The path of Pyodide's library. Code objects contain it, so tracebacks are those of a stock Pyodide. */
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
