// Leaves out of Pyodide's module and glue what only a module linked later could call:  node shake.mjs PYODIDE_FOLDER OUT_FOLDER
//
// Pyodide exports all of CPython, for wheels with code in C; a search loads none. What the glue does not ask for is no export
// any more, what no export leads to is no function any more, and what the module then does not import leaves the glue.
//
// Names decide: whatever bears a name that anything alive mentions is alive, in whatever scope. So a mistake about scopes keeps
// too much and never too little. Only `Module.ccall` puts names together when it runs, and nothing calls it.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "acorn";
import { full } from "acorn-walk";
import { minify } from "terser";
import { emit, open } from "./module.mjs";

const MODULE = "pyodide.asm.wasm";
const GLUE = "pyodide.asm.mjs";

/** The glue finds `main` by this name; sweep.mjs and prepare.mjs ask for the rest. */
const ASKED = ["__main_argc_argv", "__heap_base", "emscripten_stack_get_end", "emscripten_stack_get_current", "memory", "sbrk"];

/** Windows, sounds and pictures. The glue asks whether the one is there; the other it would need in a main loop that never starts. */
const ABSENT = ["Browser", "SDL"];

/** These two functions of the glue are lists of assignments, one or two for each export. */
const LISTS = ["assignWasmExports", "applySignatureConversions"];

const [stock, out] = process.argv.slice(2);
const read = async (name) => parse(await readFile(join(stock, name), "utf8"), { ecmaVersion: "latest", sourceType: "module" });
const loader = names(await read("pyodide.mjs"));
const glue = await read(GLUE);
const factory = glue.body.find((node) => node.type === "FunctionDeclaration").body.body;
const stockModule = await readFile(join(stock, MODULE));

const importLines = [];
full(glue, importWithoutCompiler);
const wanted = shakeGlue(imported(stockModule));
if (!wanted.includes("memory")) throw new Error(`${GLUE} asks for no memory: it is not what it was`);
if (importLines.length !== 1) throw new Error(`${GLUE} runs other lines of Python than one import: ${importLines}`);
const module = shakeModule(stockModule, wanted);
shakeGlue(imported(module));
full(glue, indirect);
/** What is handed on under its licence says where the whole of it is. */
const ORIGIN = "// Of Pyodide (https://github.com/pyodide/pyodide, MPL-2.0), without what only a package with code in C could call";
const written = await minify(glue, {
  parse: { spidermonkey: true },
  module: true,
  ecma: 2022,
  compress: { passes: 2 },
  keep_classnames: true, // Pyodide asks objects for them,
  keep_fnames: true, //     and the stack of an error for these
});
await writeFile(join(out, MODULE), module);
await writeFile(join(out, GLUE), `${written.code}\n${ORIGIN}\n`); // at the end: errors tell lines

/**
 * Pyodide's start runs one line of Python in C, to import a module. Import the module by its name instead: then the start needs
 * neither Python's parser nor its compiler.
 */
function importWithoutCompiler(node) {
  const name = /^import (\w+)$/.exec(node.arguments?.[0]?.value ?? "")?.[1];
  if (node.type !== "CallExpression" || node.callee.property?.name !== "rawRun" || !name) return;
  const code = `[_PyImport_ImportModule(Module.stringToNewUTF8("${name}")) ? 0 : -1, ""]`;
  importLines.push(node.arguments[0].value);
  for (const key of Object.keys(node)) delete node[key];
  Object.assign(node, parse(code, { ecmaVersion: "latest" }).body[0].expression);
}

/** An `eval` that sees local names would keep them all. Its code would come with a module that is linked later. */
function indirect(node) {
  if (node.type !== "CallExpression" || node.callee.name !== "eval") return;
  node.callee = { type: "SequenceExpression", expressions: [{ type: "Literal", value: 0, raw: "0" }, node.callee] };
}

/** What a module asks of the glue. */
function imported(bytes) {
  return WebAssembly.Module.imports(new WebAssembly.Module(bytes)).map(({ name }) => name);
}

/** Drop all exports but some, and whatever only they led to. */
function shakeModule(bytes, exports) {
  const kept = new Set([...exports, ...ASKED]);
  const made = open(bytes);
  for (const { name } of WebAssembly.Module.exports(new WebAssembly.Module(bytes))) if (!kept.has(name)) made.removeExport(name);
  made.runPasses(["remove-unused-module-elements", "strip-producers"]);
  return emit(made);
}

