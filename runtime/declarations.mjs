/**
 * Writes the types of the public API, as TypeScript reads them, from the comments in the modules:
 *
 *     npm --prefix runtime run declarations              into runtime/ranvier_web/types
 *     node runtime/declarations.mjs FOLDER               into another one
 *
 * They are not in the repository; a release contains them.
 */

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "ranvier_web");
const TSC = join(HERE, "node_modules", "typescript", "bin", "tsc");
const PUBLIC = ["api", "errors", "options", "protocol"]; // the modules whose types `api` uses
const COMPILER_OPTIONS = `--ignoreConfig --allowJs --declaration --emitDeclarationOnly --skipLibCheck --target es2022
  --module es2022 --moduleResolution bundler --lib es2022,dom,dom.iterable,dom.asynciterable`.split(/\s+/);
const output = process.argv[2] ?? join(ROOT, "types");

const folder = mkdtempSync(join(tmpdir(), "ranvier-types-"));
try {
  const options = [...COMPILER_OPTIONS, "--types", "", "--rootDir", ROOT, "--outDir", folder];
  execFileSync(process.execPath, [TSC, join(ROOT, "api.js"), ...options], { stdio: "inherit" });
  mkdirSync(output, { recursive: true });
  for (const name of PUBLIC) copyFileSync(join(folder, `${name}.d.ts`), join(output, `${name}.d.ts`));
} finally {
  rmSync(folder, { recursive: true });
}
