// Imports every module of the prepared core and its languages, parses some queries, and prints the names of all loaded modules as JSON:
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
archives.members.update({path.removeprefix("languages/"): data for path, data in archives.members.items()})
for path in sorted(archives.members):
    if path.startswith(("ranvier/", "snowballstemmer/")):
        __import__(path.removesuffix(".pyc").removesuffix("/__init__").replace("/", "."))
from ranvier import text
from ranvier.query.syntax import parse
for query in ("Größe", "a-b c_d 1.2", "東京タワーと京都", "한국어로", "ภาษาไทย", "Привет мир", "ASP.NET в .NET", "NEAR(x y) \\"z\\" -word"):
    for lang in ("en", "de", "ja", "ru"):
        parse(query, langs=(lang,))
        text.terms(query, lang), text.languages(query), text.is_open(query), text.substrings(query), text.places(query, query)
json.dumps(sorted(sys.modules))`);
console.log(names);
