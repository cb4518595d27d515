/**
 * Orama with its English stemmer and titles first; pages with all words (`threshold: 0`) before those with some. Of the stored
 * documents only titles and addresses remain, as for the other libraries. So `exact`, which reads the texts and their case, is not used.
 */
import { create, insertMultiple, load as restore, save as dump, search as find } from "@orama/orama";

const BOOST = { title: 4, headings: 2 };

const empty = () =>
  create({
    schema: { title: "string", headings: "string", text: "string" },
    components: { tokenizer: { language: "english", stemming: true } },
  });

export async function build(pages) {
  const index = empty();
  await insertMultiple(index, pages.map((page) => ({ ...page, id: String(page.id) })), 500);
  return index;
}

export function save(index) {
  const parts = dump(index);
  for (const [name, { id, title, url }] of Object.entries(parts.docs.docs)) parts.docs.docs[name] = { id, title, url };
  return JSON.stringify(parts);
}

export function load(text) {
  const index = empty();
  restore(index, JSON.parse(text));
  return index;
}

export async function search(index, query, limit) {
  const pages = new Map();
  for (const threshold of [0, 1]) {
    const { hits } = await find(index, { term: query, limit, boost: BOOST, threshold });
    for (const { id, document } of hits) if (!pages.has(id)) pages.set(id, document);
    if (pages.size >= limit) break;
  }
  return [...pages.values()].slice(0, limit);
}
