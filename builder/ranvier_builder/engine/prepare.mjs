// Compiles the core to bytecode, and its patterns:  node prepare.mjs ENGINE_FOLDER ENGINE_LOCK.js SOURCE_FOLDER OUT_FOLDER
//
// Every other file of SOURCE_FOLDER is copied. The interpreter that reads the bytecode must make it, so Node runs the engine.

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** The core's files have this folder in the messages of errors. */
const CORE = "/ranvier-core";
const LANGUAGES = "languages/";
const CORE_MODULE = /^ranvier\/.*\.pyc$/;

const [folder, lockFile, sources, out] = process.argv.slice(2).map((path) => resolve(path));

process.on("uncaughtException", (error) => {
  // Node would quote the line of the glue that threw: a megabyte.
  process.stderr.write(`${String(error?.message ?? error).slice(-2000)}\n`);
  process.exit(1);
});

const lock = await import(`data:text/javascript,${encodeURIComponent(await readFile(lockFile, "utf8"))}`);
const { loadPyodide } = await import(pathToFileURL(`${folder}${sep}pyodide.mjs`).href);
const python = await loadPyodide(lock.engineOptions(folder + sep));
for (const name of ["bytecode.py", "patterns.py"]) python.FS.writeFile(`/tmp/${name}`, await readFile(new URL(`./${name}`, import.meta.url)));
python.pyimport("sys").path.append("/tmp");
const { bytecode } = python.pyimport("bytecode");
const { members } = python.pyimport("archives");
for (const path of await files(sources)) {
  const name = relative(sources, path).replaceAll(sep, "/");
  const content = new Uint8Array(await readFile(path));
  if (!name.endsWith(".py")) await write(name, content);
  else members.set(`${name}c`, python.toPy(await compile(name, content)));
}
const modules = [...members.keys()].filter((name) => CORE_MODULE.test(name)).map((name) => name.replace(/(\/__init__)?\.pyc$/, "").replaceAll("/", "."));
const { EXAMPLES, compiled_patterns } = python.pyimport("patterns");
await compile("compiled_patterns.py", new TextEncoder().encode(compiled_patterns(modules, EXAMPLES)));

/** Compile a source, write the bytecode and return it. */
async function compile(name, source) {
  const data = bytecode(name.replace(LANGUAGES, ""), python.toPy(source).tobytes(), CORE).toJs()[1];
  await write(`${name}c`, data);
  return data;
}

/** Return all files below a folder, sorted. */
async function files(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

async function write(name, content) {
  await mkdir(dirname(join(out, name)), { recursive: true });
  await writeFile(join(out, name), content);
}
