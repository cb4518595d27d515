/** B8: several sites in one engine: the merge, addresses, pages, notices, failures and the requests to each site. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { RanvierError } from "../../runtime/ranvier_web/errors.js";
import { byTier, mergeLists, mergeNotices, ORDERS, sumFacets, tierOf } from "../../runtime/ranvier_web/sites/merge.js";
import { formatContext, limitChunks } from "../../runtime/ranvier_web/sites/context.js";
import { Sites } from "../../runtime/ranvier_web/sites/sites.js";
import { FORMAT } from "../../runtime/ranvier_web/entry.js";
import { withSharedEngine } from "../../runtime/ranvier_web/sites/shared-engine.js";

globalThis.location = /** @type {any} */ (new URL("https://h.example/docs/guide/"));

const hit = (id, score, fields = {}) => ({
  id,
  url: `${id}/`,
  path: `${id}.md`,
  title: id,
  updated: "",
  score,
  coverage: "all",
  isFilterResult: false,
  subResults: [{ url: `${id}/#part`, score }],
  ...fields,
});

const result = (hits, fields = {}) => ({
  hits,
  totalHits: hits.length,
  nextOffset: null,
  truncated: false,
  strategy: "bm25",
  intent: "keyword",
  notices: [],
  timing: { totalMs: 1 },
  unsettled: false,
  ...fields,
});

const notice = (code, subject = "") => ({ code, text: code, subject });

/** Several sites with stub engines, whose answers are lists of hits, or functions of the query and the options. */
function several(answers, sites = answers.map((_, at) => `/site${at}/_ranvier/`), methods = {}) {
  const requests = [];
  const opened = [];
  const open = (address, options) => {
    const at = opened.push({ address, options }) - 1;
    const answer = (query, options) => {
      requests.push([at, query, options]);
      const response = typeof answers[at] === "function" ? answers[at](query, options) : answers[at];
      if (response instanceof Error) throw response;
      return Array.isArray(response) ? paged(response, options) : response;
    };
    const status = () => ({ state: "ready", version: "0.1.0", shared: false, locked: "", audience: "public" });
    return { search: async (...request) => answer(...request), status, close() {}, ...methods[at] };
  };
  const engine = new Sites(sites, {}, open);
  return { engine, requests, opened };
}

const paged = (hits, { offset, limit }) => {
  const next = offset + limit;
  return result(hits.slice(offset, next), { totalHits: hits.length, nextOffset: next < hits.length ? next : null });
};

const ids = ({ hits }) => hits.map(({ id }) => id).join(" ");

test("scores are multiplied by the weight of their site; equal scores have the order of the sites", async () => {
  const { engine } = several(
    [[hit("a", 9), hit("b", 4)], [hit("c", 10), hit("d", 8), hit("e", 1)]],
    ["/docs/_ranvier/", "https://blog.example/_ranvier/=.5"],
  );
  const { hits, totalHits } = await engine.search("x");
  assert.deepEqual(hits.map(({ id, score, rank }) => [id, score, rank]), [
    ["0:a", 9, 1],
    ["1:c", 5, 2],
    ["0:b", 4, 3],
    ["1:d", 4, 4],
    ["1:e", 0.5, 5],
  ]);
  assert.equal(totalHits, 5);
  assert.deepEqual([hits[0].url, hits[1].url], ["https://h.example/docs/a/", "https://blog.example/c/"]);
  assert.equal(hits[1].subResults[0].url, "https://blog.example/c/#part");
  assert.deepEqual(hits[1].site, { title: "blog.example/", root: "https://blog.example/" });
});

test("a site keeps the order of its hits", () => {
  const rows = mergeLists([[hit("pin", 2), hit("a", 9)], [hit("b", 5)]], ORDERS.relevance);
  assert.deepEqual(rows.map(({ id }) => id), ["b", "pin", "a"]);
});

for (const [sort, expected] of [
  ["title", "a B c"],
  ["path", "B a c"],
  ["updated", "c a B"],
  ["created", "a c B"],
]) {
  test(`sort: ${sort}`, () => {
    const first = [hit("a", 1, { updated: "2026-02-01" }), hit("c", 1, { updated: "2026-03-01" })];
    const other = [hit("B", 1, { updated: "2026-01-01" })];
    const compare = sort === "updated" ? [...first].reverse() : first;
    assert.equal(mergeLists([compare, other], ORDERS[sort]).map(({ id }) => id).join(" "), expected);
  });
}

