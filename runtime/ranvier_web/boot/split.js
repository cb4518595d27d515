/**
 * The engine's module in two parts: the primary contains the functions that searches use, the secondary all others.
 *
 * The primary calls `link` before the first call of a secondary function. A wasm function cannot wait for a promise, so the secondary
 * is then fetched synchronously. `ranvier_builder/engine/split.mjs` makes the two parts.
 */

/** Exports with this prefix are for the secondary. */
const SHARED = ".";
/** The performance mark for each linked secondary. */
const LINK_MARK = "ranvier: secondary linked";

/**
 * @param {WebAssembly.Module} module  the primary
 * @param {WebAssembly.Imports} imports
 * @param {() => Uint8Array} read  returns the checked secondary; if it throws, the call that needs it traps
 * @param {(error: unknown) => void} [onFailure]  receives the reason of the trap
 * @returns {Promise<WebAssembly.WebAssemblyInstantiatedSource>}
 */
export async function instantiateSplit(module, imports, read, onFailure = () => {}) {
  let hasFailed = false; // after a failure, more secondary functions may be called
  const link = () => {
    if (hasFailed) return;
    try {
      new WebAssembly.Instance(new WebAssembly.Module(/** @type {BufferSource} */ (read())), { ...imports, primary: shared });
      shared[".linked"].value = 1;
      performance.mark(LINK_MARK);
    } catch (error) {
      hasFailed = true;
      // The failed engine may throw later. The page would treat that as the end of the worker, where another engine starts.
      self.addEventListener("error", (event) => event.preventDefault());
      console.error(`${error}`);
      onFailure(error);
    }
  };
  const { exports } = await WebAssembly.instantiate(module, { ...imports, secondary: { link } });
  /** @type {any} */
  const shared = exports;
  const ownExports = Object.fromEntries(Object.entries(exports).filter(([name]) => !name.startsWith(SHARED)));
  return { module, instance: /** @type {WebAssembly.Instance} */ ({ exports: ownExports }) };
}