/**
 * Drop from the glue what nothing alive mentions.
 *
 * @param {string[]} imports  what the module takes from it
 * @returns {string[]} the exports of the module that it asks for
 */
function shakeGlue(imports) {
  const pieces = [...cut()];
  const alive = new Set();
  const seen = new Set(ABSENT);
  const queue = [];
  const asked = [];
  const mention = (name) => void (seen.has(name) || (seen.add(name), queue.push(name)));
  const revive = (piece) => {
    if (alive.has(piece.node)) return;
    alive.add(piece.node);
    names(piece.node).forEach(mention);
    full(piece.node, (node) => void (node.object?.name === "wasmExports" && asked.push(property(node))));
  };
  const owners = new Map();
  for (const piece of pieces) for (const name of piece.names ?? []) owners.set(name, [...(owners.get(name) ?? []), piece]);
  pieces.filter((piece) => !piece.names).forEach(revive);
  [...loader, ...imports.map(port)].forEach(mention);
  for (const name of queue) owners.get(name)?.forEach(revive); // it grows on the way
  const dead = new Set(pieces.map((piece) => piece.node).filter((node) => !alive.has(node)));
  for (const list of new Set(pieces.map((piece) => piece.list))) keep(list, (node) => !dead.has(node));
  keep(factory, (node) => node.type !== "VariableDeclaration" || node.declarations.length > 0);
  return asked;
}

/**
 * Cut the glue into what is kept or dropped as a whole. A piece without names is always kept.
 *
 * @returns {Iterable<{node: object, list: object[], names?: string[]}>}  `list` is where the node is
 */
function* cut() {
  for (const node of factory) {
    if (node.type === "VariableDeclaration") for (const each of node.declarations) yield* declared(each, node.declarations);
    else if (LISTS.includes(node.id?.name)) for (const inner of node.body.body) yield { node: inner, list: node.body.body, names: assigned(inner, true) };
    else yield { node, list: factory, names: node.id ? [node.id.name] : assigned(node, false) };
  }
}

/** One variable, or each function that the module may import. */
function* declared(node, list) {
  if (node.id.name !== "wasmImports") return yield { node, list, names: inert(node.init) ? [node.id.name] : undefined };
  const { properties } = node.init;
  for (const each of properties) yield { node: each, list: properties, names: [port(each.key.name ?? each.key.value)] };
}

/** The names that a statement such as `a = Module["b"] = c`, and nothing but such a one, gives a value to. */
function assigned({ expression }, listed) {
  const found = [];
  for (; expression?.type === "AssignmentExpression"; expression = expression.right) {
    const { left } = expression;
    if (left.type === "Identifier") found.push(left.name);
    else if (left.object.name === "Module") found.push(property(left));
    else if (left.object.name === "wasmExports") found.push(`_${property(left)}`);
    else if (property(left) === "sig") found.push(left.object.name);
    else return undefined;
  }
  return found.length && (listed || inert(expression)) ? found : undefined;
}

/** Does evaluating this do nothing else? */
function inert(node) {
  if (node?.type === "UnaryExpression") return inert(node.argument);
  if (node?.type === "ArrayExpression") return node.elements.every(inert);
  if (node?.type === "ObjectExpression") return node.properties.every(({ computed, value }) => !computed && inert(value));
  return !node || ["Literal", "Identifier", "MemberExpression", "FunctionExpression", "ArrowFunctionExpression"].includes(node.type);
}

/** Every name and every text in it, declared or used. */
function names(tree) {
  const found = new Set();
  full(tree, (node) => {
    if (node.type === "Identifier") found.add(node.name);
    if (node.type === "Literal") found.add(node.value);
    if (node.type === "MemberExpression") found.add(property(node));
    if (node.type === "Property" || node.type === "ObjectPattern") for (const { key } of node.properties ?? [node]) found.add(key?.name ?? key?.value);
  });
  return found;
}

/** The name by which a part of an object is asked for, where it is written down. */
function property({ computed, property: { name, value } }) {
  return computed ? value : name;
}

/** A function as an import is not the function by its name in the glue. */
function port(name) {
  return `import ${name}`;
}

function keep(list, wanted) {
  list.splice(0, list.length, ...list.filter(wanted));
}
