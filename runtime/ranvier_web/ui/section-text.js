/** The text of a section, from the HTML of its page. The page is parsed and never shown: only its text is used. */

/** @typedef {{kind: "heading" | "code" | "text" | "lines", text: string}} Block  lines: of a list or a table */

const LOAD_TIMEOUT = 5_000; // ms
const MAX_LENGTH = 20_000; // characters of a section
const HEADING = "h1, h2, h3, h4, h5, h6";
const BLOCK = `${HEADING}, p, li, pre, tr, dt, dd, blockquote, figcaption, summary`;
const MAX_LEVEL = 6; // level of headings
const EXCLUDED = "script, style, template, noscript, nav, button, annotation, [hidden], [aria-hidden=true]";
const MAIN_SELECTORS = ["[data-pagefind-body]", "article", "main", "[role=main]"];

/**
 * Return the text of a section: from its heading to the next one of the same level. Without an anchor, it is the text of the page.
 * It is empty if the page has no such section, or is another one: some hosts send one page for every address that does not exist.
 *
 * @param {string} url
 * @param {string} title
 * @param {string} anchor
 * @param {AbortSignal} signal
 */
export async function readSection(url, title, anchor, signal) {
  const page = await loadPage(url, signal);
  const words = (/** @type {string} */ text) => text.replace(/\s+/g, " ");
  if (!words(page?.documentElement.textContent ?? "").includes(words(title))) return [];
  const start = anchor ? page?.getElementById(anchor) : MAIN_SELECTORS.map((main) => page?.querySelector(main)).find(Boolean);
  const root = start?.closest(MAIN_SELECTORS.join()) ?? page?.body;
  return start && root ? collectBlocks(start, root, anchor !== "") : [];
}

/**
 * A request parses HTML without the functions that a content security policy may forbid.
 *
 * @param {string} url
 * @param {AbortSignal} signal
 * @returns {Promise<Document | null>}
 */
function loadPage(url, signal) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.responseType = "document";
    request.timeout = LOAD_TIMEOUT;
    request.onloadend = () => resolve(request.status === 200 ? request.responseXML : null);
    signal.addEventListener("abort", () => request.abort());
    request.send();
  });
}

/**
 * @param {Element} start
 * @param {Element} root
 * @param {boolean} isSection  it ends at the next heading
 */
function collectBlocks(start, root, isSection) {
  /** @type {Block[]} */
  const blocks = [];
  const walker = /** @type {Document} */ (start.ownerDocument).createTreeWalker(root, NodeFilter.SHOW_TEXT);
  walker.currentNode = start;
  /** @type {Element | null} */
  let block = null;
  /** @type {Element | null} */
  let cell = null;
  let level = 0;
  for (let node = walker.nextNode(), length = 0; node && length < MAX_LENGTH; node = walker.nextNode()) {
    const parent = /** @type {Element} */ (node.parentElement);
    const text = node.textContent ?? "";
    const [heading, pre] = [parent.closest(HEADING), parent.closest("pre")];
    const container = heading ?? pre ?? parent.closest(BLOCK) ?? parent;
    const isEmpty = !text.trim();
    if (parent.closest(EXCLUDED) || (isEmpty && container !== block) || (heading && isPermalink(parent, text))) continue;
    if (heading && container !== block && isSection) {
      const headingLevel = Number(heading.tagName[1]);
      if (blocks.length > 0 && headingLevel <= (level || MAX_LEVEL)) break;
      level ||= headingLevel;
    }
    const last = container === block ? blocks.at(-1) : undefined;
    const kind = heading ? "heading" : pre ? "code" : container.matches("li, tr") ? "lines" : "text";
    /** @type {Element | null} */
    const nextCell = isEmpty ? cell : parent.closest("td, th");
    if (last) last.text += (nextCell === cell ? "" : " · ") + text;
    else blocks.push({ kind, text: (container.tagName === "LI" ? "• " : "") + text });
    [block, cell] = [container, nextCell];
    length += text.length;
  }
  return joinLines(blocks.map(({ kind, text }) => ({ kind, text: kind === "code" ? text.trimEnd() : text.replace(/\s+/g, " ").trim() })));
}

/**
 * Join the lines that follow each other, and remove empty blocks.
 *
 * @param {Block[]} blocks
 */
function joinLines(blocks) {
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
 * Whether a text is the symbol of a link to its own heading: `#` or `¶`.
 *
 * @param {Element} parent
 * @param {string} text
 */
function isPermalink(parent, text) {
  return parent.closest("a[href^='#']") !== null && text.trim().length < 2;
}
