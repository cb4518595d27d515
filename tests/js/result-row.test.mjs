import assert from "node:assert/strict";
import { test } from "node:test";
import { answerStrings } from "../../runtime/ranvier_web/ui/answer-strings.js";
import { makeEntries } from "../../runtime/ranvier_web/ui/result-row.js";

const SECTION = { url: "m/#lamellae", anchor: "lamellae", title: "Lamellae", titleHighlight: "", breadcrumb: "", snippet: "s", score: 1 };
const HIT = { url: "m/", title: "Myelin", anchor: "lamellae", breadcrumb: "Myelin > Lamellae", snippet: "s", subResults: [] };

/** @param {Record<string, unknown>} fields */
const entries = (fields) => makeEntries(/** @type {any} */ ({ ...HIT, ...fields }), ["Guide"], answerStrings);

test("a page shows the titles above it, and neither the section that is listed below it nor its excerpt", () => {
  const [page, section, ...rest] = entries({ subResults: [SECTION] });
  assert.deepEqual([page.above, page.url, page.snippet], [["Guide"], "m/", ""]);
  assert.deepEqual([section?.title, section?.url, section?.snippet], ["Lamellae", "m/#lamellae", "s"]);
  assert.equal(rest.length, 0);
});

test("a section that is only near in meaning is listed with its own address", () => {
  const [page, section] = entries({ coverage: "none" });
  assert.equal(page.snippet, "");
  assert.deepEqual([section?.title, section?.url, section?.snippet], ["Lamellae", "m/#lamellae", "s"]);
  assert.equal(entries({ coverage: "none", anchor: "" }).length, 1);
});

test("a page without sections has its excerpt", () => {
  const [page, ...rest] = entries({ anchor: "" });
  assert.equal(page.snippet, "s");
  assert.equal(rest.length, 0);
});

test("tags are shown if one of them has a word of the query; a note has its date", () => {
  const tags = ["a", "b", "c", "d"];
  assert.equal(entries({ tags, field: "tags" })[0].about, "#a · #b · #c");
  assert.equal(entries({ tags, field: "body" })[0].about, "");
  assert.equal(entries({ kind: "note", updated: "2026-01-02" })[0].about, "2026-01-02");
});
