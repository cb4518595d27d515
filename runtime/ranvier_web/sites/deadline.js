/** The time limit for the answers of several sites: after the first answer, the others have some seconds. */

import { RanvierError } from "../errors.js";

const ANSWER_TIMEOUT = 10_000; // ms

/**
 * Return a promise that is rejected some time after the first answer.
 *
 * @param {Promise<unknown>[]} answers
 */
export function startDeadline(answers) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isStopped = false;
  /** @type {Promise<never>} */
  const expired = new Promise((_, reject) => {
    const start = () => {
      const error = new RanvierError({ code: "fetch", message: `no answer for ${ANSWER_TIMEOUT / 1000} seconds` });
      if (!isStopped) timer ??= setTimeout(() => reject(error), ANSWER_TIMEOUT);
    };
    for (const answer of answers) answer.then(start, () => {});
  });
  expired.catch(() => {});
  return { expired, stop: () => ((isStopped = true), clearTimeout(timer)) };
}
