/** Orama with its English stemmer and titles first. Of the stored documents only titles and addresses are kept, as for the others. */
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
  const { hits } = await find(index, { term: query, limit, boost: BOOST });
  return hits.map(({ document }) => document);
}
