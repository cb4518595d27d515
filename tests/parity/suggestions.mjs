/**
 * node suggestions.mjs WHAT FILE: what the page's own script makes of what the tests ask.
 *
 * `keys`: of every text in FILE its key, of every query what it asks for, of every [text, query] what is marked.
 * `suggest`: of every [base, root, [query, limit]…] in FILE the suggestions.
 * `instant`: of every [base, root, [query…]] in FILE the hits from the lists of words, and the words of each query.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { fold, keys, listWords, splitMatches, units } from "../../runtime/ranvier_web/instant/keys.js";
import { Lists } from "../../runtime/ranvier_web/instant/lists.js";
import { Titles } from "../../runtime/ranvier_web/instant/titles.js";

const [what, file] = process.argv.slice(2);
const asked = JSON.parse(await readFile(file, "utf8"));

const fetcher = async (/** @type {string} */ url) => new Response(await readFile(url));

async function suggestions() {
  const out = [];
  for (const { base, root, queries } of asked) {
    const titles = new Titles(join(base, "/"), root, /** @type {any} */ (fetcher));
    for (const [query, limit] of queries) out.push(await titles.suggest(query, { limit }));
  }
  return out;
}

async function instantHits() {
  const out = [];
  for (const { base, root, queries } of asked) {
    const lists = new Lists(join(base, "/"), root, /** @type {any} */ (fetcher));
    for (const query of queries) out.push({ words: listWords(query), hits: await lists.search(query) });
  }
  return out;
}

const answered =
  what === "suggest"
    ? await suggestions()
    : what === "instant"
    ? await instantHits()
    : {
        folded: asked.texts.map(fold),
        keys: keys(asked.texts),
        units: asked.queries.map(units),
        marked: asked.marked.map(([/** @type {string} */ text, /** @type {string} */ query]) => splitMatches(text, units(query))),
      };
process.stdout.write(JSON.stringify(answered));
