// Lays a snapshot of Pyodide's memory out as what ranvier_web/boot/snapshot.js reads when it has unpacked it:
//
//   a line of JSON: { format, pyodide, memory, end, head, fresh: [bytes, sum], runs: [[first page, pages] …] }
//   `head` bytes: Pyodide's own record of what memory refers to outside of it
//   the pages of all runs, each XORed with the same page of a fresh instance
//
// A browser starts from the primary, whose memory lacks what is deferred. Nothing ever writes there.

const PAGE = 4096;

/**
 * @param {Uint8Array} snapshot  as `makeMemorySnapshot` gives it
 * @param {Uint8Array} whole  the memory of an instance of the whole module, by which it was made, before anything ran
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

/** @returns {[number, number][]} runs of pages in which anything differs */
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

/** The bytes up to the last page of a fresh instance that is not zero. */
function used(fresh) {
  let end = fresh.length;
  while (end && !fresh[end - 1]) end -= 1;
  return Math.ceil(end / PAGE) * PAGE;
}

/** A sum that tells another build of the module: not against malice, which the file's digest is for. */
function sum(fresh, bytes) {
  return new Uint32Array(fresh.buffer, fresh.byteOffset, bytes / 4).reduce((total, word) => (total + word) >>> 0, 0);
}
