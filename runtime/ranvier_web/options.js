/** What can be asked, and with which options. `ranvier.requests` says the same in Python; a test holds the two together. */

import { RanvierError } from "./errors.js";

/** @import { InstantHit, Backlink, Progress, RetrieveResult, SearchResult, Suggestion } from "./protocol.js" */

/**
 * @typedef {object} Narrowing  where to look; of several values of one option any will do
 * @property {string} [ancestor]              id, path, slug or title of a page: it and all below it, at any depth
 * @property {string} [item]                  one page alone
 * @property {string | string[]} [tags]       a tag stands for all below it: `project` for `project/alpha`
 * @property {string | string[]} [role]
 * @property {string | string[]} [kind]
 * @property {string | string[]} [modality]   text, image, audio or pdf
 * @property {string | string[]} [lang]       `pt` stands for `pt-BR`
 * @property {string | string[]} [path]       a folder or a file; `*` stands for anything
 * @property {string | string[]} [titles]     titles, aliases or file names
 * @property {string} [time]                  `FROM..TO`: days as YYYY-MM-DD, both within; one of the two may be missing
 *
 * @typedef {object} Manner  how to look
 * @property {"default" | "wiki" | "desktop" | "brain" | "tasks" | "vault"} [preset]
 * @property {"auto" | "rag" | "bm25" | "vector"} [strategy]
 * @property {string} [pageLang]              language of the page that asks: the query is taken to be in it
 * @property {boolean} [exact]                the words as they are: no spelling is mended, nothing is expanded
 * @property {AbortSignal} [signal]           gives the question up; it is rejected with the code "stale"
 *
 * @typedef {object} Searching
 * @property {number} [limit]                 how many hits, 1 to 100; as the preset has it, 30
 * @property {number} [offset]                how many to pass over; 0
 * @property {boolean} [prefix]               the last word is still being typed
 * @property {boolean} [typing]               the reader goes on typing: words answer at once, what costs more waits for a pause
 * @property {"auto" | "substring" | "text"} [match]
 * @property {"relevance" | "title" | "path" | "created" | "updated"} [sort]  dates: the most recent first
 * @property {Facet | Facet[]} [facets]       what to count over everything that matches
 * @property {number} [candidates]            how many rows each leg hands on, 10 to 1000; as the preset has it, 200
 * @property {number} [minConfidence]         0 to 1: what is less sure is left out
 * @property {boolean} [returnAll]            as many as there may be; an empty query lists every page
 * @property {boolean} [explain]              say of each hit why it stands where it stands
 *
 * @typedef {"tags" | "kind" | "folder" | "lang" | "modality" | "role"} Facet
 * @typedef {Narrowing & Manner & Searching} SearchOptions
 *
 * @typedef {object} Retrieving
 * @property {number} [topK]                  how many chunks at the most; 8
 * @property {number} [maxChars]              bound on the sum of their contents; 4000
 *
 * @typedef {Narrowing & Manner & Retrieving} RetrieveOptions
 *
 * @typedef {object} OpenOptions
 * @property {"now" | "asked"} [start]  when the engine is started: at once, or with the first question that needs it
 * @property {(progress: Progress) => void} [onProgress]
 * @property {boolean} [frugal]    fewer bytes before less time; left out, the connection decides
 * @property {number} [timeout]   ms in which a file may send nothing before it is given up; 20,000
 * @property {boolean} [shared]    one worker for all pages of the site, where the browser has that; true
 *
 * @typedef {object} SuggestOptions
 * @property {number} [limit]      8
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} PreloadOptions
 * @property {boolean} [all]       every file of the site's search, for use without a network; else the engine alone
 * @property {(progress: Progress) => void} [onProgress]
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} Status
 * @property {string} state        idle, starting, ready, failed or closed
 * @property {string} version      of Ranvier, that the site was built with; empty as long as that is not known
 * @property {boolean} shared      whether other pages may have the same worker
 * @property {"snapshot" | "library" | null} way  how the engine was started
 *
 * @typedef {object} Engine
 * @property {Promise<void>} ready  starts the engine where nothing has yet; rejected where it cannot start, and the next
 *   question tries again
 * @property {(query: string, options?: SearchOptions) => Promise<SearchResult>} search
 * @property {(query: string, options?: RetrieveOptions) => Promise<RetrieveResult>} retrieve
 * @property {(item: string, options?: {signal?: AbortSignal}) => Promise<Backlink[]>} backlinks
 *   what links to a page, named by its id, path, slug or title; in the order of their titles
 * @property {(query: string, options?: SuggestOptions) => Promise<Suggestion[]>} suggest
 *   titles, aliases, headings and tags that begin so; answers before the engine is there, and does not start it
 * @property {(query: string, options?: SuggestOptions) => Promise<InstantHit[]>} instant
 *   pages whose texts have words of the query, best first; answers before the engine is there, and does not start it
 * @property {(options?: PreloadOptions) => Promise<void>} preload
 * @property {() => Status} status
 * @property {() => void} close
 *
 * @typedef {"search" | "retrieve" | "backlinks"} Question
 */

