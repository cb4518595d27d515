/** Index pages with a library: `node index.mjs NAME PAGES OUTPUT`. PAGES has a JSON object a line: url, title, headings, text. */
import { readFileSync, writeFileSync } from "node:fs";

const [name, input, output] = process.argv.slice(2);
const { build, save } = await import(`./${name}.js`);
const lines = readFileSync(input, "utf8").trimEnd().split("\n");
const pages = lines.map((line, id) => ({ id, ...JSON.parse(line) }));
writeFileSync(output, await save(await build(pages)));
