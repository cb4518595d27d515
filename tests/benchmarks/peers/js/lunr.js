/**
 * lunr with its own pipeline (English stemmer and stop words). Pages with all words come first. As its guide advises, whole words
 * count most, then words with the last one as a prefix. It stores no fields, so titles and addresses are stored beside the index.
 */
import lunr from "lunr";

const { REQUIRED, OPTIONAL } = lunr.Query.presence;
const BOOSTS = { title: 10, headings: 3, text: 1 };

export function build(pages) {
  const index = lunr(function () {
    this.ref("id");
    for (const [name, boost] of Object.entries(BOOSTS)) this.field(name, { boost });
    for (const page of pages) this.add(page);
  });
  return { index, rows: pages.map(({ title, url }) => ({ title, url })) };
}

export const save = (saved) => JSON.stringify(saved);

export function load(text) {
  const { index, rows } = JSON.parse(text);
  return { index: lunr.Index.load(index), rows };
}

export function search({ index, rows }, query, limit) {
  const words = lunr.tokenizer(query).map(String);
  const refs = [REQUIRED, OPTIONAL].flatMap((presence) => matches(index, words, presence)).map(({ ref }) => ref);
  return [...new Set(refs)].slice(0, limit).map((ref) => rows[ref]);
}

function matches(index, words, presence) {
  return index.query((request) => {
    for (const word of words) request.term(word, { boost: 100, presence });
    const last = words.at(-1);
    if (last && presence === OPTIONAL) {
      request.term(last, { boost: 10, usePipeline: false, wildcard: lunr.Query.wildcard.TRAILING });
    }
  });
}
