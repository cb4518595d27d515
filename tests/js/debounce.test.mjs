import assert from "node:assert/strict";
import { test } from "node:test";
import { Debounce } from "../../runtime/ranvier_web/ui/debounce.js";

test("calls once with the last value after the pause", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const calls = [];
  const debounce = new Debounce((value) => calls.push(value), 80);
  debounce.schedule("a");
  t.mock.timers.tick(79);
  debounce.schedule("ab");
  t.mock.timers.tick(79);
  assert.deepEqual(calls, []);
  assert.equal(debounce.isPending, true);
  t.mock.timers.tick(1);
  assert.deepEqual(calls, ["ab"]);
  assert.equal(debounce.isPending, false);
});

test("an immediate call replaces the pending call", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const calls = [];
  const debounce = new Debounce((value) => calls.push(value), 80);
  debounce.schedule("old");
  debounce.run("new");
  t.mock.timers.tick(1000);
  assert.deepEqual(calls, ["new"]);
});

test("a cancelled call does not run", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const calls = [];
  const debounce = new Debounce((value) => calls.push(value), 80);
  debounce.schedule("a");
  debounce.cancel();
  t.mock.timers.tick(1000);
  assert.deepEqual(calls, []);
});

test("a call may have a longer pause", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const calls = [];
  const debounce = new Debounce((value) => calls.push(value), 80);
  debounce.schedule("a", 400);
  t.mock.timers.tick(399);
  assert.deepEqual(calls, []);
  t.mock.timers.tick(1);
  assert.deepEqual(calls, ["a"]);
});
