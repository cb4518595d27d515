/** A7: a private page is shown without a request that names its files. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { LayerLinks } from "../../runtime/ranvier_web/ui/layer-links.js";
import { layerStrings } from "../../runtime/ranvier_web/ui/layer-strings.js";
import { PrivatePage } from "../../runtime/ranvier_web/ui/private-page.js";
import { FakeElement, fakeDocument } from "../support/elements.mjs";

const ROOT = "https://host.example/site/";
const PRIVATE = ["inner/plan/index.html", "inner/plan/film.mp4", "inner/plan/still.jpg"];

/** Show a private page with one element, and return the element's attributes when its files are decrypted. */
async function show(t, tag, attributes) {
  const node = new FakeElement(tag, attributes);
  const article = new FakeElement("article", {}, node);
  fakeDocument(t);
  Object.assign(document, { querySelector: () => new FakeElement("main"), importNode: (original) => original });
  const inert = { querySelector: () => article };
  const globals = { addEventListener() {}, scrollTo() {}, history: { pushState() {} }, location: { href: ROOT } };
  Object.assign(globalThis, globals, { DOMParser: class { parseFromString = () => inert; } });
  t.after(() => [...Object.keys(globals), "DOMParser"].forEach((name) => delete globalThis[name]));
  const layer = {
    audienceOf: (url) => (url.startsWith("inner/") ? "curator" : ""),
    file: async () => new Uint8Array([1]),
    has: (path) => PRIVATE.includes(path),
    isPublic: (path) => path === "shared.jpg",
  };
  const links = new LayerLinks(layer);
  await new PrivatePage(layer, links, ROOT, layerStrings).open(links.makeLink("inner/plan/"));
  await new Promise((resolve) => setTimeout(resolve));
  return Object.fromEntries(node.attributes.map(({ name, value }) => [name, value]));
}

for (const [tag, name, address] of [["img", "src", "still.jpg"], ["video", "src", "film.mp4"], ["video", "poster", "still.jpg"]]) {
  test(`a file of the layer is decrypted: ${name} of ${tag}`, async (t) => {
    const attributes = await show(t, tag, { [name]: address });
    assert.deepEqual(Object.keys(attributes), [name]);
    assert.match(attributes[name], /^blob:/);
  });
}

test("files of the public site and of other sites keep their addresses", async (t) => {
  assert.deepEqual(await show(t, "video", { poster: "../../shared.jpg" }), { poster: `${ROOT}shared.jpg` });
  assert.deepEqual(await show(t, "img", { src: "https://other.example/a.png" }), { src: "https://other.example/a.png" });
});

for (const [tag, attributes] of [
  ["img", { src: "missing.jpg" }],
  ["video", { poster: "missing.jpg" }],
  ["track", { src: "missing.vtt" }],
  ["img", { srcset: "still.jpg 2x" }],
  ["td", { background: "still.jpg" }],
  ["div", { style: "background: URL(still.jpg)" }],
  ["p", { style: "background: image-set(\"still.jpg\" 1x)" }],
  ["i", { style: "background: \\75rl(still.jpg)" }],
  ["a", { ping: "still.jpg" }],
  ["a", { onclick: "run()" }],
]) {
  test(`an address that would be requested is removed: ${Object.keys(attributes)} of ${tag}`, async (t) => {
    assert.deepEqual(await show(t, tag, attributes), {});
  });
}

test("styles without an address stay", async (t) => {
  assert.deepEqual(await show(t, "div", { style: "width: 50%" }), { style: "width: 50%" });
});
