// The module with Pagefind's API: compound filters, and the results of a stub of the engine.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { countValues, hasTag, matches, selectTags } from "../../runtime/ranvier_web/pagefind/filters.js";

const SOURCE = fileURLToPath(new URL("../../runtime/ranvier_web/pagefind", import.meta.url));

const BOATS = {
  ketch: ["sail/red", "sail/white", "hull/wood"],
  yawl: ["hull/steel", "sail/brown", "sail/white"],
  dinghy: ["hull/resin", "sail/blue"],
  barge: ["hull/wood/oak", "hull/iron", "sail/red", "sail/white"],
  cutter: ["sail/red", "sail/white", "sail/brown", "hull/wood"],
};
const boatsOf = (filters) => Object.keys(BOATS).filter((name) => matches(filters, hasTag(BOATS[name])));

for (const [title, filters, boats] of [
  ["no filter", {}, ["ketch", "yawl", "dinghy", "barge", "cutter"]],
  ["a value", { sail: "blue" }, ["dinghy"]],
  ["a value in other capitals", { sail: "Blue" }, ["dinghy"]],
  ["a value and those below it", { hull: "wood" }, ["ketch", "barge", "cutter"]],
  ["an unknown value", { sail: "green" }, []],
  ["an unknown filter", { engine: "diesel" }, []],
  ["several values: all of them", { sail: ["red", "brown"] }, ["cutter"]],
  ["several filters: all of them", { sail: "red", hull: "iron" }, ["barge"]],
  ["any value", { sail: { any: ["blue", "brown"] } }, ["yawl", "dinghy", "cutter"]],
  ["any value, and another filter", { sail: { any: ["blue", "brown"] }, hull: "wood" }, ["cutter"]],
  ["any filter", { any: { sail: { any: ["blue"] }, hull: "iron" } }, ["dinghy", "barge"]],
  ["any of two groups", { any: [{ sail: "red", hull: "iron" }, { sail: "brown", hull: "steel" }] }, ["yawl", "barge"]],
  ["nested operators", { any: [{ sail: { any: [{ any: ["blue"] }, { all: ["red", "brown"] }] } }] }, ["dinghy", "cutter"]],
  ["none of some values", { sail: { none: ["brown", "blue"] } }, ["ketch", "barge"]],
  ["not one value", { sail: "red", hull: { not: "wood" } }, []],
  ["not all of two values", { sail: { not: ["red", "brown"] } }, ["ketch", "yawl", "dinghy", "barge"]],
  ["none of two filters", { none: [{ sail: { any: ["brown", "red"] } }, { hull: "wood" }] }, ["dinghy"]],
  ["not a group", { sail: "white", not: { hull: "wood" } }, ["yawl"]],
]) {
  test(`filter: ${title}`, () => assert.deepEqual(boatsOf(filters), boats));
}

test("a search is narrowed by tags; `isComplete` means that they express the whole filter", () => {
  assert.deepEqual(selectTags({}), { tags: null, isComplete: true });
  assert.deepEqual(selectTags({ sail: "red" }), { tags: ["sail/red"], isComplete: true });
  assert.deepEqual(selectTags({ sail: ["red"] }), { tags: ["sail/red"], isComplete: true });
  assert.deepEqual(selectTags({ sail: { any: ["red", "blue"] } }), { tags: ["sail/red", "sail/blue"], isComplete: true });
  assert.deepEqual(selectTags({ sail: ["red", "blue"] }), { tags: ["sail/red"], isComplete: false });
  assert.deepEqual(selectTags({ any: { sail: "red" }, hull: "wood" }), { tags: ["hull/wood"], isComplete: false });
  assert.deepEqual(selectTags({ sail: { not: "red" } }), { tags: null, isComplete: false });
  assert.deepEqual(selectTags({ sail: [] }), { tags: null, isComplete: false });
});

test("the name of a filter changes no other object", () => {
  const counts = countValues([["__proto__", "spoiled", "__proto__/spoiled", 3]], () => 3);
  assert.equal({}.spoiled, undefined);
  assert.deepEqual(Object.entries(counts["__proto__"]), [["spoiled", 3]]);
});

const folder = mkdtempSync(join(tmpdir(), "pagefind-"));
after(() => rmSync(folder, { recursive: true }));
const ENGINE = `
  export const open = () => ({
    ready: Promise.resolve(),
    preload: async () => void globalThis.calls.push(["preload"]),
    search: async (query, options) => { globalThis.calls.push([query, options]); return globalThis.answer(query, options); },
    close: () => void globalThis.calls.push(["close"]),
  });`;
