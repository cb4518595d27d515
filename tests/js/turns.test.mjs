import assert from "node:assert/strict";
import { test } from "node:test";
import { Debounce, Turns } from "../../runtime/ranvier_web/ui/turns.js";

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

test("only the newest turn is current", () => {
  const turns = new Turns();
  const first = turns.next();
  assert.equal(turns.isCurrent(first), true);
  const second = turns.next();
  assert.equal(turns.isCurrent(first), false);
  assert.equal(turns.isCurrent(second), true);
});
