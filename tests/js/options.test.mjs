/** Options of scripts become the request of the core. A Python test compares the names. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { RanvierError } from "../../runtime/ranvier_web/errors.js";
import { inScript, OPTIONS, request } from "../../runtime/ranvier_web/options.js";

const CASES = [
  // [what, options, request beside the query]
  ["search", {}, {}],
  ["search", { limit: 5, prefix: true }, { limit: 5, prefix: true }],
  ["search", { minConfidence: 0.5, returnAll: true }, { min_confidence: 0.5, return_all: true }],
  ["search", { limit: undefined, lang: null, offset: 0 }, { offset: 0 }],
  ["search", { tags: ["a"], path: "guide" }, { tags: ["a"], path: "guide" }],
  ["retrieve", { topK: 3, maxChars: 100, exact: false }, { top_k: 3, max_chars: 100, exact: false }],
  ["backlinks", {}, {}],
  // what there is not goes along, for the core to say what may have been meant
  ["search", { limt: 5, topK: 3 }, { limt: 5, topK: 3 }],
  ["retrieve", { limit: 5 }, { limit: 5 }],
];

for (const [what, options, fields] of CASES) {
  test(`${what} with ${JSON.stringify(options)}`, () => {
    assert.deepEqual(request(what, "axon", options), { ...fields, query: "axon" });
  });
}

const REFUSED = [
  ["search", { caller: { audience: "curator" } }], // who asks is nothing that a page may say
  ["search", { scope: { tags: ["a"] } }],
  ["search", { query: "another" }],
  ["search", { min_confidence: 0.5 }],
  ["retrieve", { top_k: 3 }],
  ["backlinks", { limit: 3 }],
];

for (const [what, options] of REFUSED) {
  test(`${what} refuses ${JSON.stringify(options)}`, () => {
    const name = Object.keys(options)[0];
    assert.throws(() => request(what, "axon", options), { name: "RanvierError", code: "request", message: new RegExp(`'${name}'`) });
  });
}

test("options cannot replace the query or a prototype", () => {
  assert.deepEqual(request("search", "axon", JSON.parse('{"__proto__": 1}')).query, "axon");
  assert.equal({}.limit, undefined);
});

test("errors use JavaScript names", () => {
  const told = (message, code = "request") => inScript(new RanvierError({ code, message })).message;
  assert.equal(told("min_confidence must be a number from 0 to 1"), "minConfidence must be a number from 0 to 1");
  assert.equal(told("there is no option 'maxChar'; did you mean 'max_chars'?"), "there is no option 'maxChar'; did you mean 'maxChars'?");
  assert.equal(told("there are ancestor, caller, candidates, return_all"), "there are ancestor, candidates, returnAll");
  assert.equal(told("max_chars", "fetch"), "max_chars");
  const other = new TypeError("max_chars");
  assert.equal(inScript(other), other);
});

test("lists of values are frozen", () => {
  assert.ok([OPTIONS, ...Object.values(OPTIONS)].every(Object.isFrozen));
});
