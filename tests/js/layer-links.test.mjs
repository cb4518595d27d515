/** A7: addresses of private pages stay out of links. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { LayerLinks } from "../../runtime/ranvier_web/ui/layer-links.js";

const layer = /** @type {any} */ ({ audienceOf: (/** @type {string} */ url) => (url.startsWith("inner/") ? "curator" : "") });

test("a private page is a number, and a public one is its address", () => {
  const links = new LayerLinks(layer);
  assert.equal(links.hideUrl("inner/a/"), "#private-0");
  assert.equal(links.hideUrl("inner/b/#part/of#it"), "#private-1/part/of#it");
  assert.equal(links.hideUrl("inner/a/"), "#private-0");
  assert.equal(links.hideUrl("guide/#part"), "guide/#part");
});

test("only numbers of this session resolve to addresses", () => {
  const links = new LayerLinks(layer);
  links.hideUrl("inner/a/");
  assert.equal(links.resolve("#private-0"), "inner/a/");
  assert.equal(links.resolve("#private-0/part/of#it"), "inner/a/#part/of#it");
  for (const other of ["#private-1", "#private-", "guide/", "", "#private-0x"]) {
    assert.equal(links.resolve(other), other);
    assert.equal(links.has(other), false);
  }
  assert.equal(links.has("#private-0"), true);
});

test("hits, suggestions and folders have hidden addresses", () => {
  const links = new LayerLinks(layer);
  const hit = { title: "A", url: "inner/a/", subResults: [{ url: "inner/a/#x", anchor: "x" }] };
  assert.deepEqual(links.hideUrls({ totalHits: 1, hits: [hit] }), {
    totalHits: 1,
    hits: [{ title: "A", url: "#private-0", subResults: [{ url: "#private-0/x", anchor: "x" }] }],
  });
  assert.deepEqual(links.hideUrls([{ url: "inner/a/", anchor: "x" }, { url: "guide/", anchor: "y" }]), [
    { url: "#private-0/x", anchor: "" },
    { url: "guide/", anchor: "y" },
  ]);
  const folders = { trail: (/** @type {string} */ url) => [`above ${url}`], top: [{ title: "I", url: "inner/" }] };
  const hidden = /** @type {any} */ (links.hideUrls(folders));
  assert.deepEqual(hidden.top, [{ title: "I", url: "#private-1" }]);
  assert.deepEqual(hidden.trail("#private-0"), ["curator", "above inner/a/"]);
  assert.deepEqual(hidden.trail("#private-0/x"), ["curator", "above inner/a/"]);
  assert.deepEqual(hidden.trail("guide/"), ["above guide/"]);
});
