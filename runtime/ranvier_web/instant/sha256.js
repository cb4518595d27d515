/**
 * SHA-256 (FIPS 180-4) for pages on plain http, where `crypto.subtle` is missing. A file's name contains only a prefix of its
 * digest, which `integrity` does not accept.
 */

const WORD = 2 ** 32;
const ROUNDS = new Int32Array(64); // the first bits of the cube roots of the first 64 primes
const INITIAL_STATE = new Int32Array(8); // those of the square roots of the first eight
for (let number = 2, count = 0; count < 64; number += 1) {
  let isPrime = true;
  for (let by = 2; by * by <= number; by += 1) isPrime &&= number % by > 0;
  if (!isPrime) continue;
  if (count < 8) INITIAL_STATE[count] = Math.sqrt(number) * WORD;
  ROUNDS[count] = Math.cbrt(number) * WORD;
  count += 1;
}

/** @param {number} word @param {number} by */
const rotate = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * @param {Uint8Array} data
 * @returns {string} in hexadecimal
 */
export function sha256(data) {
  const padded = new Uint8Array(((data.length + 72) >> 6) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(data.length / (WORD / 8)));
  view.setUint32(padded.length - 4, data.length << 3);
  const state = Int32Array.from(INITIAL_STATE);
  const schedule = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) processBlock(view, at, schedule, state);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/**
 * Plain assignments only: this runs before the browser has optimized it.
 *
 * @param {DataView} view
 * @param {number} start
 * @param {Int32Array} w  the schedule
 * @param {Int32Array} state
 */
function processBlock(view, start, w, state) {
  for (let at = 0; at < 16; at += 1) w[at] = view.getInt32(start + 4 * at);
  for (let at = 16; at < 64; at += 1) {
    const two = /** @type {number} */ (w[at - 2]);
    const fifteen = /** @type {number} */ (w[at - 15]);
    const low = rotate(fifteen, 7) ^ rotate(fifteen, 18) ^ (fifteen >>> 3);
    const high = rotate(two, 17) ^ rotate(two, 19) ^ (two >>> 10);
    w[at] = /** @type {number} */ (w[at - 16]) + low + /** @type {number} */ (w[at - 7]) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const mixed = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g));
    const sum = (mixed + /** @type {number} */ (ROUNDS[at]) + /** @type {number} */ (w[at])) | 0;
    const other = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + sum) | 0;
    d = c;
    c = b;
    b = a;
    a = (sum + other) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] = (state[at] ?? 0) + word));
}
