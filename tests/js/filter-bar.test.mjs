/** The drawer of filters while the counts of the matches are on their way. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { extraStrings } from "../../runtime/ranvier_web/ui/extra-strings.js";
import { FilterBar } from "../../runtime/ranvier_web/ui/filter-bar.js";

/** An element of the page: its text is that of its children. */
class FakeElement {
  children = [];
  get text() {
    return this.children.map((child) => child.text ?? child).join(" ");
  }
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  querySelectorAll = () => [];
  setAttribute() {}
  addEventListener() {}
}

/** A bar whose counts a test sends or refuses. */
function makeBar(t) {
  globalThis.document = { createElement: () => new FakeElement() };
  t.after(() => delete globalThis.document);
  const drawer = new FakeElement();
  const counts = {};
  const answer = new Promise((resolve, reject) => Object.assign(counts, { resolve, reject }));
  const bar = new FilterBar({ query: "axon" }, drawer, extraStrings, () => answer);
  return { bar, drawer, counts };
}

test("the drawer shows the filters of the matches with their counts", async (t) => {
  const { bar, drawer, counts } = makeBar(t);
  const filled = bar.fill();
  assert.match(drawer.text, /^Counting/);
  counts.resolve({ facets: { tags: [{ value: "cell", count: 3 }] } });
  await filled;
  assert.match(drawer.text, /^Tags #cell 3 Order/);
});

test("counts that cannot be fetched are reported", async (t) => {
  const { bar, drawer, counts } = makeBar(t);
  const filled = bar.fill();
  counts.reject(new Error("offline"));
  await filled;
  assert.match(drawer.text, /could not be counted/);
});

for (const end of ["resolve", "reject"]) {
  test(`late counts do not replace other content of the drawer (${end})`, async (t) => {
    const { bar, drawer, counts } = makeBar(t);
    const filled = bar.fill();
    bar.cancel();
    drawer.replaceChildren("Query syntax");
    counts[end](end === "resolve" ? { facets: { tags: [{ value: "cell", count: 3 }] } } : new Error("offline"));
    await filled;
    assert.equal(drawer.text, "Query syntax");
  });
}
