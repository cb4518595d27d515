import assert from "node:assert/strict";
import { test } from "node:test";
import { Debounce } from "../../runtime/ranvier_web/ui/debounce.js";

function recording(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const calls = [];
  return { calls, debounce: new Debounce((value) => calls.push(value)) };
}

test("calls once with the last value after the pause", (t) => {
  const { calls, debounce } = recording(t);
  debounce.schedule("a", 80);
  t.mock.timers.tick(79);
  debounce.schedule("ab", 80);
  t.mock.timers.tick(79);
  assert.deepEqual(calls, []);
  assert.equal(debounce.isPending, true);
  t.mock.timers.tick(1);
  assert.deepEqual(calls, ["ab"]);
  assert.equal(debounce.isPending, false);
});

test("an immediate call replaces the pending call", (t) => {
  const { calls, debounce } = recording(t);
  debounce.schedule("old", 80);
  debounce.run("new");
  t.mock.timers.tick(1000);
  assert.deepEqual(calls, ["new"]);
});

test("a cancelled call does not run", (t) => {
  const { calls, debounce } = recording(t);
  debounce.schedule("a", 80);
  debounce.cancel();
  t.mock.timers.tick(1000);
  assert.deepEqual(calls, []);
});
