import assert from "node:assert/strict";
import { test } from "node:test";
import { Folders } from "../../runtime/ranvier_web/instant/folders.js";

const FOLDERS = new Folders({
  urls: ["guide/", "guide/host/", "plans/"],
  titles: ["Guide", "Hosting", "Plans"],
  parents: [-1, 0, -1],
  pageless: [2],
  page_folders: { "notes/a/": 1, "guide/free/": -1 },
});

test("a page is below the titles of its folders", () => {
  assert.deepEqual(FOLDERS.trail("guide/host/nginx/"), ["Guide", "Hosting"]);
  assert.deepEqual(FOLDERS.trail("guide/host/nginx.html"), ["Guide", "Hosting"]);
  assert.deepEqual(FOLDERS.trail("guide/unnamed/deep/"), ["Guide"]);
});

test("a folder is not below itself", () => {
  assert.deepEqual(FOLDERS.trail("guide/host/"), ["Guide"]);
  assert.deepEqual(FOLDERS.trail("guide/"), []);
  assert.deepEqual(FOLDERS.trail(""), []);
});

test("a page with a parent in its frontmatter is below it", () => {
  assert.deepEqual(FOLDERS.trail("notes/a/"), ["Guide", "Hosting"]);
  assert.deepEqual(FOLDERS.trail("guide/free/"), []);
});

test("the top has folders with a page, also below folders without a page", () => {
  const urls = ["docs/", "docs/a/", "docs/a/b/", "docs/c/", "docs/c/d/", "e/"];
  const folders = new Folders({ urls, titles: [..."DABCDE"], parents: [-1, 0, 1, 0, 3, -1], pageless: [0, 3], page_folders: {} });
  assert.deepEqual(folders.top.map(({ url }) => url), ["docs/a/", "docs/c/d/", "e/"]);
  assert.deepEqual(FOLDERS.top, [{ title: "Guide", url: "guide/" }]);
  assert.deepEqual(new Folders().top, []);
});
