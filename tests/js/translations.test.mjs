import assert from "node:assert/strict";
import test from "node:test";

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

test("translations do not count for the limit", async () => {
  assert.deepEqual(await urls("en", FOLDERS, 1), ["install/"]);
});
