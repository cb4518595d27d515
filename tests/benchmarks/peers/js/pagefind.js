/** Pagefind's own module, which the site has beside this file; a row is on the screen when its fragment is there. */
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
