/** When the semantic answer is requested. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { REFRESH_DELAY, SemanticRefresh } from "../../runtime/ranvier_web/ui/semantic-refresh.js";

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
