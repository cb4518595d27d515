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
  if (!/^k$/i.test(event.key) || event.ctrlKey === event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  early ??= event; // a key that is held down has a first press
};
addEventListener("keydown", keep);

// The module of the box is beside the index, and finds the index by its own address.
const base = new URL("./", import.meta.url); // the `_ranvier/` folder
/** @param {RequestCache} cache @returns {Promise<Entry>} */
const readEntry = async (cache) => {
  const response = await fetch(new URL("entry.json", base), { cache });
  if (!response.ok) throw new Error(`Ranvier: ${response.url}: the server answered ${response.status}`);
  return response.json();
};
try {
  const entry = await readEntry("no-cache").catch(() => readEntry("reload"));
  await import(new URL("ui/search-box.js", new URL(entry.api, base)).href);
} finally {
  removeEventListener("keydown", keep);
}
if (early) document.dispatchEvent(new KeyboardEvent("keydown", early));
