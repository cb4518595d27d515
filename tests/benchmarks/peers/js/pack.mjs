/** Pack a library and `client.js` into one script for browsers: `node pack.mjs NAME OUTPUT`. All libraries are packed alike. */
import { build } from "esbuild";

const [name, outfile] = process.argv.slice(2);
await build({
  stdin: {
    contents: `import * as library from "./${name}.js"; import { client } from "./client.js"; globalThis.peer = client(library);`,
    resolveDir: import.meta.dirname,
  },
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  outfile,
});
