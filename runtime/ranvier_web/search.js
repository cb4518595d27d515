/**
 * Search for a page that another site generator built. Only this module has a stable name, `_ranvier/search.js`:
 *
 *     <script type="module" src="/_ranvier/search.js"></script>
 *     <ranvier-search></ranvier-search>
 *
 * All other names change with the content; `entry.json` beside this file contains the current ones.
 */

/** @import { Entry } from "./protocol.js" */

// The module of the box is beside the index, and finds the index by its own address.
const base = new URL("./", import.meta.url); // the `_ranvier/` folder
const response = await fetch(new URL("entry.json", base), { cache: "no-cache" });
if (!response.ok) throw new Error(`Ranvier: ${response.url}: the server answered ${response.status}`);
/** @type {Entry} */
const entry = await response.json();
await import(new URL("ui/search-box.js", new URL(entry.api, base)).href);
