import assert from "node:assert/strict";
import { test } from "node:test";
import { Debounce } from "../../runtime/ranvier_web/ui/debounce.js";

test("acts once, with the last value, after the pause", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const seen = [];
  const debounce = new Debounce((value) => seen.push(value), 80);
  debounce.later("a");
  t.mock.timers.tick(79);
  debounce.later("ab");
  t.mock.timers.tick(79);
  assert.deepEqual(seen, []);
  assert.equal(debounce.pending, true);
  t.mock.timers.tick(1);
  assert.deepEqual(seen, ["ab"]);
  assert.equal(debounce.pending, false);
});

test("acting now drops what was waiting", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const seen = [];
  const debounce = new Debounce((value) => seen.push(value), 80);
  debounce.later("old");
  debounce.now("new");
  t.mock.timers.tick(1000);
  assert.deepEqual(seen, ["new"]);
});

test("a cancelled call never comes", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const seen = [];
  const debounce = new Debounce((value) => seen.push(value), 80);
  debounce.later("a");
  debounce.cancel();
  t.mock.timers.tick(1000);
  assert.deepEqual(seen, []);
});

test("a call may wait longer than usual", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const seen = [];
  const debounce = new Debounce((value) => seen.push(value), 80);
  debounce.later("a", 400);
  t.mock.timers.tick(399);
  assert.deepEqual(seen, []);
  t.mock.timers.tick(1);
  assert.deepEqual(seen, ["a"]);
});
