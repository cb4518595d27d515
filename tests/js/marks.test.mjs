import assert from "node:assert/strict";
import { test } from "node:test";
import { markNodes, plainText, splitMarks, wordPattern } from "../../runtime/ranvier_web/ui/marks.js";
import { fakeDocument } from "../support/elements.mjs";

const plain = (text) => ({ text, marked: false });
const marked = (text) => ({ text, marked: true });

const CASES = [
  ["", []],
  ["plain", [plain("plain")]],
  ["a <mark>b</mark> c", [plain("a "), marked("b"), plain(" c")]],
  ["<mark>a</mark><mark>b</mark>", [marked("a"), marked("b")]],
  ["<mark></mark>", []],
  // the five entities, each once
  ["&amp;&lt;&gt;&quot;&#x27;", [plain("&<>\"'")]],
  // unescaped once, not twice
  ["&amp;lt;mark&amp;gt;", [plain("&lt;mark&gt;")]],
  // escaped tags are text, not marks
  ["&lt;mark&gt;a&lt;/mark&gt;", [plain("<mark>a</mark>")]],
  // other entities stay as they are
  ["&nbsp;&#39;&#x3c;&copy", [plain("&nbsp;&#39;&#x3c;&copy")]],
  // unexpected markup is literal text
  ["a <b>c</b>", [plain("a <b>c</b>")]],
  ["<img src=x onerror=alert(1)>", [plain("<img src=x onerror=alert(1)>")]],
  ["<mark onclick=alert(1)>x</mark>", [plain("<mark onclick=alert(1)>x")]],
  ["<MARK>x</MARK>", [plain("<MARK>x</MARK>")]],
  ["<mark >x</mark >", [plain("<mark >x</mark >")]],
  // unbalanced tags
  ["a <mark>b", [plain("a "), marked("b")]],
  ["a</mark> b", [plain("a"), plain(" b")]],
  ["<mark>a<mark>b</mark>c", [marked("a"), marked("b"), plain("c")]],
  ["<<mark>mark>x", [plain("<"), marked("mark>x")]],
];

for (const [highlight, runs] of CASES) {
  test(`splits ${JSON.stringify(highlight)}`, () => assert.deepEqual(splitMarks(highlight), runs));
}

test("accepts any value as a highlight", () => {
  assert.deepEqual(splitMarks(undefined), []);
  assert.deepEqual(splitMarks(null), []);
  assert.deepEqual(splitMarks(42), [plain("42")]);
});

test("keeps every character except tags and entities", () => {
  const escape = (text) =>
    text.replace(/[&<>"']/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" })[char]);
  for (const text of ["a&b", "<script>alert('x')</script>", "&amp;", "日本語 <é>", "\u0000\ud800", "</mark>"]) {
    assert.deepEqual(splitMarks(`<mark>${escape(text)}</mark>`), [marked(text)]);
    assert.equal(plainText(`x <mark>${escape(text)}</mark>`), `x ${text}`);
  }
});

test("long hostile input takes linear time", () => {
  const started = performance.now();
  splitMarks("<mark>&".repeat(50_000));
  assert.ok(performance.now() - started < 1000);
});

test("builds only text nodes and mark elements", (t) => {
  fakeDocument(t);
  const [before, mark, after, ...others] = markNodes("a <mark>&lt;b&gt;</mark><script>");
  assert.deepEqual([before, after, others], ["a ", "<script>", []]);
  assert.deepEqual([mark.localName, mark.getAttribute("part"), mark.children], ["mark", "mark", ["<b>"]]);
});

test("a pattern finds the longest word in any case, and signs as they are", () => {
  const pattern = wordPattern(["index", "indexes", "c++"]);
  assert.deepEqual("Indexes of C++, reindex".split(pattern), ["", "Indexes", " of ", "C++", ", re", "index", ""]);
  assert.deepEqual("reindex, index".match(wordPattern(["index"], true)), ["index"]);
});
