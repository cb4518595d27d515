/** When a settled answer is requested, and how the list changes without moving rows under the pointer. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeOrder, REFRESH_DELAY, SemanticRefresh } from "../../runtime/ranvier_web/ui/semantic-refresh.js";

const CASES = [
  // [before, after, index of the lowest row under the hand, order]
  ["abcd", "dabc", -1, "dabc"], // no hand: as it is
  ["abcd", "dabc", 0, "adbc"], // the new best goes right below
  ["abcd", "dabc", 2, "abcd"],
  ["abcd", "xyzw", -1, "xyzw"],
  ["abcd", "xyzw", 1, "abxyzw"], // what the settled answer no longer has stays under the hand, and goes below it
  ["abcd", "dxba", 3, "abcdx"],
  ["abcd", "abcd", 1, "abcd"],
  ["abcd", "", -1, ""],
  ["abcd", "", 1, "ab"],
  ["", "abc", -1, "abc"],
  ["ab", "cab", 7, "abc"],
  ["ab", "caac", -1, "ca"],
];

for (const [before, after, held, order] of CASES) {
  test(`'${before}' settles to '${after}' with the pointer at ${held}`, () => {
    assert.equal(mergeOrder([...before], [...after], held).join(""), order);
  });
}

/** Every order of some of the letters. */
function* arrangements(letters) {
  yield "";
  for (const letter of letters) for (const rest of arrangements(letters.replace(letter, ""))) yield letter + rest;
}

test("settled lists keep the rows down to the pointer, lose and repeat nothing, and order the rest", () => {
  const before = [..."abc"];
  for (const after of arrangements("bcxy")) {
    for (let held = -1; held < before.length; held += 1) {
      const order = mergeOrder(before, [...after], held);
      assert.deepEqual(order.slice(0, held + 1), before.slice(0, held + 1));
      assert.equal(new Set(order).size, order.length);
      assert.deepEqual([...after].filter((id) => !order.includes(id)), []);
      assert.deepEqual(order.slice(held + 1), [...after].filter((id) => before.indexOf(id) < 0 || before.indexOf(id) > held));
    }
  }
});

/** A settling whose questions are kept; `spares` may be changed as it goes. */
function watched(t, spares = false) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const asked = [];
  const state = { asked, spares, signals: [] };
  state.settling = new SemanticRefresh(
    (query, signal) => (asked.push(query), state.signals.push(signal)),
    () => state.spares,
  );
  state.pass = (ms) => t.mock.timers.tick(ms);
  return state;
}

test("requests the settled answer after the pause", (t) => {
  const { asked, settling, pass } = watched(t);
  settling.restart();
  pass(REFRESH_DELAY - 1);
  settling.restart();
  pass(100);
  assert.equal(settling.offer("how to stop"), true);
  pass(REFRESH_DELAY - 101);
  assert.deepEqual(asked, []);
  assert.equal(settling.isWaiting, true);
  pass(1);
  assert.deepEqual(asked, ["how to stop"]);
  assert.equal(settling.isWaiting, false);
  pass(10 * REFRESH_DELAY);
  assert.deepEqual(asked, ["how to stop"]);
});

test("requests the settled answer at once if words answer late or nothing was typed", (t) => {
  const { asked, settling, pass } = watched(t);
  settling.restart();
  pass(REFRESH_DELAY);
  assert.deepEqual(asked, []);
  settling.offer("late");
  assert.deepEqual(asked, ["late"]);
  settling.cancel();
  settling.offer("from an address");
  assert.deepEqual(asked, ["late", "from an address"]);
});

test("the pause begins at the key press", (t) => {
  const { asked, settling, pass } = watched(t);
  settling.restart(100);
  settling.offer("one");
  pass(REFRESH_DELAY - 101);
  assert.deepEqual(asked, []);
  pass(1);
  assert.deepEqual(asked, ["one"]);
  settling.restart(Infinity);
  settling.offer("two");
  assert.deepEqual(asked, ["one", "two"]);
});

test("Enter skips the pause", (t) => {
  const { asked, settling } = watched(t);
  settling.restart();
  settling.offer("one");
  settling.now();
  assert.deepEqual(asked, ["one"]);
  settling.restart();
  settling.now();
  assert.deepEqual(asked, ["one"]);
  settling.offer("two");
  assert.deepEqual(asked, ["one", "two"]);
});

test("a key cancels waiting and running requests", (t) => {
  const { asked, settling, signals, pass } = watched(t);
  settling.restart();
  settling.offer("one");
  settling.restart();
  assert.equal(settling.isWaiting, false);
  pass(REFRESH_DELAY);
  assert.deepEqual(asked, []);
  settling.offer("two");
  assert.equal(signals[0].aborted, false);
  settling.restart();
  assert.equal(signals[0].aborted, true);
  settling.offer("three");
  pass(REFRESH_DELAY);
  assert.deepEqual(asked, ["two", "three"]);
  assert.equal(signals[1].aborted, false);
});

test("with Save-Data only Enter requests the settled answer, and a key cancels it", (t) => {
  const { asked, settling, pass } = watched(t, true);
  settling.restart();
  assert.equal(settling.offer("one"), false);
  pass(10 * REFRESH_DELAY);
  settling.cancel();
  assert.equal(settling.offer("from an address"), false);
  assert.deepEqual(asked, []);
  settling.now();
  assert.deepEqual(asked, ["from an address"]);
  settling.restart();
  pass(REFRESH_DELAY);
  settling.now();
  assert.equal(settling.offer("by Enter"), true);
  settling.restart();
  assert.equal(settling.offer("two"), false);
  pass(REFRESH_DELAY);
  assert.deepEqual(asked, ["from an address", "by Enter"]);
});
