// Lets errors and values cross between Python and JavaScript both ways, and prints the outcomes as JSON:
//   node cross.mjs ENGINE_FOLDER/ [parts]

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { engineOptions } from "../../../runtime/ranvier_web/boot/engine-lock.js";
import { instantiateSplit } from "../../../runtime/ranvier_web/boot/split.js";

const [folder, parts] = process.argv.slice(2);
let links = 0;
if (parts) instantiateParts();
const { loadPyodide } = await import(pathToFileURL(`${folder}pyodide.mjs`).href);
const output = [];
const record = (line) => output.push(line);
const python = await loadPyodide({ ...engineOptions(folder), stdout: record, stderr: record });
const run = (code) => python.runPython(code);

const boom = () => {
  throw new TypeError("boom");
};
const seven = () => {
  throw 7;
};
function* counted() {
  yield yield 1;
}

/** Instantiate the next module from its first part. */
function instantiateParts() {
  const { instantiate } = WebAssembly;
  const read = (name) => readFileSync(`${folder}${name}`);
  WebAssembly.instantiate = (source, imports) => {
    if (!(source.byteLength > 100_000)) return instantiate(source, imports); // a small or compiled module of the glue
    WebAssembly.instantiate = instantiate;
    const primary = new WebAssembly.Module(read("pyodide.primary.wasm"));
    return instantiateSplit(primary, imports, () => (links++, read("pyodide.secondary.wasm")));
  };
}
python.registerJsModule("host", { boom, seven, counted, list: [3, 1] });

const BUILT_IN = `
import sys
found = []
for name in sys.builtin_module_names:
    try:
        found.append(__import__(name).__name__)
    except ImportError:  # of a module that does not ship
        pass
" ".join(found)`;

const attempts = {
  "python error": () => run("def f(): raise ValueError('é')\nf()"),
  "syntax error": () => run("def (:"),
  exit: () => run("raise SystemExit(3)"),
  "no end": () => run("def g(n): return g(n + 1)\ng(0)"),
  interrupted: () => {
    python.setInterruptBuffer(Uint8Array.of(2));
    return run("while True: pass");
  },
  collected: () => run("import gc\nclass A: pass\na = A()\na.me = a\ndel a\ngc.collect() > 0"),
  "called back": () => run("lambda x: 1 / x")(0),
  "javascript error": () => run("import host\nhost.boom()"),
  "no error": () => run("host.seven()"),
  caught: () => run("try:\n    host.boom()\nexcept Exception as error:\n    name = f'{type(error).__name__} {error.name} {error}'\nname"),
  "into a generator": () => run("lambda: (yield 1)")().throw(new RangeError("far")),
  "through a generator": () => run("it = host.counted()\nnext(it)\nit.throw(ValueError('far'))"),
  destroyed: () => {
    const list = run("[1]");
    list.destroy();
    return list.length;
  },
  values: () => run("{'a': [1, 2.5, None, True, 'é𝄞', (1,)], 'b': {2}}").toJs({ dict_converter: Object.fromEntries }).a,
  back: () => run("repr")(python.toPy({ a: [1, { b: 2n ** 70n }], s: new Set([1]) })),
  proxy: () => run("it = host.counted()\nrepr((list(host.list), next(it), it.send(8), hasattr(host, 'none')))"),
  buffer: () => [...run("import array\narray.array('f', [1.5])").getBuffer().data],
  "no file": () => run("open('/none')"),
  "no file of ours": () => python.FS.readFile("/none"),
  sqlite: () => run("import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('SELECT 1 FROM none')"),
  "sqlite calls": () => run("c.create_function('f', 1, lambda x: host.boom())\nc.execute('SELECT f(1)')"),
  "no module": () => run("import none"),
  "no linking": () => run("import _ctypes\n_ctypes.dlopen('/none.so', 0)"),
  "much memory": () => run("len(bytearray(60_000_000))"),
  "too much": () => run("[bytearray(2**31 - 1) for _ in range(3)]"),
  "built in": () => run(BUILT_IN),
  printed: () => run("print('out'); print('err', file=sys.stderr)"),
  fatal: () => python._api.fatal_error(new Error("fatal")),
  after: () => run("1"),
};
console.error = () => {};
const outcomes = Object.entries(attempts).map(([name, attempt]) => {
  try {
    return [name, attempt() ?? null];
  } catch (error) {
    return [name, [error.constructor.name, error.name, error.type ?? null, String(error.message)]];
  }
});
const plain = (_, value) => (typeof value === "bigint" ? `${value}n` : typeof value === "string" ? value.replaceAll(folder, "") : value);
console.log(JSON.stringify({ ...Object.fromEntries(outcomes), output, ...(parts ? { links } : {}) }, plain));