const page = (number) => ({
  raw_url: `/p${number}/`,
  content: "Knots Reef",
  word_count: 2,
  filters: {},
  meta: { title: `Page <${number}>`, image: "/knot.png" },
  anchors: [{ element: "h2", id: "reef", text: "Reef", location: 1 }],
});
const hit = (number) => ({
  id: `p${number}/index.html`,
  seqId: `site_0000000${number % 10}`,
  title: `Page <${number}>`,
  snippet: "a &lt;b&gt; <mark>reef</mark> &amp; more",
  anchor: "reef",
  score: 100 - number,
  tags: [],
  subResults: [{ title: "Reef", snippet: "<mark>reef</mark> knot", anchor: "reef" }],
});
let number = 0;

beforeEach(() => {
  globalThis.calls = [];
  globalThis.document = { documentElement: { lang: "en-GB" } };
  globalThis.answer = (_, { limit, offset = 0 }) => {
    const hits = Array.from({ length: 25 }, (_, at) => hit(at)).slice(offset, offset + limit);
    return { hits, totalHits: 25, nextOffset: offset + limit < 25 ? offset + limit : null, notices: [] };
  };
  globalThis.fetch = async (url) => {
    const path = fileURLToPath(url);
    return { ok: true, status: 200, url: String(url), json: async () => JSON.parse(readFileSync(path, "utf-8")) };
  };
});

/** Write the module and its data into a new `_ranvier/`, and import it. */
async function load(site = {}) {
  number += 1;
  const base = join(folder, `site-${number}`, "_ranvier");
  const target = join(base, "pagefind-1");
  cpSync(SOURCE, target, { recursive: true });
  mkdirSync(join(base, "web-1"));
  mkdirSync(join(target, "pages"));
  writeFileSync(join(base, "package.json"), '{"type": "module"}');
  writeFileSync(join(base, "entry.json"), '{"api": "web-1/api.js"}');
  writeFileSync(join(base, "web-1", "api.js"), ENGINE);
  writeFileSync(join(target, "site.json"), JSON.stringify({ langs: { en: "en" }, main: "en", filters: { en: [] }, ...site }));
  writeFileSync(join(target, "sorts.json"), JSON.stringify({ weight: ["p3/index.html", "p1/index.html"] }));
  for (let last = 0; last < 10; last += 1) {
    const pages = Object.fromEntries([0, 10, 20].map((ten) => [`p${ten + last}/index.html`, page(ten + last)]));
    writeFileSync(join(target, "pages", `0000000${last}.json`), JSON.stringify(pages));
  }
  return import(pathToFileURL(join(target, "pagefind.js")).href);
}

test("a result has an id, a score, and data in Pagefind's form", async () => {
  const { search } = await load();
  const { results, timings, ...counts } = await search("reef");
  assert.deepEqual(Object.keys(timings), ["preload", "search", "total"]);
  assert.deepEqual(counts, { unfilteredResultCount: 25, filters: Object.create(null), totalFilters: Object.create(null) });
  assert.deepEqual([results.length, results[0].id, results[0].score], [25, "p0/index.html", 100]);
  const { url, sub_results, ...data } = await results[2].data();
  assert.ok(url.endsWith(`/site-${number}/p2/`));
  assert.equal(data.raw_url, "/p2/");
  assert.equal(data.excerpt, "a &lt;b&gt; <mark>reef</mark> &amp; more");
  assert.equal(data.plain_excerpt, "a <b> reef & more");
  assert.deepEqual(data.meta, { title: "Page <2>", image: "/knot.png" });
  assert.deepEqual([data.content, data.word_count, data.locations], ["Knots Reef", 2, []]);
  assert.deepEqual(sub_results.map(({ title, anchor }) => [title, anchor]), [["Reef", data.anchors[0]]]);
  assert.equal(sub_results[0].url, `${url}#reef`);
});

test("the text before the first heading is a sub-result with the address of the page", async () => {
  globalThis.answer = () => ({ hits: [{ ...hit(4), anchor: "" }], totalHits: 1, nextOffset: null, notices: [] });
  const { search } = await load();
  const { results } = await search("knots");
  const { url, sub_results } = await results[0].data();
  assert.deepEqual(sub_results.map((sub) => [sub.title, sub.url, sub.anchor?.id]), [
    ["Page <4>", url, undefined],
    ["Reef", `${url}#reef`, "reef"],
  ]);
});

test("later results are searched when their data are requested, once for ten of them", async () => {
  const { search } = await load();
  const { results } = await search("reef");
  assert.equal(globalThis.calls.length, 1);
  const later = await Promise.all(results.slice(10, 14).map((result) => result.data()));
  assert.deepEqual(later.map(({ raw_url }) => raw_url), ["/p10/", "/p11/", "/p12/", "/p13/"]);
  assert.deepEqual((await results[24].data()).raw_url, "/p24/");
  assert.deepEqual(globalThis.calls.slice(1).map(([, { offset }]) => offset), [10, 20]);
  assert.equal(new Set(results.map(({ id }) => id)).size, 25);
});

