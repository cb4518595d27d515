import assert from "node:assert/strict";
import { test } from "node:test";
import { Folders } from "../../runtime/ranvier_web/instant/folders.js";
import { folderName, formatFilter, parseFilters, removeFilters, removePart } from "../../runtime/ranvier_web/ui/query-filters.js";

const filters = (/** @type {string} */ query) => parseFilters(query).map(({ kind, value }) => `${kind} ${value}`);

test("finds the filters of a query", () => {
  assert.deepEqual(filters('how #api tag:"two words" path:guide kind:note lang:de time:2026-01-01..'), [
    "tags api",
    "tags two words",
    "path guide",
    "kind note",
    "lang de",
    "time 2026-01-01..",
  ]);
  assert.deepEqual(filters('"cold start" -cache [[My page]]'), ["phrase cold start", "not cache", "title My page"]);
});

test("a word without capitals and case is excluded, too", () => {
  assert.deepEqual(filters('-データ -"語" -検索 -v -é'), ["not データ", 'not "語"', "not 検索", "not é"]);
});

test("a filter with a minus is an exclusion", () => {
  assert.deepEqual(filters('-#api -path:"a b" -lang:de -time:2026-01-01..'), ["not #api", 'not path:"a b"', "not lang:de", "not time:2026-01-01.."]);
});

test("words are no filters", () => {
  assert.deepEqual(filters("C# #1 a#b -v -Wall built-in x:y http://x.y"), []);
  assert.deepEqual(filters('""'), []);
});

test("removes one filter, or all", () => {
  const query = "how #api to path:guide search";
  const [first] = parseFilters(query);
  assert.equal(first && removePart(query, first), "how to path:guide search");
  assert.equal(removeFilters(query), "how to search");
  assert.equal(removeFilters('"cold start" -cache #api'), '"cold start" -cache');
});

test("a formatted filter is parsed as the same value", () => {
  for (const [facet, value, kind] of /** @type {const} */ ([
    ["tags", "api", "tags"],
    ["tags", "1.0 beta", "tags"],
    ["folder", "my guide/a", "path"],
    ["kind", "note", "kind"],
    ["lang", "de", "lang"],
  ])) {
    assert.deepEqual(filters(`x ${formatFilter(facet, value)}`), [`${kind} ${value}`]);
  }
  assert.equal(formatFilter("folder", 'a"b'), "");
});

test("folders with blanks and capitals have different names", () => {
  const urls = ["docs/", "docs/getting-started/", "docs/getting-started/statuses/"];
  const folders = new Folders({ urls, titles: ["Docs", "Getting started", "Statuses"], parents: [-1, 0, 1], pageless: [], page_folders: {} });
  const name = (/** @type {string} */ path) => folderName(path, (url) => folders.trail(url));
  assert.deepEqual(["docs", "docs/Getting Started", "docs/Getting Started/Statuses", "docs/Other", "notes"].map(name), [
    "Docs",
    "Docs › Getting started",
    "Docs › Getting started › Statuses",
    "Docs › Other",
    "notes",
  ]);
});

test("a folder that contains all others is not in the names of folders", () => {
  const folders = new Folders({ urls: ["en/functions/", "en/guide/"], titles: ["Functions", "Guide"], parents: [-1, -1], pageless: [], page_folders: {} });
  const name = (/** @type {string} */ path) => folderName(path, (url) => folders.trail(url));
  assert.deepEqual(["en/functions", "en/Functions/css", "en"].map(name), ["Functions", "Functions › css", "en"]);
});
