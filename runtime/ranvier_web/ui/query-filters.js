/** The filters in a query, as the core's `query/filters.py` reads them. Pure functions without a DOM. */

/**
 * @typedef {"phrase" | "title" | "tags" | "path" | "kind" | "lang" | "time" | "not"} FilterKind
 *
 * @typedef {object} QueryFilter
 * @property {FilterKind} kind
 * @property {string} value
 * @property {number} start  where it is in the query
 * @property {number} end
 */

const FILTER = new RegExp(
  [
    '(?<not>(?<!\\S)-(?:"[^"]+"|(?!\\p{Lu}|(?:path|kind|lang|tag):)(?:\\p{L}{3}|[^\\P{L}A-Za-z])[^\\s"]*))',
    '"(?<phrase>[^"]*)"?',
    "\\[\\[(?<title>[^\\[\\]|#]+)(?:[|#][^\\[\\]]*)?\\]\\]",
    '(?<!\\S)(?<minus>-?)(?:#(?<tag>\\p{L}[\\p{L}\\p{N}_/-]*)(?=[.,;:!?…]*(?!\\S))',
    '(?<field>time|path|kind|lang|tag):(?:"(?<quoted>[^"]+)"|(?<value>[^\\s"]+)))',
  ].join("|"),
  "gu",
);
const PLAIN_TAG = /^\p{L}[\p{L}\p{N}_/-]*$/u;

/**
 * @param {string} query
 * @returns {QueryFilter[]}
 */
export function parseFilters(query) {
  return [...query.matchAll(FILTER)].flatMap((match) => {
    const { not, minus, phrase, title, tag, field, quoted, value } = match.groups ?? {};
    const start = match.index;
    const at = { start, end: start + match[0].length };
    if (not || minus) return [{ kind: /** @type {FilterKind} */ ("not"), value: match[0].slice(1), ...at }];
    if (title) return [{ kind: /** @type {FilterKind} */ ("title"), value: title.trim(), ...at }];
    if (tag) return [{ kind: /** @type {FilterKind} */ ("tags"), value: tag, ...at }];
    if (field) return [{ kind: /** @type {FilterKind} */ (field === "tag" ? "tags" : field), value: quoted ?? value ?? "", ...at }];
    return phrase?.trim() ? [{ kind: /** @type {FilterKind} */ ("phrase"), value: phrase, ...at }] : [];
  });
}

/**
 * Remove a part of a query, and the blanks that it leaves.
 *
 * @param {string} query
 * @param {{start: number, end: number}} part
 */
export function removePart(query, { start, end }) {
  return `${query.slice(0, start).trimEnd()} ${query.slice(end).trimStart()}`.trim();
}

/** Return the words of a query that are in no filter of pages. @param {string} query */
export function removeFilters(query) {
  const filters = parseFilters(query).filter(({ kind }) => kind !== "phrase" && kind !== "not");
  return filters.reduceRight(removePart, query);
}

/**
 * Return the name of a folder of the content: the titles of the folders at its address, and names of folders where there is no title.
 *
 * @param {string} path  "docs/Getting Started"
 * @param {(url: string) => string[]} trail  the titles of the folders above a page
 */
export function folderName(path, trail) {
  const slugs = path.split("/").map((name) => name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}+]+/gu, "-").replace(/^-|-$/g, ""));
  /** @type {string[]} */
  let names = [];
  let depth = 0; // folders with a title, so far
  for (const [at, name] of path.split("/").entries()) {
    const titles = trail(`${slugs.slice(0, at + 1).join("/")}/-`);
    // A folder that contains all others has no title: the path begins below it.
    if (titles.length > depth) names = depth ? [...names, titles.at(-1) ?? name] : titles;
    else names.push(name);
    depth = titles.length;
  }
  return names.join(" › ");
}

/**
 * Return how a filter is written; empty if it cannot be.
 *
 * @param {"tags" | "kind" | "folder" | "lang"} facet
 * @param {string} value
 */
export function formatFilter(facet, value) {
  if (value.includes('"')) return "";
  if (facet === "tags" && PLAIN_TAG.test(value)) return `#${value}`;
  const field = { tags: "tag", kind: "kind", folder: "path", lang: "lang" }[facet];
  return /\s/.test(value) || facet === "tags" ? `${field}:"${value}"` : `${field}:${value}`;
}
