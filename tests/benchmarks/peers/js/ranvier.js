/**
 * `first`: pages from the instant lists, before the engine is ready. `words`: the engine's ranking while a reader types.
 * `full`: its ranking of a complete query, by words and meaning. `typed`: the calls of the box after each key.
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
