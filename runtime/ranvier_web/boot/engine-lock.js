/**
 * The options of `loadPyodide`, with an empty package lock, because no packages are used.
 * The lock object saves the request for `pyodide-lock.json` (119 kB about packages that are never loaded).
 *
 *     const { loadPyodide } = await import(`${engineURL}pyodide.js`);
 *     const pyodide = await loadPyodide(engineOptions(engineURL));
 */

/**
 * Pyodide compares `abi_version` with its own and does not start if they differ, so update this together with the pinned
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
 * Return the options for `loadPyodide`. A new object on every call, because Pyodide modifies it.
 *
 * - With a fixed hash seed, sets of strings have the same order in every browser.
 * - Bytecode files would be written to memory and never read again, so they are disabled.
 * - The default of `packageBaseUrl` is a public CDN; a search must never send a request to a third party.
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
