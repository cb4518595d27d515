/** The text of a section, from the HTML of its page. The page is parsed and never shown: only its text is used. */

/** @typedef {{kind: "heading" | "code" | "text" | "lines", text: string}} Block  lines: of a list or a table */

const PATIENCE = 5_000; // ms
const HEADING = "h1, h2, h3, h4, h5, h6";
const BLOCK = `${HEADING}, p, li, pre, tr, dt, dd, blockquote, figcaption, summary`;
const LOWEST = 6; // level of headings
const UNSEEN = "script, style, template, noscript, nav, button, annotation, [hidden], [aria-hidden=true]";
const MAINS = ["[data-pagefind-body]", "article", "main", "[role=main]"];

/**
 * Return the text of a section: from its heading to the next one of the same level. Without an anchor, it is the text of the page.
 * It is empty if the page has no such section.
 *
 * @param {string} url
 * @param {string} anchor
 * @param {number} most  characters
 * @param {AbortSignal} signal
 * @returns {Promise<Block[]>}
 */
export async function sectionText(url, anchor, most, signal) {
  const page = await loaded(url, signal);
  const start = anchor ? page?.getElementById(anchor) : MAINS.map((main) => page?.querySelector(main)).find(Boolean);
  const root = start?.closest(MAINS.join()) ?? page?.body;
  return start && root ? blocksFrom(start, root, anchor !== "", most) : [];
}

/**
 * A request parses HTML without the functions that a content security policy may forbid.
 *
 * @param {string} url
 * @param {AbortSignal} signal
 * @returns {Promise<Document | null>}
 */
function loaded(url, signal) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.responseType = "document";
    request.timeout = PATIENCE;
    request.onloadend = () => resolve(request.status === 200 ? request.responseXML : null);
    signal.addEventListener("abort", () => request.abort());
    request.send();
  });
}

/**
 * @param {Element} start
 * @param {Element} root
 * @param {boolean} isSection  it ends at the next heading
 * @param {number} most
 */
function blocksFrom(start, root, isSection, most) {
  /** @type {Block[]} */
  const blocks = [];
  const walker = /** @type {Document} */ (start.ownerDocument).createTreeWalker(root, NodeFilter.SHOW_TEXT);
  walker.currentNode = start;
  /** @type {Element | null} */
  let block = null;
  /** @type {Element | null} */
  let cell = null;
  let level = 0;
  for (let node = walker.nextNode(), length = 0; node && length < most; node = walker.nextNode()) {
    const parent = /** @type {Element} */ (node.parentElement);
    const text = node.textContent ?? "";
    const [heading, pre] = [parent.closest(HEADING), parent.closest("pre")];
    const home = heading ?? pre ?? parent.closest(BLOCK) ?? parent;
    const isEmpty = !text.trim();
    if (parent.closest(UNSEEN) || (isEmpty && home !== block) || (heading && isPermalink(parent, text))) continue;
    if (heading && home !== block && isSection) {
      const own = Number(heading.tagName[1]);
      if (blocks.length > 0 && own <= (level || LOWEST)) break;
      level ||= own;
    }
    const last = home === block ? blocks.at(-1) : undefined;
    const kind = heading ? "heading" : pre ? "code" : home.matches("li, tr") ? "lines" : "text";
    /** @type {Element | null} */
    const nextCell = isEmpty ? cell : parent.closest("td, th");
    if (last) last.text += (nextCell === cell ? "" : " · ") + text;
    else blocks.push({ kind, text: (home.tagName === "LI" ? "• " : "") + text });
    [block, cell] = [home, nextCell];
    length += text.length;
  }
  return joined(blocks.map(({ kind, text }) => ({ kind, text: kind === "code" ? text.trimEnd() : text.replace(/\s+/g, " ").trim() })));
}

/**
 * Join the lines that follow each other, and remove empty blocks.
 *
 * @param {Block[]} blocks
 */
function joined(blocks) {
  /** @type {Block[]} */
  const all = [];
  for (const block of blocks) {
    const last = all.at(-1);
    if (!block.text || block.text === "•") continue;
    if (block.kind === "lines" && last?.kind === "lines") last.text += `\n${block.text}`;
    else all.push(block);
  }
  return all;
}

/**
 * Whether a text is the sign of a link to its own heading: `#` or `¶`.
 *
 * @param {Element} parent
 * @param {string} text
 */
function isPermalink(parent, text) {
  return parent.closest("a[href^='#']") !== null && text.trim().length < 2;
}
