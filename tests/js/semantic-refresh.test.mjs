/** When the semantic answer is requested, and how the list changes while the row under the pointer stays in place. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeOrder, REFRESH_DELAY, SemanticRefresh } from "../../runtime/ranvier_web/ui/semantic-refresh.js";

const CASES = [
  // [before, after, index of the lowest row in use, order]
  ["abcd", "dabc", -1, "dabc"], // no row is in use
  ["abcd", "dabc", 0, "adbc"], // the new best row is inserted below
  ["abcd", "dabc", 2, "abcd"],
  ["abcd", "xyzw", -1, "xyzw"],
  ["abcd", "xyzw", 1, "abxyzw"], // rows that are not in the semantic answer stay above the row in use, and are removed below it
  ["abcd", "dxba", 3, "abcdx"],
  ["abcd", "abcd", 1, "abcd"],
  ["abcd", "", -1, ""],
  ["abcd", "", 1, "ab"],
  ["", "abc", -1, "abc"],
  ["ab", "cab", 7, "abc"],
  ["ab", "caac", -1, "ca"],
];

for (const [before, after, used, order] of CASES) {
  test(`'${before}' becomes '${after}' with the pointer at ${used}`, () => {
    assert.equal(mergeOrder([...before], [...after], used).join(""), order);
  });
}

/** Every order of some of the letters. */
function* arrangements(letters) {
  yield "";
  for (const letter of letters) for (const rest of arrangements(letters.replace(letter, ""))) yield letter + rest;
}

test("refreshed lists keep the rows down to the pointer, lose and repeat no row, and sort the others", () => {
  const before = [..."abc"];
  for (const after of arrangements("bcxy")) {
    for (let used = -1; used < before.length; used += 1) {
      const order = mergeOrder(before, [...after], used);
      assert.deepEqual(order.slice(0, used + 1), before.slice(0, used + 1));
      assert.equal(new Set(order).size, order.length);
      assert.deepEqual([...after].filter((id) => !order.includes(id)), []);
      assert.deepEqual(order.slice(used + 1), [...after].filter((id) => before.indexOf(id) < 0 || before.indexOf(id) > used));
    }
  }
});

/** A refresh whose requests are recorded; a test may change `savesData`. */
function recordedRefresh(t, savesData = false) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const queries = [];
  const state = { queries, savesData, signals: [] };
  state.refresh = new SemanticRefresh(
    (query, signal) => (queries.push(query), state.signals.push(signal)),
    () => state.savesData,
  );
  state.pass = (ms) => t.mock.timers.tick(ms);
  return state;
}

test("requests the settled answer after the pause", (t) => {
  const { queries, refresh, pass } = recordedRefresh(t);
  refresh.restart();
  pass(REFRESH_DELAY - 1);
  refresh.restart();
  pass(100);
  assert.equal(refresh.offer("how to stop"), true);
  pass(REFRESH_DELAY - 101);
  assert.deepEqual(queries, []);
  assert.equal(refresh.isWaiting, true);
  pass(1);
  assert.deepEqual(queries, ["how to stop"]);
  assert.equal(refresh.isWaiting, false);
  pass(10 * REFRESH_DELAY);
  assert.deepEqual(queries, ["how to stop"]);
});

test("requests the settled answer at once if the word search is late or no key was pressed", (t) => {
  const { queries, refresh, pass } = recordedRefresh(t);
  refresh.restart();
  pass(REFRESH_DELAY);
  assert.deepEqual(queries, []);
  refresh.offer("late");
  assert.deepEqual(queries, ["late"]);
  refresh.cancel();
  refresh.offer("from an address");
  assert.deepEqual(queries, ["late", "from an address"]);
});

test("the pause begins at the key press", (t) => {
  const { queries, refresh, pass } = recordedRefresh(t);
  refresh.restart(100);
  refresh.offer("one");
  pass(REFRESH_DELAY - 101);
  assert.deepEqual(queries, []);
  pass(1);
  assert.deepEqual(queries, ["one"]);
  refresh.restart(Infinity);
  refresh.offer("two");
  assert.deepEqual(queries, ["one", "two"]);
});

test("Enter skips the pause", (t) => {
  const { queries, refresh } = recordedRefresh(t);
  refresh.restart();
  refresh.offer("one");
  refresh.force();
  assert.deepEqual(queries, ["one"]);
  refresh.restart();
  refresh.force();
  assert.deepEqual(queries, ["one"]);
  refresh.offer("two");
  assert.deepEqual(queries, ["one", "two"]);
});

test("a key cancels waiting and running requests", (t) => {
  const { queries, refresh, signals, pass } = recordedRefresh(t);
  refresh.restart();
  refresh.offer("one");
  refresh.restart();
  assert.equal(refresh.isWaiting, false);
  pass(REFRESH_DELAY);
  assert.deepEqual(queries, []);
  refresh.offer("two");
  assert.equal(signals[0].aborted, false);
  refresh.restart();
  assert.equal(signals[0].aborted, true);
  refresh.offer("three");
  pass(REFRESH_DELAY);
  assert.deepEqual(queries, ["two", "three"]);
  assert.equal(signals[1].aborted, false);
});

test("with Save-Data only Enter requests the settled answer, and a key cancels it", (t) => {
  const { queries, refresh, pass } = recordedRefresh(t, true);
  refresh.restart();
  assert.equal(refresh.offer("one"), false);
  pass(10 * REFRESH_DELAY);
  refresh.cancel();
  assert.equal(refresh.offer("from an address"), false);
  assert.deepEqual(queries, []);
  refresh.force();
  assert.deepEqual(queries, ["from an address"]);
  refresh.restart();
  pass(REFRESH_DELAY);
  refresh.force();
  assert.equal(refresh.offer("by Enter"), true);
  refresh.restart();
  assert.equal(refresh.offer("two"), false);
  pass(REFRESH_DELAY);
  assert.deepEqual(queries, ["from an address", "by Enter"]);
});
