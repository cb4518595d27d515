/**
 * Search for a page that another site generator built. It is the one module whose name stays, `_ranvier/search.js`:
 *
 *     <script type="module" src="/_ranvier/search.js"></script>
 *     <ranvier-search></ranvier-search>
 *
 * All other names change with what is in them, and `entry.json` beside this file has those of today.
 */

/** @import { Entry } from "./protocol.js" */

/**
 * Define `<ranvier-search>`. Its module lies beside the index, and so knows where that is.
 *
 * @param {URL} base  the `_ranvier/` folder
 */
async function define(base) {
  const response = await fetch(new URL("entry.json", base), { cache: "no-cache" });
  if (!response.ok) throw new Error(`Ranvier: ${response.url}: the server answered ${response.status}`);
  /** @type {Entry} */
  const entry = await response.json();
  await import(new URL("ui/search-box.js", new URL(entry.api, base)).href);
}

await define(new URL("./", import.meta.url));
