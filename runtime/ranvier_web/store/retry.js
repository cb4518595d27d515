/**
 * The retry policy, for every file and script: at most two attempts for each call. The second one skips the browser's cache, which
 * may contain an error or a damaged copy. A stalled download is not repeated: it has already cost the whole timeout.
 */

/** Time without data after which a download is cancelled: short enough for readers, long enough for a bad connection. */
export const TIMEOUT = 20_000; // ms

/**
 * @template T
 * @param {(cache: RequestCache) => Promise<T>} attempt  rejects if the file is not available, or damaged
 * @param {{cache?: RequestCache, signal?: AbortSignal}} [options]  `cache`: of the first attempt; "reload": there is no second one
 */
export async function withRetry(attempt, { cache = "default", signal } = {}) {
  try {
    return await attempt(cache);
  } catch (error) {
    if (cache === "reload" || signal?.aborted || /** @type {any} */ (error)?.isStalled) throw error;
    return attempt("reload");
  }
}
