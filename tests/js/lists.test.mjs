/**
 * B2, B4: full-text hits before the engine: the words of a query, their files, and files that are missing or damaged.
 * `tests/parity/test_instant.py` compares scores and order with the same algorithm in Python.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import { listWords } from "../../runtime/ranvier_web/instant/keys.js";
import { Lists } from "../../runtime/ranvier_web/instant/lists.js";

const BASE = "https://example.org/docs/_ranvier/";
const PAGES = ["deploy", "hugo", "start", "zoo"].map((name) => [name[0].toUpperCase() + name.slice(1), `${name}/`]);
const PLACES = [
  [0, "", ""], // 0
  [0, "By hand", 0], // 1
  [1, "", ""], // 2
  [1, "With a host", "host-1"], // 3
  [2, "", ""], // 4
  [3, "", ""], // 5
];

const packed = (/** @type {object} */ file) => deflateSync(JSON.stringify(file));
const damaged = (/** @type {Uint8Array} */ data, /** @type {number} */ at) => data.map((byte, place) => (place === at ? byte ^ 1 : byte));
const digestOf = (/** @type {Uint8Array} */ data) => createHash("sha256").update(data).digest("hex").slice(0, 24);

/** A shard of lists; a list is its words, its rarity, and its places with their impacts. */
function shard(...lists) {
  const words = lists.flatMap(([forms], at) => forms.split(" ").map((form) => [form, at])).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    pages: PAGES,
    places: PLACES,
    words: words.map(([form]) => form).join("\n"),
    lists: words.map(([, at]) => at),
    ranked: lists.map(([, , ranked]) => ranked),
    rarity: lists.map(([, rarity]) => rarity),
  };
}

/** A host with shards by the prefix of their first word; it records the requests. */
function host(shards, root = {}) {
  const contents = new Map();
  const add = (/** @type {object} */ file) => {
    const data = packed(file);
    const name = `lists/${digestOf(data)}.bin`;
    contents.set(name, data);
    return name;
  };
  const names = Object.values(shards).map(add);
  const files = names.map((name) => name.slice(6, -4));
  const rootName = add({ starts: Object.keys(shards), files, pages: 4, stop: ["do", "how", "i", "the"], ...root });
  /** @type {string[]} */
  const requests = [];
  const fetcher = async (/** @type {any} */ url, /** @type {any} */ { signal } = {}) => {
    const name = String(url).slice(BASE.length);
    requests.push(name);
    assert.equal(signal, undefined, "an aborted query must not abort a file that other queries wait for");
    const data = contents.get(name);
    return new Response(data ?? "not urlsOf", { status: data === undefined ? 404 : 200 });
  };
  return { names, contents, requests, lists: new Lists(BASE, rootName, fetcher), rootName };
}

const small = (...lists) => host({}, { all: shard(...lists) });

/** @returns {Promise<string>} the pages, each with the anchor of its place: "deploy#by-hand zoo" */
async function urlsOf(lists, query, options) {
  const hits = await lists.search(query, options);
  return hits.map(({ url, anchor }) => url.slice(0, -1) + (anchor && `#${anchor}`)).join(" ");
}

const DEPLOY = ["deploy deploying deploys", 200, [1, 500, 4, 300]];
const HUGO = ["hugo", 400, [3, 450, 0, 100]];

test("one typed letter of a word fetches no file", async () => {
  const files = () => host({ "": shard(["c", 300, [5, 200]], DEPLOY), h: shard(HUGO) });
  const { lists, requests, rootName } = files();
  assert.equal(await urlsOf(lists, "c"), "");
  assert.deepEqual(requests, [rootName]);
  assert.equal(await urlsOf(lists, "hugo c"), "hugo#host-1 deploy");
  assert.equal(requests.length, 2);
  assert.equal(await urlsOf(lists, "c "), "zoo");
  assert.equal(await urlsOf(files().lists, "c the"), "zoo", "a blank completes it");
});

test("a hit has its title in parts and its section", async () => {
  const { lists } = small(DEPLOY, HUGO);
  assert.deepEqual(await lists.search("how do I deploy "), [
    { kind: "text", text: ["", "Deploy"], title: "Deploy", heading: "By hand", url: "deploy/", anchor: "by-hand", score: 500 },
    { kind: "text", text: ["Start"], title: "Start", heading: "", url: "start/", anchor: "", score: 300 },
  ]);
  assert.deepEqual(await lists.search("hugo ", { limit: 1 }), [
    { kind: "text", text: ["", "Hugo"], title: "Hugo", heading: "With a host", url: "hugo/", anchor: "host-1", score: 450 },
  ]);
});

