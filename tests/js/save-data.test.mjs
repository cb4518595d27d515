/** Whether the reader wants to save data: by the browser setting or a preference. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { savesData } from "../../runtime/ranvier_web/save-data.js";

const CASES = [
  // [connection, what the reader prefers, saves]
  [{ saveData: true }, "", true],
  [{ saveData: false }, "", false],
  [undefined, "", false],
  [undefined, "(prefers-reduced-data: reduce)", true],
];

for (const [connection, preferred, saves] of CASES) {
  test(`${JSON.stringify(connection)} and '${preferred}' ${saves ? "save" : "do not save"} data`, () => {
    const [navigator, matchMedia] = ["navigator", "matchMedia"].map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
    const put = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true });
    put("navigator", { connection });
    put("matchMedia", (query) => ({ matches: query === preferred }));
    assert.equal(savesData(), saves);
    for (const [name, was] of [["navigator", navigator], ["matchMedia", matchMedia]]) {
      if (was) Object.defineProperty(globalThis, name, was);
      else delete globalThis[name];
    }
  });
}
