// Removes the parts of Pyodide's module and glue that only a module linked later could call:  node shake.mjs PYODIDE_FOLDER OUT_FOLDER
//
// Pyodide exports all of CPython for wheels with code in C; a search loads no such wheel. First the exports are removed that the glue
// does not use, then the functions that no export reaches, then the parts of the glue that the module does not import any more.
//
// Names decide: a part stays if a part that stays mentions its name, in any scope. So a mistake about scopes keeps too much and never
// too little. Only `Module.ccall` composes names at run time, and nothing calls it.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "acorn";
import { full } from "acorn-walk";
import { minify } from "terser";
import { emit, open } from "./module.mjs";

const MODULE = "pyodide.asm.wasm";
const GLUE = "pyodide.asm.mjs";

/** The glue finds `main` by this name; sweep.mjs and prepare.mjs use the other names. */
const ASKED = ["__main_argc_argv", "__heap_base", "emscripten_stack_get_end", "emscripten_stack_get_current", "memory", "sbrk"];

/** Windows, sounds and pictures. The glue only checks whether the first exists; the second is for a main loop that never starts. */
const ABSENT = ["Browser", "SDL"];

/** These two functions of the glue are lists of assignments, one or two for each export. */
const LISTS = ["assignWasmExports", "applySignatureConversions"];

const [stock, out] = process.argv.slice(2);
const read = async (name) => parse(await readFile(join(stock, name), "utf8"), { ecmaVersion: "latest", sourceType: "module" });
const loader = names(await read("pyodide.mjs"));
const glue = await read(GLUE);
const factory = glue.body.find((node) => node.type === "FunctionDeclaration").body.body;
const stockModule = await readFile(join(stock, MODULE));

const wanted = shakeGlue(imported(stockModule));
if (!wanted.includes("memory")) throw new Error(`${GLUE} asks for no memory: it is not what it was`);
const module = shakeModule(stockModule, wanted);
shakeGlue(imported(module));
full(glue, indirect);
/** The licence demands the address of the whole source. */
const ORIGIN = "// Of Pyodide (https://github.com/pyodide/pyodide, MPL-2.0), without what only a package with code in C could call";
const written = await minify(glue, {
  parse: { spidermonkey: true },
  module: true,
  ecma: 2022,
  compress: { passes: 2 },
  keep_classnames: true, // Pyodide reads the names of classes at run time,
  keep_fnames: true, //     and the names of functions in the stack of an error
});
await writeFile(join(out, MODULE), module);
await writeFile(join(out, GLUE), `${written.code}\n${ORIGIN}\n`); // at the end, so that the line numbers of errors stay

/** An `eval` that sees local names would keep all of them. Only a module that is linked later would have code for it. */
function indirect(node) {
  if (node.type !== "CallExpression" || node.callee.name !== "eval") return;
  node.callee = { type: "SequenceExpression", expressions: [{ type: "Literal", value: 0, raw: "0" }, node.callee] };
}

/** The imports of a module. */
function imported(bytes) {
  return WebAssembly.Module.imports(new WebAssembly.Module(bytes)).map(({ name }) => name);
}

/** Remove all exports except some, and all parts that only the removed exports reach. */
function shakeModule(bytes, exports) {
  const kept = new Set([...exports, ...ASKED]);
  const made = open(bytes);
  for (const { name } of WebAssembly.Module.exports(new WebAssembly.Module(bytes))) if (!kept.has(name)) made.removeExport(name);
  made.runPasses(["remove-unused-module-elements", "strip-producers"]);
  return emit(made);
}

/**
 * Remove the parts of the glue that no other part mentions.
 *
 * @param {string[]} imports  the imports of the module
 * @returns {string[]} the exports of the module that the glue uses
 */
function shakeGlue(imports) {
  const pieces = [...cut()];
  const alive = new Set();
  const seen = new Set(ABSENT);
  const queue = [];
  const exported = [];
  const mention = (name) => void (seen.has(name) || (seen.add(name), queue.push(name)));
  const revive = (piece) => {
    if (alive.has(piece.node)) return;
    alive.add(piece.node);
    names(piece.node).forEach(mention);
    full(piece.node, (node) => void (node.object?.name === "wasmExports" && exported.push(property(node))));
  };
  const owners = new Map();
  for (const piece of pieces) for (const name of piece.names ?? []) owners.set(name, [...(owners.get(name) ?? []), piece]);
  pieces.filter((piece) => !piece.names).forEach(revive);
  [...loader, ...imports.map(port)].forEach(mention);
  for (const name of queue) owners.get(name)?.forEach(revive); // `queue` grows during the loop
  const dead = new Set(pieces.map((piece) => piece.node).filter((node) => !alive.has(node)));
  for (const list of new Set(pieces.map((piece) => piece.list))) keep(list, (node) => !dead.has(node));
  keep(factory, (node) => node.type !== "VariableDeclaration" || node.declarations.length > 0);
  return exported;
}

/**
 * Cut the glue into pieces, which stay or go as a whole. A piece without names always stays.
 *
 * @returns {Iterable<{node: object, list: object[], names?: string[]}>}  `list` contains the node
 */
function* cut() {
  for (const node of factory) {
    if (node.type === "VariableDeclaration") for (const each of node.declarations) yield* declared(each, node.declarations);
    else if (LISTS.includes(node.id?.name)) for (const inner of node.body.body) yield { node: inner, list: node.body.body, names: assigned(inner, true) };
    else yield { node, list: factory, names: node.id ? [node.id.name] : assigned(node, false) };
  }
}

/** A piece for a variable, or one for each function that the module may import. */
function* declared(node, list) {
  if (node.id.name !== "wasmImports") return yield { node, list, names: inert(node.init) ? [node.id.name] : undefined };
  const { properties } = node.init;
  for (const each of properties) yield { node: each, list: properties, names: [port(each.key.name ?? each.key.value)] };
}

/** The names to which a statement such as `a = Module["b"] = c` assigns a value; `undefined` for every other statement. */
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

/** Whether the evaluation of an expression has no side effects. */
function inert(node) {
  if (node?.type === "UnaryExpression") return inert(node.argument);
  if (node?.type === "ArrayExpression") return node.elements.every(inert);
  if (node?.type === "ObjectExpression") return node.properties.every(({ computed, value }) => !computed && inert(value));
  return !node || ["Literal", "Identifier", "MemberExpression", "FunctionExpression", "ArrowFunctionExpression"].includes(node.type);
}

/** All names and string literals of a tree. */
function names(tree) {
  const mentions = new Set();
  full(tree, (node) => {
    if (node.type === "Identifier") mentions.add(node.name);
    if (node.type === "Literal") mentions.add(node.value);
    if (node.type === "MemberExpression") mentions.add(property(node));
    if (node.type === "Property" || node.type === "ObjectPattern") for (const { key } of node.properties ?? [node]) mentions.add(key?.name ?? key?.value);
  });
  return mentions;
}

/** The name of a member, if the source contains it. */
function property({ computed, property: { name, value } }) {
  return computed ? value : name;
}

/** The name of an imported function; it differs from the names of the glue's functions. */
function port(name) {
  return `import ${name}`;
}

function keep(list, wanted) {
  list.splice(0, list.length, ...list.filter(wanted));
}
