/** B6: the translations of the search box. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { progressText } from "../../runtime/ranvier_web/ui/answer-view.js";
import { answerStrings } from "../../runtime/ranvier_web/ui/answer-strings.js";
import { featureStrings } from "../../runtime/ranvier_web/ui/feature-strings.js";
import { extraStrings } from "../../runtime/ranvier_web/ui/extra-strings.js";
import { helpStrings } from "../../runtime/ranvier_web/ui/help-strings.js";
import { layerStrings } from "../../runtime/ranvier_web/ui/layer-strings.js";
import { strings } from "../../runtime/ranvier_web/ui/strings.js";
import { translation, translator } from "../../runtime/ranvier_web/ui/translation.js";

const FOLDER = new URL("../../runtime/ranvier_web/ui/languages/", import.meta.url);
const LANGUAGES = readdirSync(FOLDER).map((name) => name.replace(".js", ""));
const tables = new Map(await Promise.all(LANGUAGES.map(async (name) => [name, (await import(new URL(`${name}.js`, FOLDER))).table])));
const parts = [strings, answerStrings, featureStrings, helpStrings, extraStrings, layerStrings];
const english = Object.assign({ truncated: "" }, ...parts);

/** The path of each text: `notices.little`, `tips.0`; plural forms are one text. */
function texts(table, path = "") {
  return Object.entries(table).flatMap(([key, value]) => {
    const at = path + key;
    if (typeof value !== "object" || "other" in value) return [[at, value]];
    return texts(value, `${at}.`);
  });
}

const placeholders = (value) => {
  const forms = typeof value === "string" ? [value] : Object.values(value);
  return forms.map((text) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort().join(" "));
};

test("a key occurs in only one English table: the table of a language is flat", () => {
  const keys = parts.flatMap((part) => Object.keys(part));
  assert.deepEqual(keys.filter((key, at) => keys.indexOf(key) !== at), []);
});

test("every language has the same keys as English", () => {
  const keys = texts(english).map(([key]) => key).sort();
  assert.equal(LANGUAGES.length, 10);
  for (const [name, table] of tables) assert.deepEqual(texts(table).map(([key]) => key).sort(), keys, name);
});

test("every language has the same placeholders, in all plural forms of its language", () => {
  const german = new Map(texts(tables.get("de")));
  for (const [name, table] of tables) {
    const { pluralCategories } = new Intl.PluralRules(name).resolvedOptions();
    for (const [key, value] of texts(table)) {
      const expected = placeholders(german.get(key))[0];
      for (const names of placeholders(value)) assert.equal(names, expected, `${name}: ${key}`);
      if (typeof value === "string") continue;
      const missing = pluralCategories.filter((form) => !(form in value) && form !== "many");
      assert.deepEqual(missing, [], `${name}: ${key}`);
    }
  }
});

test("a placeholder is where English shows a value", () => {
  const values = { "{query}": "QUERY", "{count}": "7" };
  for (const [key, value] of texts(tables.get("de"))) {
    const write = key.split(".").reduce((object, part) => object[part], english);
    if (typeof write !== "function" || ["announce", "downloading"].includes(key)) continue;
    const text = write(key.match(/^(results|announceMore|unmark|place|legRank)$/) ? 7 : "QUERY");
    for (const [name, shown] of Object.entries(values)) assert.equal(placeholders(value)[0].includes(name), text.includes(shown), key);
  }
});

test("counts, amounts and queries are written in the language", () => {
  const german = translation(tables.get("de"), "de")(answerStrings);
  assert.equal(german.results(1), "1 Ergebnis");
  assert.equal(german.results(1234), "1.234 Ergebnisse");
  assert.equal(german.results(200, true), "Mehr als 200 Ergebnisse");
  assert.equal(german.announce(2, "axon"), "2 Ergebnisse für „axon“.");
  assert.equal(german.downloading(""), "Wird heruntergeladen…");
  assert.equal(german.downloading(german.amount(2_100_000, 4_000_000)), "Wird heruntergeladen… 2,1 von 4,0 MB");
  assert.equal(progressText(german, { loaded: 900_000, total: 0 }), "Die Suche wird vorbereitet… 900 kB");
  assert.equal(german.notices["unknown-filter"]("#x {count}"), "Keine Seite passt zum Filter #x {count}; er wurde als Text gesucht.");
  assert.equal(german.tips.length, 3);
  const arabic = translation(tables.get("ar"), "ar")(answerStrings);
  assert.match(arabic.results(3), /نتائج/);
  assert.match(arabic.results(11), /نتيجة/);
});

test("a string without a translation stays English", () => {
  const translate = translation({ search: "Suchen" }, "de");
  const table = { search: "Search", fresh: "New", count: (number) => `${number} new`, list: ["a"] };
  assert.deepEqual({ ...translate(table), count: null }, { search: "Suchen", fresh: "New", count: null, list: ["a"] });
  assert.equal(translate(table).count(2), "2 new");
  assert.equal(progressText(translate(answerStrings), { loaded: 0, total: 0 }), "Getting search ready…");
  assert.equal(translate(answerStrings).amount(1, 999), "1 of 1 kB");
});

test("languages written from right to left set the direction", async () => {
  assert.equal((await translator("ar-EG"))[1], "rtl");
  assert.equal((await translator("he"))[1], "rtl");
  assert.equal((await translator("pt-BR"))[1], "");
  assert.equal((await translator("pt-BR"))[0](strings).search, "Pesquisar");
  assert.equal((await translator("he"))[0](strings).search, "Search");
});