test("a function word is not marked in a title", async () => {
  const { lists } = host({}, { all: { ...shard(DEPLOY), pages: [["How the host deploys", "a/"], ...PAGES.slice(1)] } });
  assert.deepEqual((await lists.search("how do I deploy "))[0]?.text, ["How the host ", "deploy", "s"]);
});

test("titles and headings that begin with the query come first", async () => {
  const places = [[0, "", ""], [1, "", ""], [2, "Fast boats", 0], [3, "Fast boats of wood", 0]];
  const pages = [["Fast boats", "a/"], ["Fast boats today", "b/"], ["Sailing", "c/"], ["Rowing", "d/"], ["Fast boatsman", "e/"]];
  const ranked = [0, 1, 1, 1, 2, 1, 3, 1, 4, 7_000];
  const all = { ...shard(["fast", 100, ranked], ["boats", 100, ranked]), pages, places: [...places, [4, "", ""]] };
  const { lists } = host({}, { all });
  assert.equal(await urlsOf(lists, "Fast BOATS"), "a b c#fast-boats d#fast-boats-of-wood e");
  assert.equal(await urlsOf(lists, "boats fast"), "e a b c#fast-boats d#fast-boats-of-wood");
});

test("function words are ignored unless alone", async () => {
  const { lists, requests } = host({ "": shard(DEPLOY), h: shard(["how", 5, [5, 20]]) });
  assert.equal(await urlsOf(lists, "how do I deploy"), "deploy#by-hand start");
  assert.equal(requests.length, 2, "no file is fetched for them");
  assert.equal(await urlsOf(lists, "deploy how"), "deploy#by-hand start");
  assert.equal(await urlsOf(lists, "how do I"), "zoo");
});

test("unspaced scripts are looked up in pairs", async () => {
  assert.deepEqual(listWords("東京都"), ["東京", "京都"]);
  assert.deepEqual(listWords("A東B京都 ok"), ["a", "東", "b", "京都", "ok"]);
  assert.deepEqual(listWords("がく"), ["か\u3099く"]);
  assert.deepEqual(listWords("한국어"), ["한국", "국어"].map((pair) => pair.normalize("NFKD")));
  assert.deepEqual(listWords("გზა"), ["გზა"], "Georgian separates words by blanks");
  const { lists } = small(["東京", 100, [1, 200, 4, 100]], ["京都", 300, [4, 150]]);
  assert.equal(await urlsOf(lists, "東京都"), "start deploy#by-hand");
  assert.deepEqual((await lists.search("東京都"))[0]?.text, ["Start"]);
});

test("words are folded, and camel case is not split", () => {
  assert.deepEqual(listWords("Größe, C++ getUserName"), ["grosse", "c++", "getusername"]);
  assert.deepEqual(listWords("one\ntwo"), ["one", "two"]);
  assert.deepEqual(listWords("東 京都 2015年語"), ["東", "京都", "2015", "年語"]);
  assert.deepEqual(listWords(" …\ud800 "), []);
});

test("each word reads one file once", async () => {
  const shards = { "": shard(DEPLOY), h: shard(HUGO), z: shard(["zoo", 100, [5, 100]]) };
  const { lists, requests, names, rootName } = host(shards);
  await lists.root();
  assert.deepEqual(requests, [rootName]);
  await Promise.all([urlsOf(lists, "deploy hugo "), urlsOf(lists, "hugo deploys ")]);
  assert.deepEqual(requests, [rootName, names[0], names[1]]);
  assert.equal(await urlsOf(lists, "zoo "), "zoo");
  assert.deepEqual(requests, [rootName, ...names]);
});

test("completion reads the next file if it has words with the same beginning", async () => {
  const shards = { "": shard(["deploy", 200, [1, 500]]), depo: shard(["depot", 100, [5, 600]]), depr: shard(["depress", 100, [4, 900]]) };
  const { lists, requests } = host(shards);
  assert.equal(await urlsOf(lists, "dep"), "zoo deploy#by-hand", "two files at the most");
  assert.equal(requests.length, 3);
  assert.equal(await urlsOf(lists, "dep "), "");
});

test("words find their file by UTF-16 order", async () => {
  const { lists } = host({ "": shard(["a", 1, [0, 1]]), "\u{1f600}": shard(["\u{20000}\u{20001}", 1, [4, 9]]), "\uff00": shard(["\ufffc", 1, [5, 1]]) });
  assert.equal(await urlsOf(lists, "\u{20000}\u{20001} "), "start");
});

