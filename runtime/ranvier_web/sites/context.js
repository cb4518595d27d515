/** Passages of several sites as context for a language model, in the form of the core's `present/retrieve.py`. */

/** @import { RetrieveOptions } from "../options.js" */
/** @import { RetrievedChunk } from "../protocol.js" */

const DEFAULT_TOP_K = 8;
const DEFAULT_MAX_CHARS = 4000;
/** @type {Record<string, string>} */
const MATCH_LABELS = { title: "a title named in the query", tag: "a tag named in the query", time: "the days named in the query" };

/**
 * Return the chunks that fit, with new numbers. `maxChars` is a hard bound on the sum of the contents.
 *
 * @param {RetrievedChunk[]} chunks  in order
 * @param {RetrieveOptions} options
 */
export function limitChunks(chunks, { topK = DEFAULT_TOP_K, maxChars = DEFAULT_MAX_CHARS }) {
  /** @type {RetrievedChunk[]} */
  const selected = [];
  let remaining = maxChars;
  for (const chunk of chunks) {
    const length = [...chunk.content].length; // code points, as in Python
    const hasRoom = chunk.isFilterResult || selected.filter(({ isFilterResult }) => !isFilterResult).length < topK;
    if (length > remaining || !hasRoom) continue;
    selected.push({ ...chunk, citation: selected.length + 1 });
    remaining -= length;
  }
  return selected;
}

/**
 * Write chunks as Markdown: `## Neuron 1 — Title`, breadcrumb, text.
 *
 * @param {RetrievedChunk[]} chunks
 */
export function formatContext(chunks) {
  const isMixed = new Set(chunks.map(({ isFilterResult }) => isFilterResult)).size > 1;
  const parts = chunks.flatMap(({ citation, content, headerBreadcrumb, isFilterResult, matchType, title }, at) => {
    const isNext = isMixed && isFilterResult !== chunks[at - 1]?.isFilterResult;
    const group = isNext ? [isFilterResult ? "# Named by the query\n" : "# Found by the query\n"] : [];
    const note = isFilterResult ? `\n\n*Matched: ${MATCH_LABELS[matchType] ?? "a filter of the query"}*` : "";
    return [...group, `## Neuron ${citation} — ${title}\n\n*${headerBreadcrumb}*${note}\n\n${content}\n`];
  });
  return parts.join("\n");
}
