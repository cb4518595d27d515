// Runs searches in Pyodide under Node, and prints the time of each:
//   node warm.mjs RUNTIME ENGINE CORE.zip SITE < [[method, request as JSON], …]     → [[ms, the last answer of the core], …]
//
// Files are on disk: the time is the processor time of the core and of passing files to it.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, engine, core, site] = process.argv.slice(2).map((path) => resolve(path));
const module = (path) => import(pathToFileURL(path).href);
const { loadPyodide } = await module(join(engine, "pyodide.mjs"));
const { engineOptions } = await module(join(runtime, "boot/engine-lock.js"));
const { SparseFile } = await module(join(runtime, "store/sparse-file.js"));

const python = await loadPyodide({ ...engineOptions(`${engine}/`), _sysExecutable: "./this.program" });
python.pyimport("archives").add(python.toPy(new Uint8Array(readFileSync(core))));
const base = join(site, "_ranvier");
const read = (name) => new Uint8Array(readFileSync(join(base, name)));
const { manifest, hot } = JSON.parse(readFileSync(join(base, "entry.json"), "utf8"));
const { boot } = python.pyimport("ranvier.bridge");
const files = [manifest, hot];
const [bridge, error] = boot(python.toPy(files), python.toPy(files.map(read)), new SparseFile(python.FS, "/ranvier-index.db"));
if (!bridge) throw new Error(error);

function search(method, request) {
  let spent = 0;
  const timed = (step) => {
    const start = process.cpuUsage();
    const answer = step();
    const { user, system } = process.cpuUsage(start);
    spent += (user + system) / 1000;
    return answer;
  };
  let answer = timed(() => bridge.start(1, method, request));
  for (let step = JSON.parse(answer); step.need; step = JSON.parse(answer)) {
    const contents = step.need.map(read);
    answer = timed(() => {
      const [names, buffers] = [python.toPy(step.need), python.toPy(contents)];
      const next = bridge.feed(1, names, buffers);
      for (const proxy of [names, buffers]) proxy.destroy();
      return next;
    });
  }
  return [spent, answer];
}

const requests = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(requests.map(([method, request]) => search(method, request))));
