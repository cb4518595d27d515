/**
 * Search for a page that another site generator built. Only this module has a stable name, `_ranvier/search.js`:
 *
 *     <script type="module" src="/_ranvier/search.js"></script>
 *     <ranvier-search></ranvier-search>
 *
 * All other names change with the content; `entry.json` beside this file contains the current ones.
 */

/** @import { Entry } from "./protocol.js" */

/** Ctrl-K or ⌘K while the box is loading: the browser has other plans for it. @type {KeyboardEvent | null} */
let early = null;
const keep = (/** @type {KeyboardEvent} */ event) => {
  const letter = event.key > "~" ? event.code : event.key; // a keyboard with other letters has no K
  if (!/^(Key)?k$/i.test(letter) || event.ctrlKey === event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  early ??= event; // a key that is held down has a first press
};
addEventListener("keydown", keep);

// The module of the box is beside the index, and finds the index by its own address.
const base = new URL("./", import.meta.url); // the `_ranvier/` folder
/**
 * @template T
 * @param {URL} url
 * @param {RequestCache} cache
 * @param {(response: Response) => Promise<T>} read
 * @returns {Promise<T>}
 */
const request = async (url, cache, read) => {
  const response = await fetch(url, { cache });
  if (!response.ok) throw new Error(`Ranvier: ${response.url}: the server answered ${response.status}`);
  return read(response);
};
/** @type {typeof request} */
const download = (url, cache, read) => request(url, cache, read).catch(() => request(url, "reload", read));
try {
  /** @type {Entry} */
  const entry = await download(new URL("entry.json", base), "no-cache", (response) => response.json());
  const box = new URL("ui/search-box.js", new URL(entry.api, base));
  // A browser remembers a failed import, and other scripts import the same address: the retry comes before.
  await download(box, "default", (response) => response.text());
  await import(box.href);
} finally {
  removeEventListener("keydown", keep);
}
if (early) document.dispatchEvent(new KeyboardEvent("keydown", early));
