import assert from "node:assert/strict";
import { test } from "node:test";
import { answerStrings } from "../../runtime/ranvier_web/ui/answer-strings.js";
import { makeOptionContents } from "../../runtime/ranvier_web/ui/result-row.js";

const SECTION = { url: "m/#lamellae", anchor: "lamellae", title: "Lamellae", titleHighlight: "", breadcrumb: "", snippet: "s", score: 1 };
const HIT = { url: "m/", title: "Myelin", anchor: "lamellae", breadcrumb: "Myelin > Lamellae", snippet: "s", subResults: [] };

/** @param {Record<string, unknown>} fields */
const contents = (fields) => makeOptionContents(/** @type {any} */ ({ ...HIT, ...fields }), ["Guide"], answerStrings);

test("a page shows the titles above it, and neither the section that is listed below it nor its excerpt", () => {
  const [page, section, ...others] = contents({ subResults: [SECTION] });
  assert.deepEqual([page.above, page.url, page.snippet], [["Guide"], "m/", ""]);
  assert.deepEqual([section?.title, section?.url, section?.snippet], ["Lamellae", "m/#lamellae", "s"]);
  assert.equal(others.length, 0);
});

test("a section that is only near in meaning is listed with its own address", () => {
  const [page, section] = contents({ coverage: "none" });
  assert.equal(page.snippet, "");
  assert.deepEqual([section?.title, section?.url, section?.snippet], ["Lamellae", "m/#lamellae", "s"]);
  assert.equal(contents({ coverage: "none", anchor: "" }).length, 1);
});

test("a page without sections has its excerpt", () => {
  const [page, ...others] = contents({ anchor: "" });
  assert.equal(page.snippet, "s");
  assert.equal(others.length, 0);
});

test("an alias is shown if it has more of the query's words than the title", () => {
  const highlight = "<mark>Getting</mark> started";
  assert.equal(contents({ field: "alias", highlight })[0].alias, highlight);
  assert.equal(contents({ field: "title", highlight })[0].alias, "");
});

test("tags are shown if one of them has a word of the query; a note has its date", () => {
  const tags = ["a", "b", "c", "d"];
  assert.equal(contents({ tags, field: "tags" })[0].details, "#a · #b · #c");
  assert.equal(contents({ tags, field: "body" })[0].details, "");
  assert.equal(contents({ kind: "note", updated: "2026-01-02" })[0].details, "2026-01-02");
});