test("further pages have no gaps and no repetitions, also after a hundred hits", async () => {
  const { engine } = several([
    Array.from({ length: 150 }, (_, at) => hit(`a${at}`, 1000 - 2 * at)),
    Array.from({ length: 3 }, (_, at) => hit(`b${at}`, 999 - 200 * at)),
  ]);
  const scores = [];
  for (let offset = 0; offset !== null; ) {
    const page = await engine.search("x", { limit: 40, offset });
    scores.push(...page.hits.map(({ score }) => score));
    offset = page.nextOffset;
  }
  assert.equal(scores.length, 153);
  assert.deepEqual(scores, [...scores].sort((a, b) => b - a));
});

test("hits of filters do not count towards the limit", async () => {
  const named = Array.from({ length: 4 }, (_, at) => hit(`n${at}`, 1, { isFilterResult: true }));
  const others = Array.from({ length: 6 }, (_, at) => hit(`o${at}`, 0.9 - at / 10));
  const answer = (_, { offset, limit }) => {
    const last = Math.max(offset, 4) + limit;
    return result([...named, ...others].slice(offset, last), { totalHits: 10, nextOffset: last < 10 ? last : null });
  };
  const { engine } = several([answer, [hit("b", 5)]]);
  const first = await engine.search("#t", { limit: 2 });
  assert.equal(ids(first), "0:n0 0:n1 0:n2 0:n3 1:b 0:o0");
  const rest = await engine.search("#t", { limit: 20, offset: first.nextOffset });
  assert.equal(ids(rest), "0:o1 0:o2 0:o3 0:o4 0:o5");
});

test("a site that fails is a notice; if all fail, the error of the first is thrown", async () => {
  const failing = new RanvierError({ code: "fetch", message: "index/1.bin: no connection" });
  const { engine } = several([[hit("a", 1)], failing]);
  const { hits, notices } = await engine.search("x");
  assert.equal(hits.length, 1);
  assert.deepEqual(notices, [
    {
      code: "no-site",
      text: "h.example/site1/ could not be searched: index/1.bin: no connection",
      subject: "h.example/site1/",
    },
  ]);
  const request = new RanvierError({ code: "request", message: "there is no option" });
  await assert.rejects(several([request, failing]).engine.search("x"), { code: "request" });
});

test("a site that is ten seconds later than another is a notice", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let aborted = false;
  const never = (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => (aborted = true)));
  const { engine } = several([[hit("a", 1)], never]);
  const search = engine.search("x");
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  t.mock.timers.tick(10_000);
  const { hits, notices } = await search;
  assert.deepEqual([hits.length, notices.map(({ code }) => code), aborted], [1, ["no-site"], true]);
});

