/** Tasks that wait until the page is idle, with and without requestIdleCallback. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { runWhenIdle } from "../../runtime/ranvier_web/ui/idle.js";

/** A page that is loading or loaded. */
function page(t, readyState, idle) {
  const listeners = [];
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.document = { readyState };
  globalThis.addEventListener = (type, callback) => listeners.push([type, callback]);
  if (idle) globalThis.requestIdleCallback = idle;
  else delete globalThis.requestIdleCallback;
  t.after(() => ["document", "addEventListener", "requestIdleCallback"].forEach((name) => delete globalThis[name]));
  return listeners;
}

test("runs when a loaded page is idle", (t) => {
  const callbacks = [];
  page(t, "complete", (callback) => callbacks.push(callback));
  let runs = 0;
  runWhenIdle(() => (runs += 1), new AbortController().signal);
  assert.equal(runs, 0);
  callbacks[0]();
  assert.equal(runs, 1);
});

test("runs some time after loading without requestIdleCallback", (t) => {
  const listeners = page(t, "interactive", null);
  let runs = 0;
  runWhenIdle(() => (runs += 1), new AbortController().signal);
  t.mock.timers.tick(60_000);
  assert.deepEqual([listeners.map(([type]) => type), runs], [["load"], 0]);
  listeners[0][1]();
  t.mock.timers.tick(1_999);
  assert.equal(runs, 0);
  t.mock.timers.tick(1);
  assert.equal(runs, 1);
});

test("does not run if the box was removed", (t) => {
  page(t, "complete", null);
  const removed = new AbortController();
  let runs = 0;
  runWhenIdle(() => (runs += 1), removed.signal);
  removed.abort();
  t.mock.timers.tick(10_000);
  assert.equal(runs, 0);
});
