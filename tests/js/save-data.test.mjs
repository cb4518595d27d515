/** Whether the reader saves data, by a setting of the browser or a preference. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { savesData } from "../../runtime/ranvier_web/save-data.js";

const CASES = [
  // [connection, matching media query, saves data]
  [{ saveData: true }, "", true],
  [{ saveData: false }, "", false],
  [undefined, "", false],
  [undefined, "(prefers-reduced-data: reduce)", true],
];

for (const [connection, preferred, saves] of CASES) {
  test(`${JSON.stringify(connection)} and '${preferred}' ${saves ? "save" : "do not save"} data`, () => {
    Object.defineProperty(globalThis, "navigator", { value: { connection }, configurable: true });
    globalThis.matchMedia = (query) => ({ matches: query === preferred });
    assert.equal(savesData(), saves);
  });
}
