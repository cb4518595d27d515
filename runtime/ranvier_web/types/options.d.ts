/** What can be asked, and with which options. `ranvier.requests` says the same in Python; a test holds the two together. */
import type { InstantHit, Backlink, Progress, RetrieveResult, SearchResult, Suggestion } from "./protocol.js";
export type Narrowing = {
    /**
     * id, path, slug or title of a page: it and all below it, at any depth
     */
    ancestor?: string;
    /**
     * one page alone
     */
    item?: string;
    /**
     * a tag stands for all below it: `project` for `project/alpha`
     */
    tags?: string | string[];
    role?: string | string[];
    kind?: string | string[];
    /**
     * text, image, audio or pdf
     */
    modality?: string | string[];
    /**
     * `pt` stands for `pt-BR`
     */
    lang?: string | string[];
    /**
     * a folder or a file; `*` stands for anything
     */
    path?: string | string[];
    /**
     * titles, aliases or file names
     */
    titles?: string | string[];
    /**
     * `FROM..TO`: days as YYYY-MM-DD, both within; one of the two may be missing
     */
    time?: string;
};
export type Manner = {
    preset?: "default" | "wiki" | "desktop" | "brain" | "tasks" | "vault";
    strategy?: "auto" | "rag" | "bm25" | "vector";
    /**
     * language of the page that asks: the query is taken to be in it
     */
    pageLang?: string;
    /**
     * the words as they are: no spelling is mended, nothing is expanded
     */
    exact?: boolean;
    /**
     * gives the question up; it is rejected with the code "stale"
     */
    signal?: AbortSignal;
};
export type Searching = {
    /**
     * how many hits, 1 to 100; as the preset has it, 30
     */
    limit?: number;
    /**
     * how many to pass over; 0
     */
    offset?: number;
    /**
     * the last word is still being typed
     */
    prefix?: boolean;
    /**
     * the reader goes on typing: words answer at once, what costs more waits for a pause
     */
    typing?: boolean;
    match?: "auto" | "substring" | "text";
    /**
     * dates: the most recent first
     */
    sort?: "relevance" | "title" | "path" | "created" | "updated";
    /**
     * what to count over everything that matches
     */
    facets?: Facet | Facet[];
    /**
     * how many rows each leg hands on, 10 to 1000; as the preset has it, 200
     */
    candidates?: number;
    /**
     * 0 to 1: what is less sure is left out
     */
    minConfidence?: number;
    /**
     * as many as there may be; an empty query lists every page
     */
    returnAll?: boolean;
    /**
     * say of each hit why it stands where it stands
     */
    explain?: boolean;
};
export type Facet = "tags" | "kind" | "folder" | "lang" | "modality" | "role";
export type SearchOptions = Narrowing & Manner & Searching;
export type Retrieving = {
    /**
     * how many chunks at the most; 8
     */
    topK?: number;
    /**
     * bound on the sum of their contents; 4000
     */
    maxChars?: number;
};
export type RetrieveOptions = Narrowing & Manner & Retrieving;
export type OpenOptions = {
    /**
     * when the engine is started: at once, or with the first question that needs it
     */
    start?: "now" | "asked";
    onProgress?: (progress: Progress) => void;
    /**
     * fewer bytes before less time; left out, the connection decides
     */
    frugal?: boolean;
    /**
     * ms in which a file may send nothing before it is given up; 20,000
     */
    timeout?: number;
    /**
     * one worker for all pages of the site, where the browser has that; true
     */
    shared?: boolean;
};
export type SuggestOptions = {
    /**
     * 8
     */
    limit?: number;
    signal?: AbortSignal;
};
export type PreloadOptions = {
    /**
     * every file of the site's search, for use without a network; else the engine alone
     */
    all?: boolean;
    onProgress?: (progress: Progress) => void;
    signal?: AbortSignal;
};
export type Status = {
    /**
     * idle, starting, ready, failed or closed
     */
    state: string;
    /**
     * of Ranvier, that the site was built with; empty as long as that is not known
     */
    version: string;
    /**
     * whether other pages may have the same worker
     */
    shared: boolean;
    /**
     * how the engine was started
     */
    way: "snapshot" | "library" | null;
};
export type Engine = {
    /**
     * starts the engine where nothing has yet; rejected where it cannot start, and the next
     * question tries again
     */
    ready: Promise<void>;
    search: (query: string, options?: SearchOptions) => Promise<SearchResult>;
    retrieve: (query: string, options?: RetrieveOptions) => Promise<RetrieveResult>;
    /**
     *   what links to a page, named by its id, path, slug or title; in the order of their titles
     */
    backlinks: (item: string, options?: {
        signal?: AbortSignal;
    }) => Promise<Backlink[]>;
    /**
     *   titles, aliases, headings and tags that begin so; answers before the engine is there, and does not start it
     */
    suggest: (query: string, options?: SuggestOptions) => Promise<Suggestion[]>;
    /**
     *   pages whose texts have words of the query, best first; answers before the engine is there, and does not start it
     */
    instant: (query: string, options?: SuggestOptions) => Promise<InstantHit[]>;
    preload: (options?: PreloadOptions) => Promise<void>;
    status: () => Status;
    close: () => void;
};
export type Question = "search" | "retrieve" | "backlinks";
/**
 * The options of each question, but for `signal`, which is not the core's.
 *
 * @type {Readonly<Record<Question, readonly string[]>>}
 */
export declare const OPTIONS: Readonly<Record<Question, readonly string[]>>;
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
export declare function request(what: Question, query: string, options: Record<string, unknown>): Record<string, unknown>;
/**
 * A failure in the names that scripts have: `min_confidence must be …` → `minConfidence must be …`.
 *
 * @param {unknown} error
 */
export declare function inScript(error: unknown): unknown;
