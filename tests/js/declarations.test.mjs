/** B7: the types of the public API, which a release contains, are enough to use it. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const RUNTIME = fileURLToPath(new URL("../../runtime/", import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), "ranvier-types-"));
after(() => rmSync(FOLDER, { recursive: true }));
execFileSync(process.execPath, [join(RUNTIME, "declarations.mjs"), FOLDER]);

/** @param {string} code @returns {string} the errors of the compiler */
function compileErrors(code) {
  const file = join(FOLDER, "use.ts");
  writeFileSync(file, `import { open, RanvierError } from "./api.js";\n${code}`);
  const tsc = join(RUNTIME, "node_modules", "typescript", "bin", "tsc");
  const flags = ["--ignoreConfig", "--noEmit", "--strict", "--target", "es2022", "--moduleResolution", "bundler"];
  try {
    execFileSync(process.execPath, [tsc, file, ...flags, "--module", "es2022", "--types", ""], { encoding: "utf8" });
    return "";
  } catch (error) {
    return /** @type {any} */ (error).stdout;
  }
}

test("a program that uses the whole API type-checks", () => {
  const code = `
    const engine = open("/_ranvier/", { start: "on-demand", timeout: 5000, onProgress: ({ stage, loaded }) => console.log(stage, loaded) });
    await engine.ready;
    const stop = new AbortController();
    const { hits, nextOffset } = await engine.search("x", { limit: 8, tags: ["a"], preset: "wiki", signal: stop.signal });
    const first: string | undefined = hits[0]?.title;
    const next: number | null = nextOffset;
    const { formattedContext } = await engine.retrieve("x", { topK: 4, maxChars: 900 });
    const kinds: ("title" | "alias" | "heading" | "tag")[] = (await engine.suggest("x", { limit: 3 })).map((item) => item.kind);
    const links: string[] = (await engine.backlinks("a.md")).map((item) => item.url);
    await engine.preload({ all: true });
    const state: string = engine.status().state;
    engine.close();
    try { throw new RanvierError({ code: "fetch", message: "" }); } catch (error) { if (error instanceof RanvierError) console.log(error.code); }
    console.log(first, next, formattedContext, kinds, links, state);`;
  assert.equal(compileErrors(code), "");
});

for (const [code, message] of [
  ['open("/_ranvier/").search("x", { limitt: 3 });', "limitt"],
  ['open("/_ranvier/").search("x", { preset: "none" });', "none"],
  ['open("/_ranvier/", { start: "soon" });', "soon"],
  ["open(5);", "number"],
]) {
  test(`the compiler reports: ${code}`, () => assert.ok(compileErrors(/** @type {string} */ (code)).includes(/** @type {string} */ (message))));
}
