import assert from "node:assert/strict";
import { test } from "node:test";
import { whereabouts } from "../../runtime/ranvier_web/ui/result-row.js";

test("breadcrumb does not repeat the title", () => {
  assert.deepEqual(whereabouts({ title: "Myelin", breadcrumb: "Myelin > Structure > Lamellae" }), ["Structure", "Lamellae"]);
  assert.deepEqual(whereabouts({ title: "Myelin", breadcrumb: "Myelin", path: "guide/myelin.md" }), ["guide", "myelin"]);
  assert.deepEqual(whereabouts({ title: "Myelin", path: "myelin.md" }), ["myelin"]);
  assert.deepEqual(whereabouts({ title: "Myelin" }), []);
  assert.deepEqual(whereabouts({ title: "f", breadcrumb: "f > a->b > f" }), ["a->b", "f"]);
  assert.deepEqual(whereabouts({ title: "a > b", breadcrumb: "a > b", path: "x/y.md" }), ["x", "y"]);
});
