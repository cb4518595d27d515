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
    const [navigator, matchMedia] = ["navigator", "matchMedia"].map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
    const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true });
    define("navigator", { connection });
    define("matchMedia", (query) => ({ matches: query === preferred }));
    assert.equal(savesData(), saves);
    for (const [name, descriptor] of [["navigator", navigator], ["matchMedia", matchMedia]]) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete globalThis[name];
    }
  });
}
