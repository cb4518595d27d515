/**
 * How `loadPyodide` is to be called, and what it wants to know about packages: nothing, because there are none.
 * Given as an object, the lock saves the request for `pyodide-lock.json` (119 kB, all about packages never loaded).
 *
 *     const { loadPyodide } = await import(`${engineURL}pyodide.js`);
 *     const pyodide = await loadPyodide(engineOptions(engineURL));
 */

/**
 * Pyodide compares `abi_version` with its own and refuses to start when they differ, so this moves with the pinned
 * release.
 *
 * @type {{ info: { abi_version: string, arch: string, platform: string, python: string, version: string }, packages: {} }}
 */
export const ENGINE_LOCK = {
  info: {
    abi_version: "2026_0",
    arch: "wasm32",
    platform: "emscripten_5_0_3",
    python: "3.14.2",
    version: "314.0.7",
  },
  packages: {},
};

/**
 * The options for `loadPyodide`. A new object on every call, because Pyodide writes into what it is given.
 *
 * - A fixed hash seed gives sets of strings one order in every browser.
 * - Bytecode beside the core's modules would be written to memory that is never read again.
 * - `packageBaseUrl` left out would be the address of a public CDN; a search must never ask a third party.
 *
 * @param {string} engineURL  the absolute URL of the engine folder, with its slash at the end
 */
export function engineOptions(engineURL) {
  return {
    indexURL: engineURL,
    packageBaseUrl: engineURL,
    lockFileContents: ENGINE_LOCK,
    env: { PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1" },
  };
}
