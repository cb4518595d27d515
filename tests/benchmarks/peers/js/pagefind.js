/** Pagefind's own module, which is in the site; a row can be shown when its fragment has arrived. */
let engine;

async function open() {
  if (engine) return engine;
  engine = await import("/pagefind/pagefind.js");
  await engine.init();
  return engine;
}

async function full(query, limit = 8) {
  const { results } = await (await open()).search(query);
  const rows = await Promise.all(results.slice(0, limit).map((result) => result.data()));
  return rows.map(({ url }) => url);
}

globalThis.peer = { first: full, words: full, full, typed: full };
