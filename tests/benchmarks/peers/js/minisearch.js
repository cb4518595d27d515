/** MiniSearch with the settings of its manual's example: prefixes of words, one wrong letter in five, titles first. No stemming. */
import MiniSearch from "minisearch";

const FIELDS = { fields: ["title", "headings", "text"], storeFields: ["title", "url"] };
const SEARCH = { prefix: true, fuzzy: 0.2, boost: { title: 4, headings: 2 } };

export function build(pages) {
  const index = new MiniSearch(FIELDS);
  index.addAll(pages);
  return index;
}

export const save = (index) => JSON.stringify(index);
export const load = (text) => MiniSearch.loadJSON(text, FIELDS);
export const search = (index, query, limit) => index.search(query, SEARCH).slice(0, limit);
