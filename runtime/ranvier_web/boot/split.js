/**
 * The engine's module in two parts: the primary has the functions that searches run, the secondary all others.
 *
 * The primary calls `link` before the first of these others. A function of wasm cannot wait for a promise, so the secondary is then
 * fetched while everything stands still, unless it was fetched ahead. `ranvier_builder/engine/split.mjs` makes the two.
 */

/** Exports that begin with this are for the secondary. */
const SHARED = ".";
/** A mark in the browser's timeline, each time that a secondary is linked. */
const LINKED = "ranvier: secondary linked";

/**
 * @param {WebAssembly.Module} module  the primary
 * @param {WebAssembly.Imports} imports
 * @param {() => Uint8Array} read  returns the secondary, compared; where it throws, the call that needs it is a trap
 * @param {(error: unknown) => void} [onLost]  is told why it is a trap
 * @returns {Promise<WebAssembly.WebAssemblyInstantiatedSource>}
 */
export async function instantiateSplit(module, imports, read, onLost = () => {}) {
  let failed = false; // what comes to its end calls more of what is not there
  const link = () => {
    if (failed) return;
    try {
      new WebAssembly.Instance(new WebAssembly.Module(/** @type {BufferSource} */ (read())), { ...imports, primary: shared });
      shared[".linked"].value = 1;
      performance.mark(LINKED);
    } catch (error) {
      failed = true;
      // What is left of this engine may throw later. To the page that is the end of the worker, in which another engine starts.
      self.addEventListener("error", (event) => event.preventDefault());
      console.error(`${error}`);
      onLost(error);
    }
  };
  const { exports } = await WebAssembly.instantiate(module, { ...imports, secondary: { link } });
  /** @type {any} */
  const shared = exports;
  const own = Object.fromEntries(Object.entries(exports).filter(([name]) => !name.startsWith(SHARED)));
  return { module, instance: /** @type {WebAssembly.Instance} */ ({ exports: own }) };
}
