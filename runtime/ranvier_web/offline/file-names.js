/** Classifies requests and file names. Nothing here sends a request. */

/** @import { Entry } from "../protocol.js" */

/** Version of the cache format: caches of another version are deleted. */
const VERSION = 4;

const FOLDER = "_ranvier/";
const SECONDARY = "pyodide.secondary.wasm"; // of the engine's module
const DIGEST_NAME = /^(?:(?:index|packs|text|vectors|words|titles|lists)\/|[a-z]+-)([0-9a-f]{12,24})\.(?:bin|json|wasm)$/;
const HASHED_FOLDER = /^(?:web|theme|engine)-[0-9a-f]{12}\/[^?#]+$/;
const INDEX_PAGE = /\/index\.html?$/;

/**
 * Return the base that a service worker serves: its script is in this folder, or beside it.
 *
 * @param {string} script  the worker's own address
 */
export function baseOf(script) {
  const url = new URL(script);
  return new URL(url.pathname.endsWith(`/${FOLDER}sw.js`) ? "./" : FOLDER, url).href;
}

/**
 * Return the names of one site's caches. Two sites of one origin never share a cache.
 *
 * @param {string} base
 */
export function cacheNames(base) {
  const path = new URL(base).pathname;
  return { files: `ranvier-${VERSION} files ${path}`, pages: `ranvier-${VERSION} pages ${path}` };
}

/**
 * Whether a cache belongs to this site, in the current or an earlier format.
 *
 * @param {string} cache
 * @param {string} base
 */
export function isSiteCache(cache, base) {
  const match = /^ranvier-\d+ (?:files|pages) (.*)$/.exec(cache);
  return match !== null && match[1] === new URL(base).pathname;
}

/**
 * Return a file's name below the base; `null` if the address is not below it. The query string is ignored: files are static.
 *
 * @param {string} address
 * @param {string} base
 */
export function nameOf(address, base) {
  const { origin, pathname } = new URL(address);
  const plain = origin + pathname;
  return plain.startsWith(base) ? plain.slice(base.length) : null;
}

/**
 * Whether a name changes with the file's content. Such a file is immutable.
 *
 * @param {string} name
 */
export function isHashed(name) {
  return DIGEST_NAME.test(name) || HASHED_FOLDER.test(name);
}

/**
 * Return the prefix of the file's SHA-256, in hex, if its name contains it.
 *
 * @param {string} name
 */
export function digestOf(name) {
  return DIGEST_NAME.exec(name)?.[1] ?? null;
}

/**
 * Return the files that every search needs. Few searches need the second part of the engine's module.
 *
 * @param {Entry} entry
 */
export function requiredFiles(entry) {
  const engine = Object.keys(entry.engineFiles).filter((name) => name !== SECONDARY).map((name) => entry.engine + name);
  return [...engine, entry.core, ...(entry.langs ? [entry.langs] : []), entry.manifest, entry.hot];
}

/**
 * Return the address under which a page is stored: without its query string, as pages are static.
 *
 * @param {string} address
 */
export function pageKey(address) {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(INDEX_PAGE, "/");
}

/**
 * Return the address with a slash at the end, if it may be that of a page; otherwise `null`.
 *
 * @param {string} address
 */
export function withSlash(address) {
  const url = new URL(address);
  if (/(?:\/|\.[a-z0-9]+)$/i.test(url.pathname)) return null;
  url.pathname += "/";
  return url.href;
}

/**
 * How to answer a request.
 *
 * - "hashed": from the cache, otherwise from the network after comparison with its name
 * - "entry": from the network, otherwise the stored copy
 * - "page", "part": the same, for a page and its styles, scripts, images and fonts
 * - "pass": not handled; left to the browser
 *
 * @param {Request} request
 * @param {string} base
 * @param {string} scope  the address below which requests are handled
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
 * Whether a file belongs to the engine. The search worker itself compares these large files before it runs them.
 *
 * @param {string} name
 */
export const isEngineFile = (name) => /^(engine|core|langs)-/.test(name);
