/** @import { Method } from "./options.js" */

/**
 * The messages between a page and the worker. Types only: pages never fetch this file.
 *
 * @typedef {object} Progress  in bytes
 * @property {"engine" | "index" | "files"} stage
 * @property {number} loaded      received bytes of the files, unpacked
 * @property {number} total       size of all files, unpacked; 0 if unknown
 * @property {number} [received]  received bytes as the host sends them: less than `loaded` if it compresses
 * @property {number} [expected]  size of all files as the host sends them; 0 if unknown
 *
 * @typedef {{title: string, titleHighlight: string, url: string, anchor: string, breadcrumb: string, snippet: string,
 *   snippetKind: "prose" | "code" | "table", score: number}} SubResult
 *
 * @typedef {object} LegRank  the rank of a hit in one leg
 * @property {string} leg
 * @property {number} rank  1 is the best
 * @property {number} raw   the leg's own score: bm25, cosine or a count; higher is better
 * @property {number} rrf   the contribution to reciprocal rank fusion
 *
 * @typedef {object} Step  the effect of one stage on a hit
 * @property {string} stage
 * @property {string} effect  "+1", "×0.9", "=0.5": added, multiplied, set
 * @property {number} score   after this stage
 * @property {string} reason
 *
 * @typedef {object} Explanation  the reasons for the rank of a hit
 * @property {LegRank[]} legs
 * @property {number} k  of reciprocal rank fusion; 0 if it was not used
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
 * @property {"title" | "alias" | "heading" | "tags" | "body" | "note"} field  the field with the best match
 * @property {string} highlight    this field, with marks
 * @property {string} snippet      about 32 words of the best chunk, with marks
 * @property {"prose" | "code" | "table"} snippetKind  a snippet of code or of a table keeps its lines
 * @property {string} breadcrumb   "Title > Heading > Heading"
 * @property {string} anchor       of the best chunk; may be empty
 * @property {number} score        higher is better; comparable only within one answer
 * @property {number} rank         1 is the best
 * @property {number} confidence   0 to 1
 * @property {"high" | "medium" | "low" | "noise"} level  the level of the confidence
 * @property {string[]} matchedIn  the legs that matched
 * @property {"all" | "some" | "none"} coverage  how many query words the hit contains; "none": similar in meaning only
 * @property {SubResult[]} subResults
 * @property {boolean} isFilterResult  a filter names this hit: it is included regardless of its score
 * @property {"" | "title" | "tag" | "time" | "filter"} matchType  the kind of filter that names this hit
 * @property {Explanation} [explain]  if requested
 * @property {string} [audience]   while a layer is open: the audience of a page that is not public, otherwise empty
 *
 * @typedef {object} Notice  information for the reader about the interpretation of the query
 * @property {string} code
 * @property {string} text  in English
 * @property {string} subject  what the notice is about: the corrected query, a filter; may be empty
 *
 * @typedef {{value: string, count: number}} FacetCount
 *
 * @typedef {object} SearchResult
 * @property {Hit[]} hits
 * @property {number} totalHits
 * @property {number | null} nextOffset  `offset` of the next page
 * @property {boolean} truncated         a leg reached its limit: there may be more matches
 * @property {"bm25" | "vector" | "rag" | "filter"} strategy  what answered; "filter" for a list
 * @property {"keyword" | "semantic"} intent  of the query
 * @property {{totalMs: number}} timing
 * @property {Notice[]} notices
 * @property {Record<string, FacetCount[]>} [facets]  for each requested facet its values, most frequent first
 * @property {boolean} [unsettled]       keyword results only, because of `typing`; without it there would be a semantic search too
 *
 * @typedef {Hit & {site: {title: string, root: string}}} SiteHit  a hit of one of several sites; `root` is an address
 *
 * @typedef {Notice & {site?: string}} SiteNotice  with the title of the site, if it does not hold for all sites
 *
 * @typedef {Omit<SearchResult, "hits" | "notices"> & {hits: SiteHit[], notices: SiteNotice[]}} SitesResult
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
 * @property {number} rank             the score: higher is better
 * @property {number} citation         the citation number in the context, from 1
 * @property {boolean} isFilterResult
 * @property {"" | "title" | "tag" | "time" | "filter"} matchType
 *
 * @typedef {{hitCount: number, totalChars: number, formattedContext: string, chunks: RetrievedChunk[],
 *   timing: {totalMs: number}, notices: Notice[]}} RetrieveResult
 *
 * @typedef {{id: string, title: string, url: string, path: string}} Backlink  a page that links to another
 *
 * @typedef {object} Suggestion  a suggested page or section; `ranvier.suggest` returns the same
 * @property {"title" | "alias" | "heading" | "tag"} kind  what matched
 * @property {string[]} text   the matched name in pieces; every second piece matched: ["", "Inst", "all Hugo"]; plain text
 * @property {string} title    of the page
 * @property {string} url      relative to the site's root
 * @property {string} anchor   may be empty
 *
 * @typedef {object} InstantHit  a page whose text contains words of the query, and its best section, from the word lists
 * @property {"text"} kind
 * @property {string[]} text   the title in pieces; every second piece matched; plain text
 * @property {string} title
 * @property {string} heading  of the section; empty if the page as a whole matches best
 * @property {number} score    higher is better
 * @property {string} url      relative to the site's root
 * @property {string} anchor   may be empty
 *
 * @typedef {object} SiteFolders
 * @property {(url: string) => string[]} trail   the titles of the folders above a page, from the site's root
 * @property {{title: string, url: string}[]} top  the folders with a page that are at the top of the site, or below folders without a page
 *
 * @typedef {object} Entry  `_ranvier/entry.json`
 * @property {number} format
 * @property {string} version
 * @property {{title: string, lang: string}} [site]
 * @property {string} api
 * @property {string} engine
 * @property {Record<string, [bytes: number, integrity: string]>} engineFiles  all files of the engine
 * @property {string} core
 * @property {string | null} langs     data for the site's languages other than English
 * @property {string | null} titles    root file of the suggestions
 * @property {string | null} [lists]   root file of the word lists, for full-text hits without the engine
 * @property {string | null} [folders] titles of the folders
 * @property {string} manifest
 * @property {string} hot
 * @property {Record<string, string>} [translations]  folder of each language in addresses, if pages have translations
 * @property {string[]} [vectors]     files that every semantic search reads first; empty if the site has no vectors
 * @property {string} files           the list of what belongs to the build
 * @property {string} sizes           the sizes of all search files, by name
 * @property {string} build           changes whenever a file of the search or of the site's pages changes
 * @property {string} [locked]        the file of the wrapped keys, if the site has encrypted layers
 * @property {string | null} offline  the service worker, relative to the base; null if the site has none
 *
 * @typedef {object} Layer  an encrypted layer that is open; the keys cannot be exported
 * @property {string} id
 * @property {CryptoKey} names     for the names of files
 * @property {CryptoKey} contents  for their contents
 * @property {Record<string, [size: number, mark: string]>} files  by path: the size of the encrypted file, the start of its nonce
 * @property {string} mark         the start of the directory's nonce: another build has another one
 *
 * @typedef {object} StartOptions
 * @property {string} base      absolute, with its slash at the end
 * @property {Entry} entry
 * @property {boolean} frugal   save bytes rather than time: no prefetching
 * @property {number} timeout  ms without data after which a download is cancelled
 * @property {Layer} [layer]  read this encrypted layer
 *
 * @typedef {({kind: "boot"} & StartOptions)
 *   | {kind: "request", id: number, method: Method, request: string}
 *   | {kind: "cancel", id: number} | {kind: "ping"} | {kind: "disconnect", close: boolean, returns: boolean}} ToWorker
 *
 * @typedef {{code: string, message: string}} Failure
 *
 * @typedef {{kind: "progress", progress: Progress} | {kind: "ready"}
 *   | {kind: "failed", error: Failure} | {kind: "pong"}
 *   | {kind: "answer", id: number, result: any, used: string[]} | {kind: "error", id: number, error: Failure}} FromWorker
 */

export {};
