/** Enter opens a suggestion that the reader has not selected only if it is the exact title. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isExact, rowId } from "../../runtime/ranvier_web/ui/suggestion-row.js";

const CASES = [
  // [query, kind, text in pieces, exact]
  ["install", "title", ["", "Install"], true],
  ["INSTALL ", "title", ["", "Install"], true],
  ["instal", "title", ["", "Instal", "l"], false],
  ["install hugo", "title", ["", "Install", " ", "Hugo"], true],
  ["install   hugo", "title", ["", "Install", " ", "Hugo"], true],
  ["hugo install", "title", ["", "Install", " ", "Hugo"], false],
  ["elan", "title", ["", "Élan"], true],
  ["strasse", "title", ["", "Straße"], true],
  ["c", "title", ["", "C", "++"], false],
  ["c", "title", ["", "C", "#"], false],
  ["c#", "title", ["", "C", "#"], true],
  ["install", "heading", ["", "Install"], false],
  ["install", "alias", ["", "Install"], false],
  ["install", "tag", ["", "install"], false],
  ["東京", "title", ["", "東京"], true],
];

for (const [query, kind, text, exact] of CASES) {
  test(`'${query}' is ${exact ? "" : "not "}exactly the ${kind} '${text.join("")}'`, () => {
    assert.equal(isExact(query, { kind, text, title: "", url: "", anchor: "" }), exact);
  });
}

test("without suggestions none is exact", () => {
  assert.equal(isExact("a", undefined), false);
});

test("the id of a row is its address", () => {
  assert.equal(rowId("a/"), "at a/");
});
