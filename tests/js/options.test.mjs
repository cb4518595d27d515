/** Options of scripts become the request of the core. A Python test compares the names. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { RanvierError } from "../../runtime/ranvier_web/errors.js";
import { buildRequest, withScriptNames } from "../../runtime/ranvier_web/options.js";

const CASES = [
  // [method, options, request without the query]
  ["search", {}, {}],
  ["search", { limit: 5, prefix: true }, { limit: 5, prefix: true }],
  ["search", { minConfidence: 0.5, returnAll: true }, { min_confidence: 0.5, return_all: true }],
  ["search", { limit: undefined, lang: null, offset: 0 }, { offset: 0 }],
  ["search", { tags: ["a"], path: "guide" }, { tags: ["a"], path: "guide" }],
  ["retrieve", { topK: 3, maxChars: 100, exact: false }, { top_k: 3, max_chars: 100, exact: false }],
  ["backlinks", {}, {}],
  // The core rejects unknown options and suggests similar names.
  ["search", { limt: 5, topK: 3 }, { limt: 5, top_k: 3 }],
  ["retrieve", { limit: 5 }, { limit: 5 }],
];

for (const [method, options, fields] of CASES) {
  test(`${method} with ${JSON.stringify(options)}`, () => {
    assert.deepEqual(buildRequest(method, "axon", options), { ...fields, query: "axon" });
  });
}

const REFUSED = [
  ["search", { caller: { audience: "curator" } }],
  ["search", { scope: { tags: ["a"] } }],
  ["search", { query: "another" }],
  ["search", { min_confidence: 0.5 }],
  ["retrieve", { top_k: 3 }],
  ["backlinks", { limit: 3 }],
  ["search", JSON.parse('{"__proto__": 1}')],
];

for (const [method, options] of REFUSED) {
  test(`${method} refuses ${JSON.stringify(options)}`, () => {
    const name = Object.keys(options)[0];
    assert.throws(() => buildRequest(method, "axon", options), { name: "RanvierError", code: "request", message: new RegExp(`'${name}'`) });
  });
}

test("errors use JavaScript names", () => {
  const converted = (message, code = "request") => withScriptNames(new RanvierError({ code, message })).message;
  assert.equal(converted("min_confidence must be a number from 0 to 1"), "minConfidence must be a number from 0 to 1");
  assert.equal(converted("there is no option 'maxChar'; did you mean 'max_chars'?"), "there is no option 'maxChar'; did you mean 'maxChars'?");
  assert.equal(converted("there are ancestor, caller, candidates, return_all"), "there are ancestor, candidates, returnAll");
  assert.equal(converted("max_chars", "fetch"), "max_chars");
  const other = new TypeError("max_chars");
  assert.equal(withScriptNames(other), other);
});
