import assert from "node:assert/strict";
import { test } from "node:test";
import { withQuery } from "../../runtime/ranvier_web/ui/search-history.js";
import { queryOf, resultHref } from "../../runtime/ranvier_web/ui/urls.js";

const ROOT = "https://example.org/docs/";

test("result links lead into the site", () => {
  assert.equal(resultHref("guide/x/#a", ROOT), "https://example.org/docs/guide/x/#a");
  assert.equal(resultHref("", ROOT), ROOT);
  assert.equal(resultHref("https://elsewhere.example/x", ROOT), "https://elsewhere.example/x");
});

test("other URLs lead to the site root", () => {
  for (const url of ["javascript:alert(1)", " JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x", "blob:x"]) {
    assert.equal(resultHref(url, ROOT), ROOT);
  }
  assert.equal(resultHref("http://[", ROOT), ROOT);
});

test("a search can be shared", () => {
  assert.equal(withQuery("https://example.org/search/?x=1#top", "C++ & “q”"), "https://example.org/search/?x=1&q=C%2B%2B+%26+%E2%80%9Cq%E2%80%9D#top");
  assert.equal(withQuery("https://example.org/search/?q=old&x=1", ""), "https://example.org/search/?x=1");
  for (const query of ["", "axon", "a+b", "#tag", "日本 語", "%00"]) {
    assert.equal(queryOf(withQuery("https://example.org/search/?q=old", query)), query);
  }
});
