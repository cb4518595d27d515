/**
 * What passes between a page and the worker. Types only: no page ever fetches this file.
 *
 * @typedef {{stage: "engine" | "index" | "ready", loaded: number, total: number}} Progress  bytes
 *
 * @typedef {{title: string, titleHighlight: string, url: string, anchor: string, breadcrumb: string, snippet: string,
 *   score: number}} SubResult
 *
 * @typedef {object} Hit
 * `titleHighlight`, `highlight` and `snippet` are escaped text; `<mark>` is the only tag in them.
 * @property {string} id
 * @property {string} seqId
 * @property {string} slug
 * @property {string} title
 * @property {string} titleHighlight
 * @property {string} url          relative to the site's root
 * @property {string} path         of the Markdown file
 * @property {string} kind
 * @property {string} modality  text, image, audio or pdf
 * @property {string[]} tags
 * @property {string} field        where the words were found best: title, heading, tags or body
 * @property {string} highlight    that field, marked
 * @property {string} snippet      some 32 words of the best chunk, marked
 * @property {string} breadcrumb   "Title > Heading > Heading"
 * @property {string} anchor       of the best chunk; may be empty
 * @property {number} score        higher is better; comparable within one answer
 * @property {number} rank         1 is the best
 * @property {string[]} matchedIn  the legs that found it
 * @property {"all" | "some"} coverage  "all": the query as it stands matches in the best chunk
 * @property {SubResult[]} subResults
 *
 * @typedef {{code: string, text: string}} Notice
 *
 * @typedef {{hits: Hit[], totalHits: number, nextOffset: number | null, truncated: boolean, strategy: string,
 *   timing: {totalMs: number}, notices: Notice[]}} SearchResult
 *
 * @typedef {{documentId: string, seqId: string, title: string, neuronPath: string, url: string, anchor: string,
 *   content: string, headerBreadcrumb: string, rank: number}} RetrievedChunk
 *
 * @typedef {{hitCount: number, totalChars: number, formattedContext: string, chunks: RetrievedChunk[],
 *   timing: {totalMs: number}, notices: Notice[]}} RetrieveResult
 *
 * @typedef {object} Entry  `_ranvier/entry.json`
 * @property {number} format
 * @property {string} version
 * @property {string} api
 * @property {string} engine
 * @property {Record<string, number>} engineFiles  the engine's large files, which `fetch` brings, and their sizes unpacked
 * @property {string} core
 * @property {string} manifest
 * @property {string} hot
 *
 * @typedef {{kind: "boot", base: string} | {kind: "ask", id: number, what: "search" | "retrieve", request: string}
 *   | {kind: "drop", id: number}} ToWorker
 *
 * @typedef {{code: string, message: string}} Failure
 *
 * @typedef {{kind: "progress", progress: Progress} | {kind: "ready"} | {kind: "failed", error: Failure}
 *   | {kind: "answer", id: number, result: any} | {kind: "refused", id: number, error: Failure}} FromWorker
 */

export {};
