/** Is a file what its name, or the list of the site's files, says? What is not is neither kept nor handed out. */

import { digestIn } from "./file-names.js";

/** @typedef {Record<string, [bytes: number, integrity: string]>} Shell  what runs and how it looks, by its name */

/**
 * @typedef {object} FileList  `files-<hex>.json`: every file of one build
 * @property {Shell} shell
 * @property {Record<string, number>} data  the bytes of each file whose digest stands in its name
 */

/**
 * @param {string} name
 * @param {ArrayBuffer} data
 * @param {Shell} shell  what is known of files whose name holds no digest
 * @returns {Promise<boolean | null>}  `null`: nobody here can tell
 */
export async function isWhole(name, data, shell) {
  const seal = shell[name];
  const hex = digestIn(name);
  if (!seal && hex === null) return null;
  if (seal && seal[0] !== data.byteLength) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  if (seal && `sha256-${btoa(String.fromCharCode(...digest))}` !== seal[1]) return false;
  return hex === null || inHex(digest).startsWith(hex);
}

/** @param {Uint8Array} digest */
function inHex(digest) {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * An answer that may be kept: its bytes, and what its sender said about them, its policy for one. How it was packed for the
 * way is not true of the bytes any more.
 *
 * @param {Response} response
 * @param {ArrayBuffer} data
 */
export function plain(response, data) {
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "transfer-encoding", "vary", "set-cookie"]) headers.delete(name);
  headers.set("content-length", String(data.byteLength));
  return new Response(data, { headers });
}

/**
 * Whether the answer is the whole file and nothing else: no part of it, no other origin's, and not from another address.
 *
 * @param {Response} response
 */
export function isPlain(response) {
  return response.status === 200 && response.type === "basic" && !response.redirected;
}
