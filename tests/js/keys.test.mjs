import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fieldAction,
  isApple,
  isTextTarget,
  pageAction,
  queryFromSelection,
  stepIndex,
} from "../../runtime/ranvier_web/ui/key-bindings.js";

const press = (key, fields = {}) => ({ key, ...fields });
const page = { apple: false, typing: false };

test("recognises Apple's platforms", () => {
  for (const platform of ["MacIntel", "iPhone", "iPad"]) assert.equal(isApple(platform), true);
  for (const platform of ["Linux x86_64", "Win32", ""]) assert.equal(isApple(platform), false);
});

const PAGE_CASES = [
  // [key press, context, action]
  [press("k", { ctrlKey: true }), page, "toggle"],
  [press("K", { ctrlKey: true }), page, "toggle"], // with caps lock
  [press("k", { ctrlKey: true }), { apple: false, typing: true }, "toggle"],
  [press("л", { code: "KeyK", ctrlKey: true }), page, "toggle"], // the place of K on a Russian keyboard
  [press("t", { code: "KeyK", ctrlKey: true }), page, null], // Dvorak: another letter
  [press("k", { code: "KeyV", ctrlKey: true }), page, "toggle"], // Dvorak
  [press("л", { code: "KeyK" }), page, null],
  [press("л", { ctrlKey: true }), page, null],
  [press("k", { metaKey: true }), { apple: true, typing: false }, "toggle"],
  [press("k", { ctrlKey: true }), { apple: true, typing: true }, null], // "delete to the end of the line"
  [press("k", { metaKey: true }), page, null],
  [press("k"), page, null],
  [press("k", { ctrlKey: true, shiftKey: true }), page, null], // Firefox's console
  [press("k", { ctrlKey: true, altKey: true }), page, null],
  [press("/"), page, "open"],
  [press("/", { shiftKey: true }), page, "open"], // Shift-7 on a German keyboard
  [press("/"), { apple: false, typing: true }, null],
  [press("/", { ctrlKey: true }), page, null],
  [press("/", { isComposing: true }), page, null],
  [press("Escape"), page, null],
];

for (const [key, context, action] of PAGE_CASES) {
  test(`in the page ${JSON.stringify([key, context])} means ${action}`, () => assert.equal(pageAction(key, context), action));
}

const list = { hasOptions: true, hasMoved: false };
const FIELD_CASES = [
  [press("ArrowDown"), list, "next"],
  [press("ArrowUp"), list, "previous"],
  [press("ArrowDown"), { hasOptions: false, hasMoved: false }, null],
  [press("Home"), list, null], // moves the cursor, until the reader has moved in the list
  [press("Home"), { hasOptions: true, hasMoved: true }, "first"],
  [press("End"), { hasOptions: true, hasMoved: true }, "last"],
  [press("Home", { shiftKey: true }), { hasOptions: true, hasMoved: true }, null], // selects text
  [press("Enter"), list, "go"],
  [press("Enter", { ctrlKey: true }), list, "go-new-tab"],
  [press("Enter", { metaKey: true }), list, "go-new-tab"],
  [press("Enter"), { hasOptions: false, hasMoved: false }, "go"],
  [press("Enter", { isComposing: true }), list, null], // picks a candidate of the input method
  [press("Enter", { keyCode: 229 }), list, null],
  [press("ArrowDown", { altKey: true }), list, null],
  [press("a"), list, null],
];

for (const [key, state, action] of FIELD_CASES) {
  test(`in the field ${JSON.stringify([key, state])} means ${action}`, () => assert.equal(fieldAction(key, state), action));
}

test("steps wrap around at both ends", () => {
  assert.equal(stepIndex("next", 0, 3), 1);
  assert.equal(stepIndex("next", 2, 3), 0);
  assert.equal(stepIndex("next", -1, 3), 0);
  assert.equal(stepIndex("previous", 0, 3), 2);
  assert.equal(stepIndex("previous", -1, 3), 2);
  assert.equal(stepIndex("first", 2, 3), 0);
  assert.equal(stepIndex("last", 0, 3), 2);
  assert.equal(stepIndex(null, 1, 3), 1);
  for (const action of ["next", "previous", "first", "last"]) assert.equal(stepIndex(action, 0, 0), -1);
});

test("recognises elements that take text", () => {
  assert.equal(isTextTarget({ tagName: "INPUT", type: "text" }), true);
  assert.equal(isTextTarget({ tagName: "INPUT", type: "email" }), true);
  assert.equal(isTextTarget({ tagName: "textarea" }), true);
  assert.equal(isTextTarget({ tagName: "SELECT" }), true);
  assert.equal(isTextTarget({ tagName: "DIV", isContentEditable: true }), true);
  assert.equal(isTextTarget({ tagName: "INPUT", type: "checkbox" }), false);
  assert.equal(isTextTarget({ tagName: "DIV" }), false);
  assert.equal(isTextTarget({ tagName: "INPUT", type: "text", getClientRects: () => [{}] }), true);
  assert.equal(isTextTarget({ tagName: "INPUT", type: "text", getClientRects: () => [] }), false); // in a closed dialog
  for (const nothing of [null, undefined, "x", 1, {}]) assert.equal(isTextTarget(nothing), false);
});

test("uses a short selection as a query", () => {
  assert.equal(queryFromSelection(" word\n  embedding "), "word embedding");
  assert.equal(queryFromSelection(""), "");
  assert.equal(queryFromSelection("x".repeat(100)).length, 100);
  assert.equal(queryFromSelection("x".repeat(101)), "");
});
