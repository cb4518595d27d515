/** Whether the reader asks for few bytes, in the browser's settings or by a preference. Pages and workers may call it. */
export function savesData() {
  const { connection } = /** @type {any} */ (globalThis.navigator ?? {});
  return connection?.saveData === true || (globalThis.matchMedia?.("(prefers-reduced-data: reduce)").matches ?? false);
}
