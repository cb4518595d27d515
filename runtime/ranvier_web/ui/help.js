/** Examples of the query syntax: a few in an empty box, all of them behind the button `?`; and the sections of the site. */

import { element } from "./dom.js";
import { helpStrings } from "./help-strings.js";
import { resultHref } from "./urls.js";

/** @import { SearchPanel } from "./search-panel.js" */

/** @param {readonly (readonly [string, string])[]} rows */
export const examples = (rows) => {
  const cells = rows.flatMap(([example, meaning]) => [
    element("dt", {}, element("code", { class: "example", dir: "ltr" }, example)),
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
