/**
 * FlexSearch with prefixes of words (`forward`), for a search while a reader types; pages without some of the words stay in the
 * list (`suggest`). It has a list for each field: the ranks of the fields are added up, titles first. No stemming.
 */
import { Document } from "flexsearch";

const WEIGHTS = { title: 4, headings: 2, text: 1 };

const empty = () =>
  new Document({
    tokenize: "forward",
    document: { id: "id", index: Object.keys(WEIGHTS), store: ["title", "url"] },
  });

export function build(pages) {
  const index = empty();
  for (const page of pages) index.add(page);
  return index;
}

export async function save(index) {
  const parts = {};
  await index.export((name, data) => {
    parts[name] = data;
  });
  return JSON.stringify(parts);
}

export async function load(text) {
  const index = empty();
  for (const [name, data] of Object.entries(JSON.parse(text))) await index.import(name, data);
  return index;
}

export function search(index, query, limit) {
  const scores = new Map();
  for (const { field, result } of index.search(query, { limit: Math.max(limit, 100), enrich: true, suggest: true })) {
    for (const [rank, { id, doc }] of result.entries()) {
      const row = scores.get(id) ?? { id, score: 0, ...doc };
      row.score += WEIGHTS[field] / (rank + 1);
      scores.set(id, row);
    }
  }
  return [...scores.values()].sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
}
