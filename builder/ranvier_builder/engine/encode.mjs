// Encodes a snapshot of Pyodide's memory in the format that ranvier_web/boot/snapshot.js reads:
//
//   a line of JSON: { format, pyodide, memory, end, head, fresh: [bytes, sum], runs: [[first page, pages] …] }
//   `head` bytes: Pyodide's own record of references from memory to JavaScript
//   the pages of all runs, each XORed with the same page of a fresh instance
//
// A browser starts from the primary, whose memory lacks the deferred data. Nothing may write to them.

const PAGE = 4096;

/**
 * @param {Uint8Array} snapshot  from `makeMemorySnapshot`
 * @param {Uint8Array} whole  the initial memory of an instance of the whole module, which made the snapshot
 * @param {Uint8Array} fresh  the same of the primary
 * @param {string} pyodide  the version
 * @returns {Uint8Array}
 */
export function encode(snapshot, whole, fresh, pyodide) {
  const head = new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2)[1];
  const memory = snapshot.subarray(head);
  const delta = memory.map((byte, at) => byte ^ whole[at]);
  if (delta.some((byte, at) => byte && whole[at] !== fresh[at])) throw new Error("deferred data were written to");
  const runs = pages(delta);
  const filled = used(fresh);
  const last = runs.at(-1) ?? [0, 0];
  const line = JSON.stringify({
    format: 1,
    pyodide,
    memory: memory.length,
    end: Math.max((last[0] + last[1]) * PAGE, filled),
    head,
    fresh: [filled, sum(fresh, filled)],
    runs,
  });
  const parts = runs.map(([first, count]) => delta.subarray(first * PAGE, (first + count) * PAGE));
  return Buffer.concat([Buffer.from(`${line}\n`), snapshot.subarray(0, head), ...parts]);
}

/** @returns {[number, number][]} runs of pages that differ: the first page, and the number of pages */
function pages(delta) {
  const runs = [];
  for (let page = 0; page * PAGE < delta.length; page += 1) {
    if (delta.subarray(page * PAGE, (page + 1) * PAGE).every((byte) => byte === 0)) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === page) last[1] += 1;
    else runs.push([page, 1]);
  }
  return runs;
}

/** Return the number of bytes up to the last page of a fresh instance that is not zero. */
function used(fresh) {
  let end = fresh.length;
  while (end && !fresh[end - 1]) end -= 1;
  return Math.ceil(end / PAGE) * PAGE;
}

/** Return a checksum that differs for another build of the module. The file's digest protects against manipulation. */
function sum(fresh, bytes) {
  return new Uint32Array(fresh.buffer, fresh.byteOffset, bytes / 4).reduce((total, word) => (total + word) >>> 0, 0);
}
