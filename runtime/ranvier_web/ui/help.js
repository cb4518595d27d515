/** Examples of the query syntax: a few in an empty box, all of them behind the button `?`; and the sections of the site. */

import { element } from "./dom.js";
import { helpStrings } from "./help-strings.js";
import { resultHref } from "./urls.js";

/** @import { SearchPanel } from "./search-panel.js" */

/** @param {readonly (readonly [string, string])[]} rows */
export const exampleList = (rows) => {
  const cells = rows.flatMap(([example, meaning]) => [
    element("dt", {}, element("code", { class: "example", dir: "ltr" }, example)),
    element("dd", {}, meaning),
  ]);
  return element("dl", { class: "hints" }, ...cells);
};

/**
 * The whole syntax, filters and keys.
 *
 * @param {<T>(english: T) => T} translate
 */
export function allHelp(translate) {
  const { help, hints, keys, keysTitle, moreHints } = translate(helpStrings);
  return [element("h2", {}, help), exampleList([...hints, ...moreHints]), element("h2", {}, keysTitle), exampleList(keys)];
}

/**
 * Return links to the sections at the top of the site; empty if it has none.
 *
 * @param {SearchPanel} panel
 */
export async function topSections({ options, site }) {
  const { top } = await options.client.folders();
  const links = top.map(({ title, url }) => element("li", {}, element("a", { href: resultHref(url, site.root) }, title)));
  const { sections } = options.translate(helpStrings);
  return links.length ? [element("p", {}, sections), element("ul", { class: "sections" }, ...links)] : [];
}
