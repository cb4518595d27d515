/** Time without data after which a download is cancelled: short enough for readers, long enough for a bad connection. */
export const TIMEOUT = 20_000; // ms
