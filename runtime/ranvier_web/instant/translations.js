/** On a site with translations, suggestions in the language of the current page. */

/** @import { SuggestOptions } from "../options.js" */

// Many names of one language may come before all others: in the manual of Apache, `Module Apache` begins with the query, and
// `Apache Module` does not.
const ROWS = 1000;
const MAX_LIMIT = 100;

/**
 * Return rows without those of pages whose translation into the reader's language, or into the site's, is among them.
 *
 * @template {{url: string}} T
 * @param {{defaultLimit: number, search: (query: string, options: SuggestOptions & {rows?: number}) => Promise<T[]>}} files
 * @param {string} query
 * @param {Record<string, string>} folders  of each language, in addresses; the site's own language first
 * @param {SuggestOptions} options
 */
export async function inOneLanguage(files, query, folders, { limit = files.defaultLimit, pageLang = globalThis.document?.documentElement.lang ?? "", ...options }) {
  const langs = sortLanguages(Object.keys(folders), `${pageLang}`.toLowerCase().replaceAll("_", "-"));
  const rows = await files.search(query, { ...options, limit: ROWS, rows: ROWS });
  /** @type {Map<string, number>} */
  const best = new Map();
  const places = rows.map(({ url }) => {
    const own = langs.filter((lang) => url.startsWith(folders[lang] ?? ""));
    const [folder = ""] = own.map((lang) => folders[lang] ?? "").sort((a, b) => b.length - a.length);
    const at = langs.findIndex((lang) => folders[lang] === folder);
    const page = at < 0 ? `/${url}` : url.slice(folder.length);
    best.set(page, Math.min(at, best.get(page) ?? Infinity));
    return { page, at };
  });
  return rows.filter((_, row) => best.get(places[row]?.page ?? "") === places[row]?.at).slice(0, Math.min(Math.max(limit, 1), MAX_LIMIT));
}

/**
 * Return the languages with that of the page first, then those that differ only in the region.
 *
 * @param {string[]} langs
 * @param {string} pageLang
 */
function sortLanguages(langs, pageLang) {
  const distance = (/** @type {string} */ lang) => {
    const tag = lang.toLowerCase();
    return tag === pageLang ? 0 : tag.split("-")[0] === pageLang.split("-")[0] ? 1 : 2;
  };
  return [...langs].sort((a, b) => distance(a) - distance(b));
}
