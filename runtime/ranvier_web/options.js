/** The requests and their options. `ranvier.requests` is the Python counterpart; a test compares the two. */

import { RanvierError } from "./errors.js";

/** @import { InstantHit, Backlink, Progress, RetrieveResult, SearchResult, SiteFolders, SitesResult, Suggestion } from "./protocol.js" */

/**
 * @typedef {object} FilterOptions  filters; of several values of one option, any may match
 * @property {string} [ancestor]              id, path, slug or title of a page: the page and all its descendants
 * @property {string} [item]                  a single page
 * @property {string | string[]} [tags]       a tag includes its subtags: `project` includes `project/alpha`
 * @property {string | string[]} [role]
 * @property {string | string[]} [kind]
 * @property {string | string[]} [modality]   text, image, audio or pdf
 * @property {string | string[]} [lang]       `pt` includes `pt-BR`
 * @property {string | string[]} [path]       a folder or a file; `*` is a wildcard
 * @property {string | string[]} [titles]     titles, aliases or file names
 * @property {string} [time]                  `FROM..TO`: days as YYYY-MM-DD, inclusive; one of the two may be missing
 *
 * @typedef {object} RequestOptions  how to search
 * @property {"default" | "wiki" | "desktop" | "brain" | "tasks" | "vault"} [preset]
 * @property {"auto" | "rag" | "bm25" | "vector"} [strategy]
 * @property {string} [pageLang]              language of the current page, used as the language of the query
 * @property {boolean} [exact]                exact words only: no spelling correction, no query expansion
 * @property {AbortSignal} [signal]           cancels the request, which is rejected with the code "stale"
 *
 * @typedef {object} SearchOnlyOptions
 * @property {number} [limit]                 maximum number of hits, 1 to 100; default: the preset's value, 30
 * @property {number} [offset]                number of hits to skip; default 0
 * @property {boolean} [prefix]               the last word may be incomplete and matches as a prefix
 * @property {boolean} [typing]               the reader is still typing: a fast keyword answer, without the slower semantic search
 * @property {"auto" | "substring" | "text"} [match]
 * @property {"relevance" | "title" | "path" | "created" | "updated"} [sort]  dates: newest first
 * @property {Facet | Facet[]} [facets]       values to count over all matches
 * @property {number} [candidates]            maximum number of rows of each leg, 10 to 1000; default: the preset's value, 200
 * @property {number} [minConfidence]         0 to 1: hits with a lower confidence are omitted
 * @property {boolean} [returnAll]            all matches; an empty query lists all pages
 * @property {boolean} [explain]              add to each hit an explanation of its rank
 *
 * @typedef {"tags" | "kind" | "folder" | "lang" | "modality" | "role"} Facet
 * @typedef {FilterOptions & RequestOptions & SearchOnlyOptions} SearchOptions
 *
 * @typedef {object} RetrieveOnlyOptions
 * @property {number} [topK]                  maximum number of chunks; default 8
 * @property {number} [maxChars]              maximum total length of their contents; default 4000
 *
 * @typedef {FilterOptions & RequestOptions & RetrieveOnlyOptions} RetrieveOptions
 *
 * @typedef {object} OpenOptions
 * @property {"now" | "on-demand"} [start]  when the engine starts: immediately, or with the first request that needs it
 * @property {(progress: Progress) => void} [onProgress]
 * @property {boolean} [frugal]    save bytes rather than time; default: depends on the connection
 * @property {number} [timeout]   ms without data after which a download is cancelled; default 20,000
 * @property {boolean} [shared]    one worker for all pages of the site, if the browser supports it; default true
 *
 * @typedef {object} SuggestOptions
 * @property {number} [limit]      default: 8 for `suggest`, 10 for `instant`
 * @property {string} [pageLang]   language of the current page; default: of the document
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} PreloadOptions
 * @property {boolean} [all]       all files of the site's search, for offline use; otherwise only the engine
 * @property {(progress: Progress) => void} [onProgress]
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} UnlockOptions
 * @property {boolean} [keep]      keep the key in the tab's session storage until the tab is closed; default false: in memory only
 * @property {string} [file]       hidden name of the file with the wrapped keys; default: the entry file names it
 *
 * @typedef {object} UnlockedLayer
 * @property {string} audience     whose pages are searched
 * @property {(url: string) => string} audienceOf  of a page, by its address relative to the site's root; "" if it is public
 * @property {(path: string) => Promise<Uint8Array>} file  a file of the audience's site, decrypted
 * @property {(path: string) => boolean} has       whether the layer itself has a file
 * @property {(path: string) => boolean} isPublic  whether the public site has a file of this path
 *
 * @typedef {object} Status
 * @property {string} state        idle, starting, ready, failed or closed
 * @property {string} version      the Ranvier version that built the site; empty until it is known
 * @property {boolean} shared      whether other pages may use the same worker
 * @property {string} locked       the file of the wrapped keys; empty if it is unknown, or there is none
 * @property {string} audience     whose pages are searched: "public", or that of the open layer
 *
 * @typedef {object} Engine
 * @property {Promise<void>} ready  starts the engine if it is not started yet; rejected if it cannot start, and the next
 *   request tries again
 * @property {(query: string, options?: SearchOptions) => Promise<SearchResult>} search
 * @property {(query: string, options?: RetrieveOptions) => Promise<RetrieveResult>} retrieve
 * @property {(item: string, options?: {signal?: AbortSignal}) => Promise<Backlink[]>} backlinks
 *   the pages that link to a page (an id, path, slug or title), sorted by title
 * @property {(query: string, options?: SuggestOptions) => Promise<Suggestion[]>} suggest
 *   titles, aliases, headings and tags that match the query as a prefix; works without the engine, and does not start it
 * @property {(query: string, options?: SuggestOptions) => Promise<InstantHit[]>} instant
 *   pages whose text contains words of the query, best first; works without the engine, and does not start it
 * @property {() => Promise<SiteFolders>} folders
 *   the titles of the site's folders; works without the engine, and does not start it
 * @property {(options?: PreloadOptions) => Promise<void>} preload
 * @property {(passphrase: string | null, options?: UnlockOptions) => Promise<UnlockedLayer>} unlock
 *   search an encrypted layer of the site in place of the public pages; null: with the key that this tab keeps
 * @property {() => void} lock     search the public pages again, and forget the keys
 * @property {() => Status} status
 * @property {() => void} close
 *
 * @typedef {Omit<Engine, "search" | "unlock" | "lock"> & {search: (query: string, options?: SearchOptions) => Promise<SitesResult>}} SitesEngine
 *   several sites as one. Addresses are absolute, ids have the number of the site in front (`1:guide/install`), and scores include
 *   the weight of the site
 *
 * @typedef {object} SiteToOpen  one of several sites
 * @property {string | URL} base   the address of its `_ranvier/` folder
 * @property {number} [weight]     a factor of its scores; default 1
 * @property {string} [title]      default: the title in its entry file
 *
 * @typedef {"search" | "retrieve" | "backlinks"} Method
 */

