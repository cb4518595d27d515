/** The methods of the benchmark for a library that loads its whole index before the first answer. */
export function client({ load, search }) {
  let index;
  const open = () => (index ??= fetch("/index.json").then((response) => response.text()).then(load));
  const full = async (query, limit = 8) => (await search(await open(), query, limit)).map(({ url }) => url);
  return { first: full, words: full, full, typed: full };
}
