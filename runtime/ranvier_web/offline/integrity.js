/**
 * Compares files with the digests in their names or in the site's file list. A file that differs is not stored. It is not returned
 * either, except scripts and styles: some proxies rewrite them.
 */

import { digestOf } from "./file-names.js";

/** @typedef {Record<string, [bytes: number, integrity: string]>} Shell  scripts, styles and other files without a digest, by name */

/**
 * @typedef {object} FileList  `files-<hex>.json`: which files belong to one build
 * @property {Shell} shell
 * @property {string} digests  the start of the digest of each file with a digest in its name, in a row
 */

/**
 * @param {string} name
 * @param {ArrayBuffer} data
 * @param {Shell} shell  sizes and digests of the files without a digest in their name
 * @returns {Promise<boolean | null>}  `null` if unknown
 */
export async function isIntact(name, data, shell) {
  const expected = shell[name];
  const hex = digestOf(name);
  if (!expected && hex === null) return null;
  if (expected && expected[0] !== data.byteLength) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  if (expected && `sha256-${btoa(String.fromCharCode(...digest))}` !== expected[1]) return false;
  return hex === null || Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("").startsWith(hex);
}

/** Whether a proxy may rewrite the file: it then differs, and works. @param {string} name */
export const isRewritable = (name) => /\.(?:js|css)$/.test(name);

/**
 * Return a response that can be stored: the bytes and the response's headers, such as its policy. Headers of the transfer encoding
 * are removed, as the bytes are decoded.
 *
 * @param {Response} response
 * @param {ArrayBuffer} data
 */
export function toStorable(response, data) {
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "transfer-encoding", "vary", "set-cookie"]) headers.delete(name);
  headers.set("content-length", String(data.byteLength));
  return new Response(data, { headers });
}

/**
 * Whether the response is the complete file: not partial, not of another origin, and not redirected.
 *
 * @param {Response} response
 */
export function isComplete(response) {
  return response.status === 200 && response.type === "basic" && !response.redirected;
}