/** Options that have another name in Python. A test compares them with the core. */
export const RENAMED_OPTIONS = ["pageLang", "minConfidence", "returnAll", "topK", "maxChars"];

/** Fields that the core accepts only from Python: a page must not set the caller. */
const PYTHON_ONLY = ["caller", "scope", "query"];

const pythonName = (/** @type {string} */ name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Build a request for the core. An unknown option is passed on: the core rejects it and suggests a similar name.
 *
 * @param {Method} method
 * @param {string} query
 * @param {Record<string, unknown>} options  `null` and `undefined` mean the core's default
 * @returns {Record<string, unknown>}
 * @throws {RanvierError} an option that the core accepts, but not from JavaScript
 */
export function buildRequest(method, query, options) {
  const fields = Object.entries(options)
    .filter(([, value]) => value != null)
    .map(([name, value]) => {
      if (method === "backlinks" || name.includes("_") || PYTHON_ONLY.includes(name))
        throw new RanvierError({ code: "request", message: `${method} has no option '${name}'` });
      return [RENAMED_OPTIONS.includes(name) ? pythonName(name) : name, value];
    });
  return { ...Object.fromEntries(fields), query };
}

/**
 * Convert an error message to JavaScript names: `min_confidence must be …` → `minConfidence must be …`.
 *
 * @param {unknown} error
 */
export function withScriptNames(error) {
  const { code, message: text } = /** @type {any} */ (error) ?? {}; // perhaps of another copy of the class
  if (code !== "request" || typeof text !== "string") return error;
  const message = RENAMED_OPTIONS.reduce((names, name) => names.replaceAll(pythonName(name), name), text.replace(" caller,", ""));
  return new RanvierError({ code, message });
}
