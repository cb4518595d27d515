/** The answer of one site does not wait for ever for those of the others. */

import { RanvierError } from "../errors.js";

const PATIENCE = 10_000; // ms

/**
 * Return a promise that fails some time after the first of these is fulfilled.
 *
 * @param {Promise<unknown>[]} asking
 */
export function late(asking) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isOver = false;
  /** @type {Promise<never>} */
  const settled = new Promise((_, reject) => {
    const begin = () => {
      const error = new RanvierError({ code: "fetch", message: `no answer for ${PATIENCE / 1000} seconds` });
      if (!isOver) timer ??= setTimeout(() => reject(error), PATIENCE);
    };
    for (const answer of asking) answer.then(begin, () => {});
  });
  settled.catch(() => {});
  return { settled, stop: () => ((isOver = true), clearTimeout(timer)) };
}
