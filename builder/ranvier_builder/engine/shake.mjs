// Removes from Pyodide's module and glue the code that only a dynamically linked module could call:
//   node shake.mjs PYODIDE_FOLDER OUT_FOLDER
//
// Pyodide exports all of CPython for wheels with code in C; a search loads none. Three things are removed: exports that the glue does
// not use, functions that no export reaches, and code of the glue that the module does not import any more.
//
// The analysis compares names, regardless of scopes: a piece of the glue is kept if a piece that is kept has its name. So it may keep
// too much, but never too little. Only `Module.ccall` makes names at run time, and nothing calls it.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "acorn";
import { full } from "acorn-walk";
import { minify } from "terser";
import { emit, open } from "./module.mjs";

const MODULE = "pyodide.asm.wasm";
const GLUE = "pyodide.asm.mjs";

/** The glue looks for `main` by this name. */
const KEPT = ["__main_argc_argv", "memory"];

/** Code for windows, sounds and pictures. The glue checks whether `Browser` exists; `SDL` belongs to a main loop that never starts. */
const ABSENT = ["Browser", "SDL"];

/** These functions of the glue consist of assignments, one or two for each export. */
const LISTS = ["assignWasmExports", "applySignatureConversions"];

const [stock, out] = process.argv.slice(2);
const read = async (name) => parse(await readFile(join(stock, name), "utf8"), { ecmaVersion: "latest", sourceType: "module" });
const loader = names(await read("pyodide.mjs"));
const glue = await read(GLUE);
const factory = glue.body.find((node) => node.type === "FunctionDeclaration").body.body;
const stockModule = await readFile(join(stock, MODULE));

const importLines = [];
full(glue, importWithoutCompiler);
const exportNames = shakeGlue(imported(stockModule));
if (!exportNames.includes("memory")) throw new Error(`${GLUE} asks for no memory: its code has changed`);
if (importLines.length !== 1) throw new Error(`${GLUE} runs other lines of Python than one import: ${importLines}`);
const module = shakeModule(stockModule, exportNames);
shakeGlue(imported(module));
full(glue, indirect);
/** The licence requires a reference to the complete source. */
const ORIGIN = "// Of Pyodide (https://github.com/pyodide/pyodide, MPL-2.0), without what only a package with code in C could call";
const written = await minify(glue, {
  parse: { spidermonkey: true },
  module: true,
  ecma: 2022,
  compress: { passes: 2 },
  keep_classnames: true, // Pyodide reads the names of classes,
  keep_fnames: true, // and those of functions in the stack of an error
});
await writeFile(join(out, MODULE), module);
await writeFile(join(out, GLUE), `${written.code}\n${ORIGIN}\n`); // at the end, because errors have line numbers

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

/** Make `eval` global: with access to local names, it would keep all of them. Only a dynamically linked module has code for it. */
function indirect(node) {
  if (node.type !== "CallExpression" || node.callee.name !== "eval") return;
  node.callee = { type: "SequenceExpression", expressions: [{ type: "Literal", value: 0, raw: "0" }, node.callee] };
}

/** Return the names that a module imports from the glue. */
function imported(bytes) {
  return WebAssembly.Module.imports(new WebAssembly.Module(bytes)).map(({ name }) => name);
}

/** Remove all exports except some, and the functions that only the others reach. */
function shakeModule(bytes, exports) {
  const kept = new Set([...exports, ...KEPT]);
  const shaken = open(bytes);
  for (const { name } of WebAssembly.Module.exports(new WebAssembly.Module(bytes))) if (!kept.has(name)) shaken.removeExport(name);
  shaken.runPasses(["remove-unused-module-elements", "strip-producers"]);
  return emit(shaken);
}

/**
 * Remove the pieces of the glue that nothing uses.
 *
 * @param {string[]} imports  what the module imports from it
 * @returns {string[]} the exports of the module that it uses
 */
function shakeGlue(imports) {
  const pieces = [...cut()];
  const keptNodes = new Set();
  const seenNames = new Set(ABSENT);
  const queue = [];
  const usedExports = [];
  const addName = (name) => void (seenNames.has(name) || (seenNames.add(name), queue.push(name)));
  const keepPiece = (piece) => {
    if (keptNodes.has(piece.node)) return;
    keptNodes.add(piece.node);
    names(piece.node).forEach(addName);
    full(piece.node, (node) => void (node.object?.name === "wasmExports" && usedExports.push(property(node))));
  };
  const owners = new Map();
  for (const piece of pieces) for (const name of piece.names ?? []) owners.set(name, [...(owners.get(name) ?? []), piece]);
  pieces.filter((piece) => !piece.names).forEach(keepPiece);
  [...loader, ...imports.map(port)].forEach(addName);
  for (const name of queue) owners.get(name)?.forEach(keepPiece); // the queue grows meanwhile
  const dead = new Set(pieces.map((piece) => piece.node).filter((node) => !keptNodes.has(node)));
  for (const list of new Set(pieces.map((piece) => piece.list))) keep(list, (node) => !dead.has(node));
  keep(factory, (node) => node.type !== "VariableDeclaration" || node.declarations.length > 0);
  return usedExports;
}

/**
 * Split the glue into pieces, each of which is kept or removed as a whole. A piece without names is always kept.
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

/** Yield a variable, or each function that the module may import. */
function* declared(node, list) {
  if (node.id.name !== "wasmImports") return yield { node, list, names: inert(node.init) ? [node.id.name] : undefined };
  const { properties } = node.init;
  for (const each of properties) yield { node: each, list: properties, names: [port(each.key.name ?? each.key.value)] };
}

/** Return the names to which a statement such as `a = Module["b"] = c` assigns; undefined for other statements. */
function assigned({ expression }, listed) {
  const targets = [];
  for (; expression?.type === "AssignmentExpression"; expression = expression.right) {
    const { left } = expression;
    if (left.type === "Identifier") targets.push(left.name);
    else if (left.object.name === "Module") targets.push(property(left));
    else if (left.object.name === "wasmExports") targets.push(`_${property(left)}`);
    else if (property(left) === "sig") targets.push(left.object.name);
    else return undefined;
  }
  return targets.length && (listed || inert(expression)) ? targets : undefined;
}

/** Return whether the evaluation of an expression has no effect. */
function inert(node) {
  if (node?.type === "UnaryExpression") return inert(node.argument);
  if (node?.type === "ArrayExpression") return node.elements.every(inert);
  if (node?.type === "ObjectExpression") return node.properties.every(({ computed, value }) => !computed && inert(value));
  return !node || ["Literal", "Identifier", "MemberExpression", "FunctionExpression", "ArrowFunctionExpression"].includes(node.type);
}

/** Return every name and every text in a syntax tree, declared or used. */
function names(tree) {
  const values = new Set();
  full(tree, (node) => {
    if (node.type === "Identifier") values.add(node.name);
    if (node.type === "Literal") values.add(node.value);
    if (node.type === "MemberExpression") values.add(property(node));
    if (node.type === "Property" || node.type === "ObjectPattern") for (const { key } of node.properties ?? [node]) values.add(key?.name ?? key?.value);
  });
  return values;
}

/** Return the name of an accessed property, if it is a literal. */
function property({ computed, property: { name, value } }) {
  return computed ? value : name;
}

/** Return a name for an imported function, which is not the function of the same name in the glue. */
function port(name) {
  return `import ${name}`;
}

function keep(list, isKept) {
  list.splice(0, list.length, ...list.filter(isKept));
}
