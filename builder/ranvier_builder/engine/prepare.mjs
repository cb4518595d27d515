// Compiles the core to bytecode:  node prepare.mjs ENGINE_FOLDER ENGINE_LOCK.js SOURCE_FOLDER OUT_FOLDER
//
// Every other file of SOURCE_FOLDER is copied. The interpreter that reads the bytecode must make it, so Node runs the engine.

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** The core's files have this folder in the messages of errors. */
const CORE = "/ranvier-core";
const LANGUAGES = "languages/";

const [folder, lockFile, sources, out] = process.argv.slice(2).map((path) => resolve(path));

process.on("uncaughtException", (error) => {
  // Node would quote the line of the glue that threw: a megabyte.
  process.stderr.write(`${String(error?.message ?? error).slice(-2000)}\n`);
  process.exit(1);
});

const lock = await import(`data:text/javascript,${encodeURIComponent(await readFile(lockFile, "utf8"))}`);
const { loadPyodide } = await import(pathToFileURL(`${folder}${sep}pyodide.mjs`).href);
const python = await loadPyodide(lock.engineOptions(folder + sep));
python.FS.writeFile("/tmp/bytecode.py", await readFile(new URL("./bytecode.py", import.meta.url)));
python.pyimport("sys").path.append("/tmp");
const { bytecode } = python.pyimport("bytecode");
for (const path of await files(sources)) {
  const name = relative(sources, path).replaceAll(sep, "/");
  const content = new Uint8Array(await readFile(path));
  if (name.endsWith(".py")) await write(`${name}c`, bytecode(name.replace(LANGUAGES, ""), python.toPy(content).tobytes(), CORE).toJs()[1]);
  else await write(name, content);
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
