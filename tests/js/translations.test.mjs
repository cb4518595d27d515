import assert from "node:assert/strict";
import test from "node:test";

import { Names } from "../../runtime/ranvier_web/instant/names.js";
import { inOneLanguage } from "../../runtime/ranvier_web/instant/translations.js";

const FOLDERS = { en: "", "de-AT": "de/", ja: "ja/" };
const URLS = ["de/install/", "ja/install/", "install/", "ja/only/", "de/", "", "install/more/", "de/install/"];

/**
 * @param {string} pageLang
 * @param {Record<string, string>} [folders]
 * @param {number} [limit]
 */
async function urls(pageLang, folders = FOLDERS, limit = 8) {
  const search = async (/** @type {string} */ query, /** @type {{limit?: number}} */ options) => URLS.slice(0, options.limit).map((url) => ({ url }));
  return (await inOneLanguage({ search, defaultLimit: 8 }, "", folders, { limit, pageLang })).map(({ url }) => url);
}

test("a page is suggested in the language of the current page, also for another region, in its place", async () => {
  for (const lang of ["de-AT", "de", "de_CH", "DE"]) {
    assert.deepEqual(await urls(lang), ["de/install/", "ja/only/", "de/", "install/more/", "de/install/"]);
  }
  assert.deepEqual(await urls("ja"), ["ja/install/", "ja/only/", "", "install/more/"]);
});

test("in another language, a page is suggested in the language of the site", async () => {
  for (const lang of ["en", "", "fr"]) assert.deepEqual(await urls(lang), ["install/", "ja/only/", "", "install/more/"]);
});

test("a page outside of the folders of languages is always suggested", async () => {
  assert.deepEqual(await urls("de", { en: "en/", de: "de/" }), URLS);
});

test("the region of the current page counts, also with an underscore", async () => {
  const folders = { "zh-TW": "ja/", "zh-CN": "de/" };
  for (const lang of ["zh_CN", "zh-CN"]) assert.equal((await urls(lang, folders))[0], "de/install/");
  for (const lang of ["zh_TW", "zh"]) assert.equal((await urls(lang, folders))[0], "ja/install/");
});

test("a site with many languages has as many suggestions", async () => {
  const langs = Array.from({ length: 26 }, (_, at) => `x${String.fromCharCode(122 - at)}`);
  const urls = langs.flatMap((lang) => [0, 1, 2, 3, 4, 5].map((page) => `${lang}/${page}`));
  const empty = { aliases: [], alias_pages: [], headings: [], anchors: [], tags: [], tag_pages: [] };
  const names = new Names({ ...empty, titles: urls.map(() => "Install"), urls, heading_counts: urls.map(() => 0) });
  const search = async (/** @type {string} */ query, /** @type {{rows?: number}} */ { rows = 8 }) => names.search([query], rows);
  const folders = Object.fromEntries(langs.map((lang) => [lang, `${lang}/`]));
  const rows = await inOneLanguage({ search, defaultLimit: 8 }, "install", folders, { limit: 8, pageLang: "xb" });
  assert.deepEqual(rows.map(({ url }) => url), ["xb/0", "xb/1", "xb/2", "xb/3", "xb/4", "xb/5"]);
});

test("a language that is no text is that of the site", async () => {
  for (const lang of [null, 5, {}]) assert.equal((await urls(/** @type {any} */ (lang)))[0], "install/");
});

test("translations do not count for the limit", async () => {
  assert.deepEqual(await urls("en", FOLDERS, 1), ["install/"]);
});
