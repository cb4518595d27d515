/** @import { Question } from "./options.js" */

/**
 * What passes between a page and the worker. Types only: no page ever fetches this file.
 *
 * @typedef {object} Progress  in bytes
 * @property {"engine" | "index" | "files"} stage
 * @property {number} loaded      of the files, unpacked, how much has arrived
 * @property {number} total       size of all files, unpacked; 0 where that is not known
 * @property {number} [received]  how much has arrived as the host sends it: less than `loaded` where it compresses
 * @property {number} [expected]  size of all files as the host sends them; 0 where that is not known (yet)
 *
 * @typedef {{title: string, titleHighlight: string, url: string, anchor: string, breadcrumb: string, snippet: string,
 *   score: number}} SubResult
 *
 * @typedef {object} LegRank  where one leg had a hit
 * @property {string} leg
 * @property {number} rank  1 is the best
 * @property {number} raw   its own score: bm25, cosine or a count; higher is better
 * @property {number} rrf   what reciprocal rank fusion made of it
 *
 * @typedef {object} Step  what one stage did to a hit
 * @property {string} stage
 * @property {string} effect  "+1", "×0.9", "=0.5": added, multiplied, set
 * @property {number} score   after it
 * @property {string} why
 *
 * @typedef {object} Explanation  why a hit stands where it stands
 * @property {LegRank[]} legs
 * @property {number} k  of reciprocal rank fusion; 0 where nothing was fused so
 * @property {number} baseScore
 * @property {Step[]} steps
 * @property {number} finalScore
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
 * @property {string} modality     text, image, audio or pdf
 * @property {string[]} tags
 * @property {string} lang         BCP 47
 * @property {string} updated      a date, or empty
 * @property {string} field        where the words were found best: title, heading, tags, body or note
 * @property {string} highlight    that field, marked
 * @property {string} snippet      some 32 words of the best chunk, marked
 * @property {string} breadcrumb   "Title > Heading > Heading"
 * @property {string} anchor       of the best chunk; may be empty
 * @property {number} score        higher is better; comparable within one answer
 * @property {number} rank         1 is the best
 * @property {number} confidence   0 to 1
 * @property {"high" | "medium" | "low" | "noise"} level  what the confidence comes to
 * @property {string[]} matchedIn  the legs that found it
 * @property {"all" | "some" | "none"} coverage  which words of the query it has; "none": it is only near in meaning
 * @property {SubResult[]} subResults
 * @property {boolean} isFilterResult  a filter names it: it is here whatever its score
 * @property {string} matchType    title, tag, time or filter, where a filter names it; else empty
 * @property {Explanation} [explain]  where it was asked for
 *
 * @typedef {object} Notice  what the reader should know about how the query was understood
 * @property {string} code
 * @property {string} text  in English
 * @property {string} subject  what it is about: the words that were searched for instead, a filter; may be empty
 *
 * @typedef {{value: string, count: number}} FacetCount
 *
 * @typedef {object} SearchResult
 * @property {Hit[]} hits
 * @property {number} totalHits
 * @property {number | null} nextOffset  `offset` of the next page
 * @property {boolean} truncated         a leg stopped at its limit: more may match
 * @property {string} strategy           what answered: bm25, vector, rag or filter
 * @property {string} intent             keyword or semantic
 * @property {{totalMs: number}} timing
 * @property {Notice[]} notices
 * @property {Record<string, FacetCount[]>} [facets]  of each kind that was asked for its values, most first
 * @property {boolean} [unsettled]       words alone answered because of `typing`: without it meaning would be searched for too
 *
 * @typedef {object} RetrievedChunk
 * @property {string} documentId
 * @property {string} seqId
 * @property {string} title
 * @property {string} neuronPath
 * @property {string} url
 * @property {string} anchor
 * @property {string} content
 * @property {string} headerBreadcrumb
 * @property {number} rank             its score: higher is better
 * @property {number} citation         its number in the context, from 1
 * @property {boolean} isFilterResult
 * @property {string} matchType
 *
 * @typedef {{hitCount: number, totalChars: number, formattedContext: string, chunks: RetrievedChunk[],
 *   timing: {totalMs: number}, notices: Notice[]}} RetrieveResult
 *
 * @typedef {{id: string, title: string, url: string, path: string}} Backlink  a page that links to another
 *
 * @typedef {object} Suggestion  a page, or a place in one, that may be meant; `ranvier.suggest` has the same
 * @property {"title" | "alias" | "heading" | "tag"} kind  what begins so
 * @property {string[]} text   that, in pieces, of which every second one matched: ["", "Inst", "all Hugo"]; plain text
 * @property {string} title    of its page
 * @property {string} url      relative to the site's root
 * @property {string} anchor   may be empty
 *
 * @typedef {object} InstantHit  a page whose text has words of the query, and its best place, from the lists of words
 * @property {"text"} kind
 * @property {string[]} text   the title, in pieces, of which every second one was typed; plain text
 * @property {string} title
 * @property {string} heading  of the section; empty where the page as a whole matches best
 * @property {string} url      relative to the site's root
 * @property {string} anchor   may be empty
 *
 * @typedef {[name: string, bytes: number, integrity: string]} Sealed  a file's name, its size, and "sha256-" with its digest in base64
 *
 * @typedef {object} Entry  `_ranvier/entry.json`
 * @property {number} format
 * @property {string} version
 * @property {string} api
 * @property {string} engine
 * @property {Record<string, [bytes: number, integrity: string]>} engineFiles  all of them
 * @property {Sealed | null} snapshot  of the engine's memory with the core in it, as the difference from a fresh one
 * @property {string} core
 * @property {string | null} langs     what the site's languages need beyond English
 * @property {string | null} titles    where suggestions begin
 * @property {string | null} [lists]   where full-text hits before the engine begin
 * @property {string} manifest
 * @property {string} hot
 * @property {string[]} [vectors]     what every search by meaning begins with; empty where the site has none
 * @property {string} files           the list of all files of the search
 * @property {string} build           another one wherever a file of the search or of the site's pages is another one
 * @property {string | null} offline  the service worker, relative to the base; null: the site has none
 *
 * @typedef {{kind: "boot", base: string, entry: Entry, frugal: boolean, library: boolean, whole?: boolean, timeout: number}
 *   | {kind: "ask", id: number, what: Question, request: string}
 *   | {kind: "drop", id: number} | {kind: "ping"} | {kind: "leave", close: boolean, returns: boolean}} ToWorker
 *
 * @typedef {{code: string, message: string}} Failure
 *
 * @typedef {{kind: "progress", progress: Progress} | {kind: "ready", way: "snapshot" | "library"}
 *   | {kind: "failed", error: Failure} | {kind: "pong"}
 *   | {kind: "answer", id: number, result: any, used: string[]} | {kind: "refused", id: number, error: Failure}} FromWorker
 */

export {};