const NARROWING = ["ancestor", "item", "tags", "role", "kind", "modality", "lang", "path", "titles", "time"];
const MANNER = ["preset", "strategy", "pageLang", "exact"];
const SEARCHING = "limit offset prefix typing match sort facets candidates minConfidence returnAll explain".split(" ");
const RETRIEVING = ["topK", "maxChars"];

/**
 * The options of each question, but for `signal`, which is not the core's.
 *
 * @type {Readonly<Record<Question, readonly string[]>>}
 */
export const OPTIONS = Object.freeze({
  search: Object.freeze([...NARROWING, ...MANNER, ...SEARCHING]),
  retrieve: Object.freeze([...NARROWING, ...MANNER, ...RETRIEVING]),
  backlinks: Object.freeze([]),
});

const inPython = (/** @type {string} */ name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Names that differ in the two languages, by Python's. */
const RENAMED = new Map(
  [...MANNER, ...SEARCHING, ...RETRIEVING].filter((name) => name !== inPython(name)).map((name) => [inPython(name), name]),
);

/** What the core takes from Python alone: its own names, and who asks, which no page may say. */
const NOT_HERE = new Set([...RENAMED.keys(), "caller", "scope", "query"]);

/**
 * A question as the core takes it. An option that there is not goes along as it was written: the core refuses it, and says
 * which one may have been meant.
 *
 * @param {Question} what
 * @param {string} query
 * @param {Record<string, unknown>} options  `null` and `undefined` stand for what the core takes by itself
 * @returns {Record<string, unknown>}
 * @throws {RanvierError} an option that the core would take, but not from here
 */
export function request(what, query, options) {
  const fields = Object.entries(options)
    .filter(([, value]) => value != null)
    .map(([name, value]) => [nameOf(what, name), value]);
  return { ...Object.fromEntries(fields), query };
}

/**
 * @param {Question} what
 * @param {string} name
 */
function nameOf(what, name) {
  if (OPTIONS[what].includes(name)) return inPython(name);
  if ((what === "search" || what === "retrieve") && !NOT_HERE.has(name)) return name;
  throw new RanvierError({ code: "request", message: `${what} has no option '${name}'` });
}

/**
 * A failure in the names that scripts have: `min_confidence must be …` → `minConfidence must be …`.
 *
 * @param {unknown} error
 */
export function inScript(error) {
  const { code, message: text } = /** @type {any} */ (error) ?? {}; // of another copy of the class, where a site's own version answered
  if (code !== "request" || typeof text !== "string") return error;
  const message = text.replace(" caller,", "").replace(/\b[a-z]+_[a-z]+\b/g, (word) => RENAMED.get(word) ?? word);
  return new RanvierError({ code, message });
}
