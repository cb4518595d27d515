/** Which requests are the search's own, and what their names say. Nothing here asks for anything. */

/** @import { Entry } from "../protocol.js" */

/** Of the way in which things are kept: another number, and what was kept before is thrown away. */
const VERSION = 2;

const FOLDER = "_ranvier/";
const WHOLE = "pyodide.asm.wasm";
const BY_DIGEST = /^(?:(?:index|packs|text|vectors|words|titles|lists)\/|[a-z]+-)([0-9a-f]{12,24})\.(?:bin|json)$/;
const IN_A_FOLDER = /^(?:web|theme|engine)-[0-9a-f]{12}\/[^?#]+$/;
const INDEX = /\/index\.html?$/;

/**
 * The base that a service worker serves: it stands in it, or beside it.
 *
 * @param {string} script  the worker's own address
 * @returns {string}
 */
export function baseOf(script) {
  const url = new URL(script);
  return new URL(url.pathname.endsWith(`/${FOLDER}sw.js`) ? "./" : FOLDER, url).href;
}

/**
 * What the caches of one site are called. Two sites of one origin never share one.
 *
 * @param {string} base
 */
export function cacheNames(base) {
  const path = new URL(base).pathname;
  return { files: `ranvier-${VERSION} files ${path}`, pages: `ranvier-${VERSION} pages ${path}` };
}

/**
 * Whether a cache is one of this site's: of this or of an earlier way of keeping.
 *
 * @param {string} cache
 * @param {string} base
 */
export function isOurs(cache, base) {
  const match = /^ranvier-\d+ (?:files|pages) (.*)$/.exec(cache);
  return match !== null && match[1] === new URL(base).pathname;
}

/**
 * A file's name below the base; `null` where the address leads elsewhere. What follows `?` says nothing about a static file.
 *
 * @param {string} address
 * @param {string} base
 * @returns {string | null}
 */
export function nameOf(address, base) {
  const { origin, pathname } = new URL(address);
  const plain = origin + pathname;
  return plain.startsWith(base) ? plain.slice(base.length) : null;
}

/**
 * Whether a name changes with what it names: such a file is never another one.
 *
 * @param {string} name
 */
export function isHashed(name) {
  return BY_DIGEST.test(name) || IN_A_FOLDER.test(name);
}

/**
 * The beginning of the file's SHA-256 in hex, where its name holds it.
 *
 * @param {string} name
 * @returns {string | null}
 */
export function digestIn(name) {
  return BY_DIGEST.exec(name)?.[1] ?? null;
}

/**
 * What no search can do without, whichever way the engine starts.
 *
 * @param {Entry} entry
 * @returns {string[]}
 */
export function essentials(entry) {
  // Both parts of the module, and not the whole of it: that serves where a part cannot be had.
  const engine = Object.keys(entry.engineFiles).filter((name) => name !== WHOLE).map((name) => entry.engine + name);
  return [...engine, entry.core, ...(entry.langs ? [entry.langs] : []), entry.manifest, entry.hot];
}

/**
 * The address under which a page is kept: a query asks a static page for nothing else.
 *
 * @param {string} address
 */
export function pageKey(address) {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(INDEX, "/");
}

/**
 * Where a page may stand that was asked for without its slash.
 *
 * @param {string} address
 * @returns {string | null}
 */
export function withSlash(address) {
  const url = new URL(address);
  if (/(?:\/|\.[a-z0-9]+)$/i.test(url.pathname)) return null;
  url.pathname += "/";
  return url.href;
}

/**
 * How a request is to be answered.
 *
 * - "hashed": from the cache, else from the network, once it was compared with its name
 * - "entry": from the network, else as it was last kept
 * - "page", "part": the same, for a page and what it is shown with
 * - "pass": not at all; the browser does what it does
 *
 * @param {Request} request
 * @param {string} base
 * @param {string} scope  the address below which requests are ours
 * @returns {"hashed" | "entry" | "page" | "part" | "pass"}
 */
export function kindOf(request, base, scope) {
  const { method, headers, url, cache, mode, destination } = request;
  if (method !== "GET" || headers.has("range") || cache === "only-if-cached") return "pass";
  const name = nameOf(url, base);
  if (name === "entry.json") return "entry";
  if (name !== null && isHashed(name)) return "hashed";
  if (!url.startsWith(scope)) return "pass";
  if (mode === "navigate") return "page";
  return ["script", "style", "image", "font"].includes(destination) ? "part" : "pass";
}

/**
 * Whether a file is one of the engine's, which a worker compares before it runs any of them; they are the large ones.
 *
 * @param {string} name
 */
export const comparesItself = (name) => /^(engine|snapshot|core|langs)-/.test(name);