test("an aborted search is an error, also if one site has answered", async () => {
  const stop = new AbortController();
  const slow = (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
  const search = several([[hit("a", 1)], slow]).engine.search("x", { signal: stop.signal });
  stop.abort();
  await assert.rejects(search, { code: "stale" });
});

test("a filter that only one site has excludes the pages of the others", async () => {
  const unknown = result([hit("b", 9)], { notices: [notice("unknown-filter", "#t")] });
  const { engine } = several([[hit("a", 1)], unknown]);
  const answer = await engine.search("#t x");
  assert.deepEqual([ids(answer), answer.totalHits, answer.notices], ["0:a", 1, []]);
  const nowhere = await several([unknown, unknown]).engine.search("#t x");
  assert.deepEqual([ids(nowhere), nowhere.notices], ["0:b 1:b", [notice("unknown-filter", "#t")]]);
});

test("a query with hits on one site is corrected on no site", async () => {
  const correcting = (_, { exact }) => (exact ? result([]) : result([hit("b", 9)], { notices: [notice("corrected", "lantern")] }));
  const { engine, requests } = several([[hit("a", 1)], correcting]);
  const answer = await engine.search("lantren");
  assert.deepEqual([ids(answer), answer.notices], ["0:a", []]);
  assert.deepEqual(requests.map(([site, , { exact = false }]) => [site, exact]), [[0, false], [1, false], [1, true]]);
  const weak = result([hit("a", 1, { coverage: "some" })], { notices: [notice("some-words")] });
  const corrected = await several([weak, correcting]).engine.search("lantren");
  assert.deepEqual([ids(corrected), corrected.notices], ["1:b 0:a", [{ ...notice("corrected", "lantern"), site: "h.example/site1/" }]]);
});

test("a notice of all sites with hits is listed once, another one with its site; a weak answer has none beside a better one", () => {
  const [hits, none] = [[hit("a", 1)], []];
  const of = (...results) => mergeNotices(new Map(results.map(([rows, ...notices], site) => [site, { hits: rows, notices }])), (site) => `S${site}`);
  const [excluded, little, clamped] = ["excluded", "little", "clamped"].map((code) => notice(code));
  assert.deepEqual(of([hits, excluded, little], [hits, excluded]), [excluded]);
  assert.deepEqual(of([hits, little], [hits, little]), [little]);
  assert.deepEqual(of([hits, little], [none, clamped]), [little]);
  assert.deepEqual(of([hits, clamped], [hits]), [{ ...clamped, site: "S0" }]);
  assert.deepEqual(of([none, clamped], [none, clamped]), [clamped]);
});

test("counts are added, the largest first; equal ones in the order of code points, as in Python", () => {
  const counts = (values) => ({ tags: Object.entries(values).map(([value, count]) => ({ value, count })) });
  assert.deepEqual(sumFacets([counts({ a: 3, c: 1 }), counts({ b: 2, c: 3 }), {}]), counts({ c: 4, a: 3, b: 2 }));
  assert.deepEqual(sumFacets([counts({ "😀": 1, ab: 1 }), counts({ ﬁ: 1, a: 1 })]), counts({ a: 1, ab: 1, ﬁ: 1, "😀": 1 }));
});

test("suggestions: titles that equal the query first, and each site keeps its order", () => {
  const name = (kind, ...text) => ({ kind, text });
  assert.deepEqual([name("title", "", "Anchor"), name("title", "", "Anch", "or"), name("title", "An ", "anchor"), name("tag", "", "anchor")].map(tierOf), [0, 4, 3, 17]);
  assert.deepEqual([name("title", "", "Mark", " ", "Mark", "down"), name("title", "", "日本", "語の検索"), name("title", "", "Mark", "down")].map(tierOf), [2, 2, 4]);
  const lists = [[name("title", "", "Anch", "ors"), name("heading", "", "Anchor")], [name("title", "", "Anchor"), name("alias", "", "Anchor")]];
  assert.deepEqual(mergeLists(lists, byTier).map(({ kind, text }) => kind + text.join("")), ["titleAnchor", "aliasAnchor", "titleAnchors", "headingAnchor"]);
});

test("a page of a site in a folder of another site has the title of its own site", async () => {
  const calls = [];
  const engines = ["Home", "Docs"].map((title) => ({
    folders: async () => ({ trail: () => [], top: [] }),
    preload: async () => void calls.push(title),
  }));
  const sites = [{ base: "/_ranvier/", title: "Home" }, { base: "/docs/_ranvier/", title: "Docs" }];
  const { engine } = several([null, null], sites, engines);
  const { trail } = await engine.folders();
  assert.deepEqual(trail("https://h.example/docs/guide/"), ["Docs"]);
  assert.deepEqual(trail("https://h.example/about/"), ["Home"]);
  await engine.preload({ all: true });
  assert.deepEqual(calls, ["Docs"]);
});

test("suggestions, instant hits and folders have the addresses of their site", async () => {
  const engines = [0, 1].map((at) => ({
    suggest: async () => [{ kind: "title", text: ["", "Anchor"], title: "Anchor", url: "anchor/", anchor: "" }],
    instant: async () => [{ kind: "text", text: [], title: "", heading: "", url: "anchor/", anchor: "", score: 3 + at }],
    folders: async () => ({ trail: (url) => (url.startsWith("guide/") ? [`Guide ${at}`] : []), top: [] }),
  }));
  const { engine, opened } = several([null, null], ["/docs/_ranvier/", { base: "/blog/_ranvier", weight: 0.5, title: "Blog" }], engines);
  assert.equal(opened[1].address.href, "https://h.example/blog/_ranvier/");
  const urls = async (rows) => (await rows).map(({ url }) => url.replace("https://h.example", ""));
  assert.deepEqual(await urls(engine.suggest("anch")), ["/docs/anchor/", "/blog/anchor/"]);
  assert.deepEqual(await urls(engine.instant("anchor")), ["/docs/anchor/", "/blog/anchor/"], "3 and 4 × 0.5");
  const { top, trail } = await engine.folders();
  assert.deepEqual(trail("https://h.example/blog/guide/x/"), ["Blog", "Guide 1"]);
  assert.deepEqual(trail("https://h.example/docs/x/"), ["h.example/docs/"]);
  assert.deepEqual(trail("guide/-"), ["Guide 0"]);
  assert.deepEqual(top.map(({ title }) => title), ["h.example/docs/", "Blog"]);
});

const chunk = (documentId, rank, content = "text", fields = {}) => ({
  documentId,
  rank,
  content,
  title: documentId,
  headerBreadcrumb: documentId,
  url: `${documentId}/`,
  citation: 1,
  isFilterResult: false,
  matchType: "",
  ...fields,
});

test("passages of all sites are numbered, within one bound", async () => {
  const retrieved = (...chunks) => ({ retrieve: async () => ({ chunks, notices: [] }) });
  const engines = [retrieved(chunk("a", 2, "12345"), chunk("b", 1, "1")), retrieved(chunk("c", 3, "123"))];
  const { engine } = several([null, null], ["/docs/_ranvier/", "/blog/_ranvier/=0.5"], engines);
  const { chunks, formattedContext, totalChars } = await engine.retrieve("x", { maxChars: 8 });
  assert.deepEqual(chunks.map(({ documentId, citation, url }) => [documentId, citation, url]), [
    ["0:a", 1, "https://h.example/docs/a/"],
    ["1:c", 2, "https://h.example/blog/c/"],
  ]);
  assert.equal(totalChars, 8);
  assert.equal(formattedContext, "## Neuron 1 — a\n\n*a*\n\n12345\n\n## Neuron 2 — c\n\n*c*\n\n123\n");
  assert.deepEqual(limitChunks([chunk("a", 1, "😀😀"), chunk("b", 1)], { topK: 1, maxChars: 2 }).length, 1);
  assert.match(formatContext([chunk("a", 1, "t", { isFilterResult: true, matchType: "tag" }), chunk("b", 1)]), /^# Named by the query\n.*tag named.*# Found by the query/s);
});

test("an id of a merged answer names its site", async () => {
  const calls = [];
  const engines = [0, 1].map((at) => ({
    backlinks: async (item) => (calls.push([at, item]), [{ id: "l", title: "L", url: "l/", path: "l.md" }]),
  }));
  const { engine } = several([null, null], undefined, engines);
  assert.deepEqual(await engine.backlinks("1:guide/x"), [{ id: "1:l", title: "L", url: "https://h.example/site1/l/", path: "l.md" }]);
  assert.equal((await engine.backlinks("x.md")).length, 2);
  assert.deepEqual(calls, [[1, "guide/x"], [0, "x.md"], [1, "x.md"]]);
});

test("an invalid offset is an error", async () => {
  for (const offset of [-1, 0.5, "1"]) await assert.rejects(several([[]]).engine.search("x", { offset }), { code: "request" });
});

test("wrong lists of sites are errors", () => {
  assert.throws(() => several([[]], ["https://other.example/_ranvier/"]), { code: "request", message: /origin of this page/ });
  for (const weight of [0, -1, NaN, Infinity]) {
    assert.throws(() => several([[]], [{ base: "/docs/_ranvier/", weight }]), { code: "request", message: /weight/ });
  }
});

test("only the page's own site is downloaded for offline use", async () => {
  const calls = [];
  const engines = [0, 1].map((at) => ({ preload: async ({ all }) => void calls.push([at, all ?? false]) }));
  const { engine } = several([null, null], ["/blog/_ranvier/", "/docs/_ranvier/"], engines);
  await engine.preload({ all: true });
  assert.deepEqual(calls, [[1, true]]);
  await engine.preload();
  assert.deepEqual(calls.slice(1), [[0, false], [1, false]]);
});

const built = (engine) => ({
  format: FORMAT,
  api: `web-${engine}/api.js`,
  engine: `engine-${engine}/`,
  engineFiles: { "a.wasm": [1, engine] },
  core: `core-${engine}.wasm`,
  offline: "../sw.js",
  manifest: "manifest-1.bin",
});

for (const [origin, engine, isShared] of [
  ["https://h.example", "1", true],
  ["https://h.example", "2", false],
  ["https://other.example", "2", true],
]) {
  test(`a site of ${origin} with engine ${engine} ${isShared ? "uses" : "does not use"} the engine 1 of the page's site`, async (t) => {
    t.mock.method(globalThis, "fetch", async () => new Response(JSON.stringify(built("1"))));
    const entry = await withSharedEngine(built(engine), new URL("/blog/_ranvier/", origin), new URL("https://h.example/docs/_ranvier/"));
    const at = (name) => `https://h.example/docs/_ranvier/${name}`;
    const shared = {
      ...built(engine),
      api: at("web-1/api.js"),
      engine: at("engine-1/"),
      engineFiles: { "a.wasm": [1, "1"] },
      core: at("core-1.wasm"),
      offline: null,
    };
    assert.deepEqual(entry, isShared ? shared : built(engine));
  });
}
