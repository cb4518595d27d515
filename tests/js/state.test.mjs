/** The state of the search box: each event, and what Enter does in each state. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY, isAnswered, isFailing, isSuggested, opensRow, reduce } from "../../runtime/ranvier_web/ui/state.js";

const result = (ids = "", fields = {}) => ({ hits: [...ids].map((id) => ({ id })), notices: [], totalHits: ids.length, nextOffset: null, ...fields });
const after = (...events) => events.reduce(reduce, EMPTY);
const typed = { type: "typed" };
const suggested = (query, isExact = false) => ({ type: "suggested", query, isExact });
const searching = (query) => ({ type: "searching", query });
const answered = (query, ids) => ({ type: "answered", query, result: result(ids) });
const failed = (query, code = "fetch") => ({ type: "failed", query, code });
const entered = (query) => ({ type: "entered", query, newTab: false });
const press = { query: "how", newTab: false, isTyping: false, isChosen: false, willRefresh: false };

test("an answer replaces suggestions of its query", () => {
  const state = after(suggested("how"), searching("how"), answered("how", "ab"));
  assert.deepEqual([state.rows, state.query, state.searching, state.answer.query], ["answer", "how", null, "how"]);
  assert.ok(isAnswered(state, "how"));
  assert.ok(!isAnswered(state, "ho"));
});

test("suggestions of a search without results stay, also if they arrive later", () => {
  for (const order of [[suggested("how", true), answered("how")], [answered("how"), suggested("how", true)]]) {
    const state = after(searching("how"), ...order);
    assert.deepEqual([state.rows, state.isExact, isAnswered(state, "how"), isSuggested(state)], ["fallback", false, true, false]);
  }
});

test("an answer without results replaces suggestions of an older query", () => {
  assert.equal(after(suggested("ho"), searching("how"), answered("how")).rows, "answer");
});

test("suggestions of another query replace an answer, which is still the last one", () => {
  const state = after(answered("how", "a"), suggested("howe"));
  assert.deepEqual([state.rows, state.query, state.answer.query], ["suggestions", "howe", "how"]);
});

test("an error keeps only suggestions of its query, and stays until the next search starts", () => {
  const state = after(suggested("how"), searching("how"), failed("how", "engine"));
  assert.deepEqual([state.rows, state.query, state.failure, state.searching], ["suggestions", "how", "engine", null]);
  for (const [event, isVisible] of [[suggested("stop"), true], [searching("how"), false], [{ type: "cleared" }, false]]) {
    assert.equal(isFailing(reduce(state, event)), isVisible);
  }
  assert.equal(after(searching("how"), failed("how"), searching("how"), answered("how", "a")).failure, "");
  for (const rows of [suggested("ho"), answered("how", "a")]) {
    assert.deepEqual([after(rows, failed("how")).rows, after(rows, failed("how")).query], ["none", null]);
  }
});

test("an empty field keeps only the last answer", () => {
  const state = after(suggested("ho"), searching("how"), answered("how", "a"), entered("how"), { type: "cleared" });
  assert.deepEqual(state, { ...EMPTY, answer: { query: "how", result: result("a") } });
});

test("an empty keyword answer removes older results and keeps suggestions", () => {
  assert.equal(after(answered("ho", "a"), searching("how"), { type: "emptied" }).rows, "none");
  assert.equal(after(suggested("ho"), searching("how"), { type: "emptied" }).rows, "suggestions");
});

const SUGGESTED = [suggested("how"), searching("how")];
const WAITS = [
  // [what Enter waits for, events before it]
  ["rows", []],
  ["rows", [suggested("ho"), searching("how")]],
  ["rows", [answered("ho", "a"), searching("how")]],
  ["never", SUGGESTED], // the results may be other rows
  ["never", [answered("how", "a")]],
  ["failure", [...SUGGESTED, failed("how"), searching("how")]],
  ["never", [...SUGGESTED, failed("how"), searching("how"), answered("how", "a"), suggested("howe"), suggested("how")]],
];

for (const [opens, events] of WAITS) {
  test(`Enter after ${events.map(({ type, query }) => `${type} ${query}`).join(", ") || "nothing"} opens a row: ${opens}`, () => {
    assert.equal(after(...events, entered("how")).enter.opens, opens);
  });
}

test("a waiting Enter ends with a key, a move, or the row that it opens", () => {
  for (const type of ["typed", "moved", "opened", "closed", "cleared"]) assert.equal(after(entered("how"), { type }).enter, null);
  assert.equal(after(entered("how"), answered("how", "a")).enter.opens, "rows"); // the refresh may follow
  const retry = [...SUGGESTED, failed("how"), searching("how"), entered("how")];
  assert.equal(after(...retry, failed("how")).enter.opens, "failure");
});

const OPENS = [
  // [Enter opens the selected row, events before it, other properties of the key press]
  [false, [], {}],
  [false, SUGGESTED, {}],
  [true, SUGGESTED, { isChosen: true }],
  [true, [suggested("how", true)], { isTyping: true }],
  [false, [suggested("ho", true)], { isChosen: true }],
  [true, [...SUGGESTED, failed("how")], {}],
  [false, [...SUGGESTED, failed("how")], { isTyping: true }],
  [false, [...SUGGESTED, failed("how"), searching("how")], {}],
  [true, [answered("how", "a")], {}],
  [false, [answered("how", "a")], { willRefresh: true }],
  [true, [answered("how", "a")], { willRefresh: true, newTab: true }],
  [false, [answered("how", "a"), typed], { isTyping: true }],
  [false, [answered("ho", "a")], { isChosen: true }],
  [true, [suggested("how"), answered("how")], {}],
];

for (const [opens, events, fields] of OPENS) {
  test(`Enter ${opens ? "opens" : "does not open"} a row after ${JSON.stringify([events.map(({ type, query }) => [type, query]), fields])}`, () => {
    assert.equal(opensRow(after(...events), { ...press, ...fields }), opens);
  });
}
