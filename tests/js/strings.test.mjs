import assert from "node:assert/strict";
import { test } from "node:test";
import { answerStrings as strings, shortened } from "../../runtime/ranvier_web/ui/answer-strings.js";
import { progressText } from "../../runtime/ranvier_web/ui/answer-view.js";

test("counts results in singular and plural", () => {
  assert.equal(strings.results(0), "0 results");
  assert.equal(strings.results(1), "1 result");
  assert.equal(strings.results(2), "2 results");
  assert.equal(strings.results(1234), "1,234 results");
  assert.equal(strings.results(200, true), "More than 200 results");
});

test("announces results with their query", () => {
  assert.equal(strings.announce(1, "axon"), "1 result for “axon”.");
  assert.equal(strings.announceMore(1), "1 more result below.");
  assert.equal(strings.announceMore(3), "3 more results below.");
});

test("reports download progress", () => {
  assert.equal(strings.downloading(""), "Downloading…");
  assert.equal(strings.downloading("2.1 of 4.0 MB"), "Downloading… 2.1 of 4.0 MB");
});

test("reports received bytes", () => {
  assert.equal(strings.amount(2_100_000, 4_000_000), "2.1 of 4.0 MB");
  assert.equal(strings.amount(0, 4_000_000), "0.0 of 4.0 MB");
  assert.equal(strings.amount(120_000, 300_000), "120 of 300 kB");
  assert.equal(strings.amount(1, 999), "1 of 1 kB");
  assert.equal(strings.amount(2_100_000, 0), "2.1 MB");
  assert.equal(strings.amount(5_000_000, 4_000_000), "4.0 of 4.0 MB");
  assert.equal(strings.amount(0, 0), "");
  assert.equal(strings.amount(NaN, NaN), "");
});

test("reports compressed bytes", () => {
  const progress = { stage: "engine", loaded: 2_100_000, total: 4_000_000 };
  assert.equal(progressText(strings, { ...progress, received: 900_000, expected: 1_400_000 }), "Getting search ready… 0.9 of 1.4 MB");
  assert.equal(progressText(strings, progress), "Getting search ready… 2.1 of 4.0 MB");
  assert.equal(progressText(strings, { ...progress, received: 900_000, expected: 0 }), "Getting search ready… 900 kB", "without a total");
  assert.equal(progressText(strings, { ...progress, received: 0, expected: 0 }), "Getting search ready…");
  assert.equal(progressText(strings, { ...progress, loaded: 0, received: 0 }), "Getting search ready…");
  assert.equal(progressText(strings, { stage: "index", loaded: 0, total: 0 }), "Getting search ready…");
});

test("has a text for each error code and visible notice", () => {
  for (const code of ["fetch", "engine", "internal", "integrity", "format", "updated", "worker", "offline", "quota"]) assert.ok(strings.errors[code]);
  for (const code of ["some-words", "literal", "clamped", "corrected"]) assert.ok(strings.notices[code]("x"));
  assert.equal(strings.notices.corrected("axon"), "Showing results for “axon”.");
  assert.equal(strings.notices["unknown-filter"]("#x"), "No page matches the filter #x, so it was searched as words.");
});

test("shortens a long query", () => {
  assert.equal(shortened("axon"), "axon");
  assert.equal(shortened("x".repeat(80)), "x".repeat(80));
  assert.equal(shortened("x".repeat(1000)), `${"x".repeat(80)}…`);
  assert.equal(shortened(`${"x".repeat(79)} yz`), `${"x".repeat(79)}…`);
  assert.equal(shortened("🧠".repeat(81)), `${"🧠".repeat(80)}…`);
});

test("strings are frozen", () => {
  assert.ok(Object.isFrozen(strings));
  for (const value of Object.values(strings)) assert.ok(typeof value !== "object" || Object.isFrozen(value));
});
