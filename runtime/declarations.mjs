/**
 * Writes the types of the public API, as TypeScript reads them, from the comments in the modules:
 *
 *     npm --prefix runtime run declarations              into runtime/ranvier_web/types
 *     node runtime/declarations.mjs FOLDER               into another one
 */

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PUBLIC = ["api", "errors", "options", "protocol"]; // all that `api` names; what is behind it is nobody's business
const into = process.argv[2] ?? join(HERE, "ranvier_web", "types");

const folder = mkdtempSync(join(tmpdir(), "ranvier-types-"));
try {
  const tsc = join(HERE, "node_modules", "typescript", "bin", "tsc");
  const order = "--ignoreConfig --allowJs --declaration --emitDeclarationOnly --skipLibCheck --types --target es2022".split(" ");
  order.splice(order.indexOf("--types") + 1, 0, "");
  order.push("--module", "es2022", "--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable,dom.asynciterable");
  const root = join(HERE, "ranvier_web");
  order.push("--rootDir", root, "--outDir", folder);
  execFileSync(process.execPath, [tsc, join(root, "api.js"), ...order], { stdio: "inherit" });
  mkdirSync(into, { recursive: true });
  for (const name of PUBLIC) copyFileSync(join(folder, `${name}.d.ts`), join(into, `${name}.d.ts`));
} finally {
  rmSync(folder, { recursive: true });
}
