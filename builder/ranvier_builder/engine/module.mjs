// Reads and writes a module of Pyodide's with binaryen.

import binaryen from "binaryen";

/** What the module is written in. Were all allowed, the writer would use what Node.js 20 refuses. */
const FEATURES =
  "MutableGlobals NontrappingFPToInt BulkMemory BulkMemoryOpt SignExt ExceptionHandling ReferenceTypes Multivalue".split(" ");

/** @param {Uint8Array} bytes */
export function open(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES.reduce((all, name) => all | binaryen.Features[name], 0));
  return module;
}

/** All functions, imported ones too, in their order: `{name, module, params, results}`; `module` is "" where it is not imported. */
export function functions(module) {
  return Array.from({ length: module.getNumFunctions() }, (_, at) => binaryen.getFunctionInfo(module.getFunctionByIndex(at)));
}

/** The functions that are not imported. */
export const defined = (module) => functions(module).filter((info) => !info.module);

/** @returns {Uint8Array} */
export function emit(module) {
  if (!module.validate()) throw new Error("this is no module any more");
  return module.emitBinary();
}
