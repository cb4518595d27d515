// Prepares the files from which a browser starts:  node prepare.mjs ENGINE_FOLDER ENGINE_LOCK.js CORE_FOLDER OUT_FOLDER
//
// OUT_FOLDER/core/…   the core's files, Python as bytecode of the interpreter that will read it; the modules of languages are below
//                     `languages/`, and in no snapshot
// OUT_FOLDER/memory   Python's memory with the core imported, as the difference from the memory of a fresh instance
//
// The same input gives the same bytes: clocks stand still, random numbers are constant, and free memory is zero.

import nodeCrypto from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { encode } from "./encode.mjs";
import { sweep } from "./sweep.mjs";

/** The module from which a browser starts. Here the whole module runs, so deferred data are no difference. */
const PRIMARY = "pyodide.primary.wasm";
/** The core's files have this folder in the messages of errors. */
const CORE = "/ranvier-core";
const LANGUAGES = "languages/";

const [folder, lockFile, coreFolder, out] = process.argv.slice(2).map((path) => resolve(path));
const here = (name) => readFile(new URL(name, import.meta.url), "utf8");

process.on("uncaughtException", (error) => {
  // Node would quote the line of the glue that threw: a megabyte.
  process.stderr.write(`${String(error?.message ?? error).slice(-2000)}\n`);
  process.exit(1);
});

freeze(Date.UTC(2026, 0, 1));
const lock = await import(`data:text/javascript,${encodeURIComponent(await readFile(lockFile, "utf8"))}`);
const { loadPyodide } = await import(pathToFileURL(`${folder}${sep}pyodide.mjs`).href);

/** A setting of zlib: the largest window, in the format of gzip. */
const GZIP = 31;

/** Scripts that run inside Python. */
const TOOLS = ["bytecode.py", "settle.py"];
const sources = await Promise.all(TOOLS.map(async (name) => [name, new TextEncoder().encode(await here(`./${name}`))]));
const { python: helper } = await start({});
helper.pyimport("sys").path.append("/tmp");
helper.FS.writeFile("/tmp/bytecode.py", await here("./bytecode.py"));
const [members, tools] = [await tree(coreFolder), sources].map(compile);
for (const [name, content] of members) {
  const path = join(out, "core", name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
await writeFile(join(out, "memory"), pack(await remember(members.filter(([name]) => !name.startsWith(LANGUAGES)))));

/** Return all files below a folder, with their relative names, sorted. */
async function tree(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const named = files.map((path) => [relative(folder, path).replaceAll(sep, "/"), path]).sort(([a], [b]) => (a < b ? -1 : 1));
  return Promise.all(named.map(async ([name, path]) => [name, new Uint8Array(await readFile(path))]));
}

/** Compile sources in the interpreter. */
function compile(sources) {
  const { bytecode } = helper.pyimport("bytecode");
  return sources.map(([name, content]) => {
    if (!name.endsWith(".py")) return [name, content];
    return [`${name}c`, bytecode(name.replace(LANGUAGES, ""), helper.toPy(content).tobytes(), CORE).toJs()[1]];
  });
}

/** Compress with the engine's own zlib: Node's may be another version, and give other bytes. */
function pack(data) {
  return helper.pyimport("zlib").compress.callKwargs(helper.toPy(new Uint8Array(data)), { level: 9, wbits: GZIP }).toJs();
}

/** Import the core, remove what no search needs, and return the memory. */
async function remember(members) {
  const { python, instance, whole, fresh } = await start({ _makeSnapshot: true });
  const archives = python.pyimport("archives");
  for (const [name, content] of members) {
    const data = python.toPy(new Uint8Array(content));
    archives.members.set(name, data);
    data.destroy(); // otherwise the snapshot would contain it
  }
  archives.destroy();
  for (const [name, content] of tools) python.FS.writeFile(`/tmp/${name}`, content);
  python.pyimport("sys").path.append("/tmp");
  const names = python.toPy({});
  for (const line of ["import settle; settle.settle()", "import gc; gc.collect()"]) python.runPython(line, { globals: names });
  names.clear();
  names.destroy();
  const { memory } = instance.exports;
  if (memory.buffer.byteLength !== whole.length) throw new Error(`memory grew to ${memory.buffer.byteLength} bytes: such a snapshot cannot be loaded`);
  sweep(instance.exports);
  return encode(python.makeMemorySnapshot(), whole, fresh, lock.ENGINE_LOCK.info.version);
}

/** Start Python as the worker does; return its instance, too. */
async function start(more) {
  const options = lock.engineOptions(folder + sep);
  const instantiate = WebAssembly.instantiate;
  const initial = ({ exports }) => new Uint8Array(exports.memory.buffer).slice();
  let instance, whole, fresh;
  WebAssembly.instantiate = async (source, imports) => {
    const result = await instantiate(source, imports);
    if (result.instance?.exports.memory) {
      instance = result.instance;
      whole = initial(instance);
      fresh = initial((await instantiate(await readFile(join(folder, PRIMARY)), { ...imports, secondary: { link() {} } })).instance);
    }
    return result;
  };
  const name = "./this.program"; // its name in a browser; Node would use a path of this machine
  const env = { ...options.env, LANG: "C.UTF-8", _: name };
  const python = await loadPyodide({ ...options, ...more, env, _sysExecutable: name });
  WebAssembly.instantiate = instantiate;
  return { python, instance, whole, fresh };
}

/**
 * Stop clocks, make random numbers constant, and hide Node: the engine writes the name of its host into memory. Where the host has
 * newer features of wasm, the engine also writes the number of a function that it makes with them, except on an iPhone. A browser that
 * restores the memory may lack that function. So this host appears to be an iPhone, where the engine uses a way that works everywhere.
 */
function freeze(instant) {
  const Clock = Date;
  globalThis.Date = class extends Clock {
    constructor(...when) {
      super(...(when.length ? when : [instant]));
    }
    static now() {
      return instant;
    }
  };
  globalThis.performance.now = () => 0;
  Math.random = () => 0.5;
  Object.defineProperty(globalThis, "navigator", { value: { userAgent: "iPhone", vendor: "" } });
  const fill = (view) => (new Uint8Array(view.buffer, view.byteOffset, view.byteLength).fill(7), view);
  nodeCrypto.randomFillSync = fill;
  globalThis.crypto.getRandomValues = fill;
}
