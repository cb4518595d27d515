/** The drawer of filters while the counts of the matches are on their way. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { extraStrings } from "../../runtime/ranvier_web/ui/extra-strings.js";
import { FilterBar } from "../../runtime/ranvier_web/ui/filter-bar.js";
import { FakeElement, fakeDocument } from "../support/elements.mjs";

/** A bar whose counts a test sends or refuses. */
function makeBar(t) {
  fakeDocument(t);
  const drawer = new FakeElement();
  const counts = {};
  const answer = new Promise((resolve, reject) => Object.assign(counts, { resolve, reject }));
  const bar = new FilterBar({ query: "axon" }, drawer, extraStrings, () => answer);
  return { bar, drawer, counts };
}

test("the drawer shows the filters of the matches with their counts", async (t) => {
  const { bar, drawer, counts } = makeBar(t);
  const filled = bar.fill();
  assert.match(drawer.textContent, /^Counting/);
  counts.resolve({ facets: { tags: [{ value: "cell", count: 3 }] } });
  await filled;
  assert.match(drawer.textContent, /^Tags #cell 3 Order/);
});

test("counts that cannot be fetched are reported", async (t) => {
  const { bar, drawer, counts } = makeBar(t);
  const filled = bar.fill();
  counts.reject(new Error("offline"));
  await filled;
  assert.match(drawer.textContent, /could not be counted/);
});

for (const end of ["resolve", "reject"]) {
  test(`late counts do not replace other content of the drawer (${end})`, async (t) => {
    const { bar, drawer, counts } = makeBar(t);
    const filled = bar.fill();
    bar.cancel();
    drawer.replaceChildren("Query syntax");
    counts[end](end === "resolve" ? { facets: { tags: [{ value: "cell", count: 3 }] } } : new Error("offline"));
    await filled;
    assert.equal(drawer.textContent, "Query syntax");
  });
}