test("returns at most ten pages", async () => {
  const ranked = Array.from({ length: 30 }, (_, at) => [at, 100 - at]).flat();
  const large = { ...shard(["x", 1, ranked]) };
  large.pages = Array.from({ length: 30 }, (_, at) => [`P${at}`, `p${at}/`]);
  large.places = large.pages.map((_, at) => [at, "", ""]);
  const { lists } = host({}, { all: large });
  assert.equal((await lists.search("x ")).length, 10);
  assert.equal((await lists.search("x ", { limit: 3 })).length, 3);
});

test("looks up the eight longest words of a pasted text", async () => {
  const letters = [..."abcdefghjklmnop"];
  const shards = Object.fromEntries(letters.map((letter, at) => [at ? letter : "", shard([letter, at + 1, [5, at + 1]])]));
  const { lists, requests } = host(shards);
  await lists.search(`${letters.join(" the ")} pp aaa bb`);
  assert.equal(requests.length, 1 + 6); // the root; aaa, pp, bb and a to e, of which a and aaa, b and bb have one file
});

test("the root of a large site names files that name the shards", async () => {
  const { contents, names, requests } = host({ "": shard(DEPLOY), h: shard(HUGO), hz: shard(["hzz", 100, [5, 1]]), z: shard(["zoo", 9, [5, 7]]) });
  const groups = [["", ["", "h"], names.slice(0, 2)], ["hz", ["hz", "z"], names.slice(2)]].map(([start, starts, below]) => {
    const data = packed({ starts, files: below.map((/** @type {string} */ name) => name.slice(6, -4)) });
    contents.set(`lists/${digestOf(data)}.bin`, data);
    return [start, digestOf(data)];
  });
  const data = packed({ starts: groups.map(([start]) => start), files: groups.map(([, file]) => file), pages: 4, stop: [] });
  const rootName = `lists/${digestOf(data)}.bin`;
  contents.set(rootName, data);
  const fetcher = async (/** @type {any} */ url) => {
    requests.push(String(url).slice(BASE.length));
    return new Response(contents.get(String(url).slice(BASE.length)));
  };
  const large = new Lists(BASE, rootName, fetcher);
  assert.equal(await urlsOf(large, "deploy hugo "), "deploy hugo#host-1 start");
  assert.deepEqual(new Set(requests), new Set([rootName, `lists/${groups[0]?.[1]}.bin`, names[0], names[1]]));
  assert.equal(await urlsOf(large, "zo"), "zoo");
  assert.equal(await urlsOf(large, "h"), "", "one letter is not completed");
  assert.equal(await urlsOf(large, "hz"), "zoo", "of the second group");
});

test("fetches nothing for an empty query", async () => {
  const { lists, requests } = small(DEPLOY);
  for (const query of ["", " ", "…"]) assert.deepEqual(await lists.search(query), []);
  for (const root of [null, undefined]) {
    await new Lists(BASE, root, fetch).root();
    assert.deepEqual(await new Lists(BASE, root, fetch).search("deploy"), []);
  }
  assert.deepEqual(requests, []);
});

test("other words answer if a file is missing; if all files are missing, it is an error, and the next query fetches them again", async () => {
  for (const damage of [() => undefined, (data) => damaged(data, data.length >> 1), (data) => data.slice(1)]) {
    const { lists, contents, names } = host({ "": shard(DEPLOY), h: shard(HUGO) });
    const name = names[0] ?? "";
    const original = contents.get(name);
    const replacement = damage(original);
    if (replacement === undefined) contents.delete(name);
    else contents.set(name, replacement);
    assert.equal(await urlsOf(lists, "deploy hugo "), "hugo#host-1 deploy");
    await assert.rejects(lists.search("deploy"), { code: "integrity" });
    contents.set(name, original);
    assert.equal(await urlsOf(lists, "deploy "), "deploy#by-hand start");
  }
});

test("a damaged root is an error", async () => {
  const { lists, contents, rootName } = small(DEPLOY);
  const original = contents.get(rootName);
  contents.set(rootName, damaged(original, original.length >> 1));
  await assert.rejects(lists.search("deploy"), { code: "integrity" });
  contents.set(rootName, original);
  assert.equal(await urlsOf(lists, "deploy"), "deploy#by-hand start");
});

test("an aborted query rejects, and its files serve other queries", async () => {
  const { lists, requests } = host({ "": shard(DEPLOY) });
  const stop = new AbortController();
  const [first, second] = [lists.search("deploy", { signal: stop.signal }), urlsOf(lists, "deploy")];
  stop.abort();
  await assert.rejects(first, { name: "AbortError" });
  assert.equal(await second, "deploy#by-hand start");
  assert.equal(requests.length, 2);
  await lists.root();
  const late = new AbortController();
  const third = lists.search("deploy", { signal: late.signal });
  late.abort();
  await assert.rejects(third, { name: "AbortError" });
});
