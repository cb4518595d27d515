/**
 * `first`: pages from the lists that answer before the engine is there. `words`: the engine's ranking while somebody types.
 * `full`: its ranking of a finished query, in which meaning counts beside words. `typed`: what the box asks after each key.
 */
const base = new URL("/_ranvier/", location.href).href;
let engine;
let stop;

async function open() {
  if (engine) return engine;
  const entry = await fetch(`${base}entry.json`, { cache: "no-cache" });
  const { api } = await entry.json();
  engine = (await import(base + api)).open(base);
  return engine;
}

const urls = ({ hits }) => hits.map(({ url }) => url);

globalThis.peer = {
  first: async (query) => (await (await open()).instant(query, { limit: 8 })).map(({ url }) => url),
  words: async (query, limit = 8) => urls(await (await open()).search(query, { limit, prefix: true, typing: true })),
  full: async (query, limit = 8) => urls(await (await open()).search(query, { limit })),
  typed: async (query) => {
    const rows = await (await open()).suggest(query);
    stop?.abort();
    stop = new AbortController();
    engine.search(query, { limit: 8, prefix: true, typing: true, signal: stop.signal }).catch(() => {});
    return rows;
  },
};
