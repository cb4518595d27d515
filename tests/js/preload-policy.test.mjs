/** When the engine is started. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { canPreload } from "../../runtime/ranvier_web/ui/idle.js";
import { isConstrained, readDeviceInfo, searchDelay } from "../../runtime/ranvier_web/ui/preload-policy.js";

const DEVICES = [
  // [device, is constrained, may preload the engine]
  [{}, false, true],
  [{ effectiveType: "4g" }, false, true],
  [{ effectiveType: "4g", downlink: 10, deviceMemory: 8, saveData: false }, false, true],
  [{ effectiveType: "4g", downlink: 5 }, false, true],
  [{ effectiveType: "4g", downlink: 4.9 }, false, false],
  [{ effectiveType: "3g", downlink: 10 }, false, false],
  [{ effectiveType: "2g" }, true, false],
  [{ effectiveType: "slow-2g" }, true, false],
  [{ saveData: true, effectiveType: "4g", downlink: 10, deviceMemory: 8 }, true, false],
  [{ deviceMemory: 0.5 }, true, false],
  [{ deviceMemory: 1 }, true, false],
  [{ deviceMemory: 2 }, false, false],
  [{ deviceMemory: 4 }, false, true],
];

for (const [device, isLow, isPreloaded] of DEVICES) {
  test(`${JSON.stringify(device)}: ${isLow ? "" : "not "}constrained, ${isPreloaded ? "" : "not "}preloaded`, () => {
    assert.equal(isConstrained(device), isLow);
    assert.equal(canPreload(device), isPreloaded);
  });
}

const DELAYS = [
  // [query, only a query starts the engine, ms]
  ["a", false, 80],
  ["", false, 80],
  ["a", true, null],
  [" a ", true, null],
  ["\u{1F600}", true, null], // one letter, two code units
  ["ab", true, 400],
  ["東京", true, 400],
];

for (const [query, isLazy, ms] of DELAYS) {
  test(`'${query}' is looked up after ${ms} ms${isLazy ? " if only a query starts the engine" : ""}`, () => {
    assert.equal(searchDelay(query, isLazy), ms);
  });
}

test("properties that the browser lacks are undefined", () => {
  const readFrom = (navigator) => {
    Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
    return readDeviceInfo();
  };
  assert.deepEqual(readFrom({}), { saveData: false, effectiveType: undefined, downlink: undefined, deviceMemory: undefined });
  const info = { saveData: true, effectiveType: "3g", downlink: 2 };
  assert.deepEqual(readFrom({ deviceMemory: 4, connection: { ...info, rtt: 100 } }), { ...info, deviceMemory: 4 });
});
