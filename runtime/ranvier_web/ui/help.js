/** Examples of the query syntax: a few in an empty box, all of them behind the button `?`. */

import { element } from "./dom.js";
import { helpStrings } from "./help-strings.js";
import { resultHref } from "./urls.js";

/** @import { SearchPanel } from "./search-panel.js" */

const styles = new CSSStyleSheet();
styles.replaceSync(`
.hints { display: grid; grid-template-columns: max-content 1fr; gap: 0.375rem 1rem; margin-top: 0.625rem; }
.hints code { color: var(--ink); font-size: 0.875rem; }
.sections { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 0.5rem; list-style: none; }
.message .sections { padding: 0; }
.hints + p { margin-top: 1rem; }
.sections a { display: block; padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--accent); text-decoration: none; }
.sections a:hover { border-color: var(--accent); background: var(--soft); }
@media (pointer: coarse) { .sections a { min-height: 44px; padding-block: 0.625rem; border-radius: 1.375rem; } }
@media (max-width: 40rem) { .hints { grid-template-columns: 1fr; gap: 0; } .hints dd { margin-bottom: 0.5rem; } }
`);

/** @param {readonly (readonly [string, string])[]} rows */
const examples = (rows) => {
  const cells = rows.flatMap(([example, meaning]) => [
    element("dt", {}, element("code", { dir: "ltr" }, example)),
    element("dd", {}, meaning),
  ]);
  return element("dl", { class: "hints" }, ...cells);
};

/** The whole syntax, filters and keys. @returns {HTMLElement[]} */
export const allHelp = () => [
  element("h2", {}, helpStrings.help),
  examples([...helpStrings.hints, ...helpStrings.more]),
  element("h2", {}, helpStrings.keysTitle),
  examples(helpStrings.keys),
];

/**
 * Return links to the sections at the top of the site; empty if it has none.
 *
 * @param {SearchPanel} panel
 * @returns {Promise<HTMLElement[]>}
 */
export async function topSections({ options, site }) {
  const { top } = await options.client.folders();
  const links = top.map(({ title, url }) => element("li", {}, element("a", { href: resultHref(url, site.root) }, title)));
  return links.length ? [element("p", {}, helpStrings.sections), element("ul", { class: "sections" }, ...links)] : [];
}

/** Fill an empty box. @param {SearchPanel} panel */
export async function showHelp(panel) {
  const { view, list } = panel;
  /** @type {HTMLElement[]} */
  let sections = [];
  const show = () => {
    view.idle = () => [element("p", {}, helpStrings.hintTitle), examples(helpStrings.hints), ...sections];
    if (!panel.query && list.count === 0 && !view.isError) view.showIdle();
  };
  const root = /** @type {ShadowRoot} */ (panel.element.getRootNode());
  if (!root.adoptedStyleSheets.includes(styles)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles];
  if (view.idle().length === 0) show();
  sections = await topSections(panel);
  show();
}
