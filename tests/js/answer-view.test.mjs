/** What an answer says besides its rows. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { answerStrings } from "../../runtime/ranvier_web/ui/answer-strings.js";
import { AnswerView } from "../../runtime/ranvier_web/ui/answer-view.js";
import { FakeElement, fakeDocument } from "../support/elements.mjs";

/** Return what is announced with an answer that has one row and these notices. */
function announce(t, notices) {
  fakeDocument(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const list = new FakeElement();
  list.append("row");
  const spoken = [];
  const view = { body: new FakeElement(), announce: (text) => spoken.push(text), endWait() {}, label() {}, showMessage() {} };
  const result = { hits: [{}], totalHits: 1, truncated: false, nextOffset: null, notices };
  new AnswerView(answerStrings, view, list).showAnswer("axon", result, { hasMore: false, isFixed: false, hadSuggestions: false, isRefresh: false });
  t.mock.timers.runAll();
  t.mock.timers.reset();
  return spoken.join();
}

test("a notice names its site, if it does not hold for all", (t) => {
  const notice = { code: "near", text: "", subject: "" };
  assert.equal(announce(t, [notice]), `${answerStrings.notices.near("")} 1 result for “axon”.`);
  assert.equal(announce(t, [{ ...notice, site: "Blog" }]), `Blog: ${answerStrings.notices.near("")} 1 result for “axon”.`);
});

test("a notice of a newer version is not shown, with or without a site", (t) => {
  const notice = { code: "from-a-newer-version", text: "", subject: "" };
  assert.equal(announce(t, [notice]), "1 result for “axon”.");
  assert.equal(announce(t, [{ ...notice, site: "Blog" }]), "1 result for “axon”.");
});

test("a notice is shown once, also if the query is too long in two ways", (t) => {
  const notice = { code: "clamped", text: "", subject: "" };
  assert.equal(announce(t, [notice, notice]), `${answerStrings.notices.clamped("")} 1 result for “axon”.`);
});
