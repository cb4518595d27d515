/** Whether the reader wants to save data, by a browser setting or a preference. For pages and workers. */
export function savesData() {
  const { connection } = /** @type {any} */ (globalThis.navigator ?? {});
  return connection?.saveData === true || (globalThis.matchMedia?.("(prefers-reduced-data: reduce)").matches ?? false);
}
