/**
 * node suggestions.mjs METHOD FILE: run the script of the page on the input in FILE.
 *
 * `keys`: the key of each text, the units of each query, and the marks of each [text, query].
 * `suggest`: the suggestions for each [base, root, [query, limit]…].
 * `instant`: the hits from the lists of words for each [base, root, [query…]], and the words of each query.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { fold, keys, listWords, splitMatches, units } from "../../runtime/ranvier_web/instant/keys.js";
import { Lists } from "../../runtime/ranvier_web/instant/lists.js";
import { Titles } from "../../runtime/ranvier_web/instant/titles.js";

const [method, file] = process.argv.slice(2);
const input = JSON.parse(await readFile(file, "utf8"));

const fetcher = async (/** @type {string} */ url) => new Response(await readFile(url));

async function suggestions() {
  const out = [];
  for (const { base, root, queries } of input) {
    const titles = new Titles(join(base, "/"), root, /** @type {any} */ (fetcher));
    for (const [query, limit] of queries) out.push(await titles.search(query, { limit }));
  }
  return out;
}

async function instantHits() {
  const out = [];
  for (const { base, root, queries } of input) {
    const lists = new Lists(join(base, "/"), root, /** @type {any} */ (fetcher));
    for (const query of queries) out.push({ words: listWords(query), hits: await lists.search(query) });
  }
  return out;
}

const answers =
  method === "suggest"
    ? await suggestions()
    : method === "instant"
    ? await instantHits()
    : {
        folded: input.texts.map(fold),
        keys: keys(input.texts),
        units: input.queries.map(units),
        marked: input.marked.map(([/** @type {string} */ text, /** @type {string} */ query]) => splitMatches(text, units(query))),
      };
process.stdout.write(JSON.stringify(answers));
