/** Work for an idle moment, with and without requestIdleCallback. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { runWhenIdle } from "../../runtime/ranvier_web/ui/idle.js";

/** A page that is loading or loaded. */
function page(t, readyState, idle) {
  const listeners = [];
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.document = { readyState };
  globalThis.addEventListener = (type, act) => listeners.push([type, act]);
  if (idle) globalThis.requestIdleCallback = idle;
  else delete globalThis.requestIdleCallback;
  t.after(() => ["document", "addEventListener", "requestIdleCallback"].forEach((name) => delete globalThis[name]));
  return listeners;
}

test("runs when a loaded page is idle", (t) => {
  const waiting = [];
  page(t, "complete", (act) => waiting.push(act));
  let acted = 0;
  runWhenIdle(() => (acted += 1), new AbortController().signal);
  assert.equal(acted, 0);
  waiting[0]();
  assert.equal(acted, 1);
});

test("runs some time after loading without requestIdleCallback", (t) => {
  const listeners = page(t, "interactive", null);
  let acted = 0;
  runWhenIdle(() => (acted += 1), new AbortController().signal);
  t.mock.timers.tick(60_000);
  assert.deepEqual([listeners.map(([type]) => type), acted], [["load"], 0]);
  listeners[0][1]();
  t.mock.timers.tick(1_999);
  assert.equal(acted, 0);
  t.mock.timers.tick(1);
  assert.equal(acted, 1);
});

test("does not run if the box was removed", (t) => {
  page(t, "complete", null);
  const gone = new AbortController();
  let acted = 0;
  runWhenIdle(() => (acted += 1), gone.signal);
  gone.abort();
  t.mock.timers.tick(10_000);
  assert.equal(acted, 0);
});
