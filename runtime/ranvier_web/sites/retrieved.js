/** Passages of several sites as context for a language model, in the form of the core's `present/retrieve.py`. */

/** @import { RetrieveOptions } from "../options.js" */
/** @import { RetrievedChunk } from "../protocol.js" */

const TOP_K = 8;
const CHARACTERS = 4000;
/** @type {Record<string, string>} */
const KINDS = { title: "a title named in the query", tag: "a tag named in the query", time: "the days named in the query" };

/**
 * Return the chunks that fit, with new numbers. `maxChars` is a hard bound on the sum of the contents.
 *
 * @param {RetrievedChunk[]} chunks  in order
 * @param {RetrieveOptions} options
 * @returns {RetrievedChunk[]}
 */
export function within(chunks, { topK = TOP_K, maxChars = CHARACTERS }) {
  /** @type {RetrievedChunk[]} */
  const out = [];
  let remaining = maxChars;
  for (const chunk of chunks) {
    const length = [...chunk.content].length; // code points, as in Python
    const hasRoom = chunk.isFilterResult || out.filter(({ isFilterResult }) => !isFilterResult).length < topK;
    if (length > remaining || !hasRoom) continue;
    out.push({ ...chunk, citation: out.length + 1 });
    remaining -= length;
  }
  return out;
}

/**
 * Write chunks as Markdown: `## Neuron 1 — Title`, breadcrumb, text.
 *
 * @param {RetrievedChunk[]} chunks
 */
export function contextOf(chunks) {
  const isMixed = new Set(chunks.map(({ isFilterResult }) => isFilterResult)).size > 1;
  const parts = chunks.flatMap(({ citation, content, headerBreadcrumb, isFilterResult, matchType, title }, at) => {
    const isNext = isMixed && isFilterResult !== chunks[at - 1]?.isFilterResult;
    const group = isNext ? [isFilterResult ? "# Named by the query\n" : "# Found by the query\n"] : [];
    const matched = isFilterResult ? `\n\n*Matched: ${KINDS[matchType] ?? "a filter of the query"}*` : "";
    return [...group, `## Neuron ${citation} — ${title}\n\n*${headerBreadcrumb}*${matched}\n\n${content}\n`];
  });
  return parts.join("\n");
}
