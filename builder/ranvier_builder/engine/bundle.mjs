/**
 * Pack the browser's scripts: few files, because each file delays the page, and small ones.
 *
 *     node bundle.mjs MODULES OUTPUT       two JSON files with scripts by name: {"api.js": "…", …}
 *
 * A module that is loaded on demand becomes a file with its own name; `new URL("./name.js", import.meta.url)` marks it, so there
 * is no list of them. It imports what it shares with the script that loads it from that script's file.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { rollup } from "@rollup/wasm-node";
import { minify } from "terser";

// Scripts that start without another one; no two share a file. The first two have copies of the modules that both import: a page
// loads both before the first answer, and a common file would be a third request.
const ROOTS = ["api.js", "ui/search-box.js", "worker.js", "offline/service-worker.js", "offline/removal.js"];
// Modules inside of a root that older pages import by their names.
const FACADES = { "api.js": ["site-version.js"] };
const LAZY = /new URL\((["'])(\.[^"']*\.js)\1, import\.meta\.url\)/g;
const PLACED = /new URL\("\/([^"]*)", import\.meta\.url\)/g;
const LICENCE = /^!|@license|@preserve|@copyright/i;

const [input, output] = process.argv.slice(2);
const modules = JSON.parse(readFileSync(input, "utf8"));
const { dirname, join, relative } = posix;

/** Remove white space that CSS does not need. No string in the style sheets contains any. */
const squeezed = (css) =>
  css.replace(/\s+/g, " ").replace(/ ?([{};,]) ?/g, "$1").replace(/: /g, ":").replace(/;\}/g, "}").replace(/(?<=[ :,(-])0\./g, ".");

/** Return the template strings without expressions in a syntax tree, in order. */
function templates(node) {
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0) return [node];
  return node && typeof node === "object" ? Object.values(node).flatMap(templates) : [];
}

/** Make the CSS in modules of styles small. */
const smallStyles = {
  name: "small-styles",
  transform(code, id) {
    if (!id.endsWith("styles.js")) return null;
    return templates(this.parse(code)).reduceRight(
      (out, { start, end }) => out.slice(0, start) + squeezed(code.slice(start, end)) + out.slice(end),
      code,
    );
  },
};

/**
 * Read the modules from memory, in an order that does not depend on a disk. Emit a file for each module that is loaded on demand,
 * and rewrite its address relative to the file that contains the address.
 */
function inMemory(root, placed) {
  const emit = (context, name, loader) =>
    context.emitFile({ type: "chunk", id: name, fileName: name, implicitlyLoadedAfterOneOf: [loader] });
  return {
    name: "in-memory",
    buildStart() {
      for (const name of FACADES[root] ?? []) if (name in modules) emit(this, name, root);
    },
    resolveId: (path, importer = "") => (path.startsWith(".") ? join(dirname(importer), path) : path),
    load(id) {
      return modules[id]?.replace(LAZY, (_, quote, path) => {
        const name = join(dirname(id), path);
        if (!placed.has(name)) emit(this, name, id);
        placed.add(name);
        return `new URL("/${name}", import.meta.url)`;
      });
    },
    renderChunk(code, { fileName }) {
      const path = (name) => relative(dirname(fileName), name).replace(/^(?!\.)/, "./");
      return { code: code.replace(PLACED, (_, name) => `new URL("${path(name)}", import.meta.url)`), map: null };
    },
  };
}

async function bundled(root, placed) {
  const bundle = await rollup({
    input: root,
    plugins: [inMemory(root, placed), smallStyles],
    preserveEntrySignatures: "allow-extension", // modules that are loaded later import from the root's file
    onLog(_, { message }) {
      throw new Error(message);
    },
  });
  const names = { entryFileNames: root, chunkFileNames: `${join(dirname(root), "shared")}/[name].js` };
  return (await bundle.generate({ format: "es", ...names })).output;
}

const placed = new Set(ROOTS);
const scripts = {};
for (const root of ROOTS.filter((name) => name in modules)) {
  for (const { fileName, code } of await bundled(root, placed)) {
    const format = { ascii_only: true, comments: LICENCE }; // ASCII: some hosts declare another encoding than UTF-8
    scripts[fileName] = (await minify(code, { module: true, ecma: 2022, compress: { passes: 2 }, format })).code;
  }
}
writeFileSync(output, JSON.stringify(scripts));