test("sort keeps pages with the key, in ascending or descending order", async () => {
  const { search } = await load();
  const ids = async (direction) => (await search("reef", { sort: { weight: direction } })).results.map(({ id }) => id);
  assert.deepEqual(await ids("asc"), ["p3/index.html", "p1/index.html"]);
  assert.deepEqual(await ids("desc"), ["p1/index.html", "p3/index.html"]);
  assert.deepEqual((await search("reef", { sort: { other: "asc" } })).results, []);
});

test("null lists all pages, and an empty term none", async () => {
  const { search } = await load();
  assert.equal((await search(null)).results.length, 25);
  assert.equal(globalThis.calls[0][1].path, "*");
  assert.deepEqual((await search("  ")).results, []);
  assert.deepEqual((await search(undefined)).results, []);
  assert.equal(globalThis.calls.length, 1);
});

test("after the notice `little`, only pages with all words are results", async () => {
  const hits = [1, 2, 3].map((at) => ({ ...hit(at), coverage: ["all", "some", "none"][at - 1] }));
  const { search } = await load();
  for (const [code, ids] of [["little", ["p1/index.html"]], ["some-words", hits.map(({ id }) => id)]]) {
    globalThis.answer = () => ({ hits, totalHits: 3, nextOffset: null, notices: [{ code }] });
    const { results, unfilteredResultCount } = await search("reef", { filters: {} });
    assert.deepEqual([results.map(({ id }) => id), unfilteredResultCount], [ids, ids.length]);
  }
});

test("the options baseUrl and highlightParam change addresses", async () => {
  const { options, search } = await load();
  await options({ baseUrl: "https://example.org/docs/", highlightParam: "mark", excerptLength: 12 });
  const { results } = await search('"a b" c&d');
  const { url, sub_results } = await results[0].data();
  assert.equal(url, "https://example.org/docs/p0/?mark=a&mark=b&mark=c%26d");
  assert.equal(sub_results[0].url, `${url}#reef`);
});

test("only the last of several debounced searches runs", async () => {
  const { debouncedSearch } = await load();
  const [first, second] = await Promise.all([debouncedSearch("re", {}, 5), debouncedSearch("reef", {}, 5)]);
  assert.equal(first, null);
  assert.equal(second.results.length, 25);
  assert.deepEqual(globalThis.calls.filter(([name]) => name !== "preload").map(([query]) => query), ["reef"]);
});

test("a site with several languages is searched in that of the page", async () => {
  const values = [["sail", "rot", "sail/rot", 1]];
  const site = { langs: { en: "en", "de-at": "de", nb: "no" }, main: "no", filters: { en: [], de: values, no: [] } };
  const langOf = async (lang) => {
    globalThis.document.documentElement.lang = lang;
    const { search, filters } = await load(site);
    await search("reef");
    return [globalThis.calls.at(-1)[1].lang, Object.keys(await filters()).join()];
  };
  assert.deepEqual(await langOf("de-AT"), ["de", "sail"]);
  assert.deepEqual(await langOf("de-CH"), ["de", "sail"]);
  assert.deepEqual(await langOf("nb"), ["no", ""]);
  assert.deepEqual(await langOf("fr"), ["no", ""]);
  assert.deepEqual(await langOf("en-GB"), ["en", ""]);
});

test("destroy closes the engine and resets the options; a later search opens it again", async () => {
  const { destroy, options, search } = await load();
  await options({ baseUrl: "/other/" });
  await search("reef");
  await destroy();
  const { results } = await search("reef");
  assert.deepEqual(globalThis.calls.map(([name]) => name), ["reef", "close", "reef"]);
  assert.ok(!(await results[0].data()).url.startsWith("/other/"));
});

test("merging another site is an error", async () => {
  const { mergeIndex, createInstance } = await load();
  await assert.rejects(mergeIndex("/blog/pagefind/"), /searches one site: \/blog\/pagefind\/ cannot be merged/);
  await assert.rejects(createInstance({}).mergeIndex("x"), /searches one site/);
});

test("a missing file is an error with its name, and the next call fetches it again", async () => {
  const { fetch } = globalThis;
  globalThis.fetch = async (url) => ({ ok: false, status: 404, url: String(url) });
  const { search } = await load();
  await assert.rejects(search("reef"), /Ranvier: .*(entry|site)\.json: the server answered 404/);
  globalThis.fetch = fetch;
  assert.equal((await search("reef")).results.length, 25);
});
