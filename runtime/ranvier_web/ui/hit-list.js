/** Shows hits as rows of a list: a new answer, its semantic refresh, and its next pages. */

import { makeHitRow } from "./result-row.js";
import { rowId } from "./suggestion-row.js";
import { resultHref } from "./urls.js";

/** @import { AnswerStrings } from "./answer-strings.js" */
/** @import { Hit } from "../protocol.js" */
/** @import { Row, Site } from "./suggestion-row.js" */
/** @import { SearchPanel } from "./search-panel.js" */

/**
 * Label the first of the rows at the end whose pages have no word of the query, if there are others above them.
 *
 * @param {Row[]} rows
 * @param {string} label
 * @param {number} lastFixed  index of the lowest row that must not change
 */
function labelNearRows(rows, label, lastFixed = -1) {
  const isNear = rows.map(({ element }) => element.classList.contains("near"));
  const first = isNear.lastIndexOf(false) + 1;
  rows.forEach(({ element }, at) => {
    if (at > lastFixed) element.toggleAttribute("data-near", false);
    if (at > lastFixed && at > 0 && at === first) element.setAttribute("data-near", label);
  });
}

/**
 * Leave out hits without a word of the query whose pages, or sections of them, are listed above: they would only repeat them.
 *
 * @param {Hit[]} hits
 * @param {Row[]} above
 * @param {Site} site
 */
function removeListed(hits, above, site) {
  const pages = new Set(above.flatMap(({ options }) => options.map(({ href }) => href.replace(/#.*/, ""))));
  return hits.filter(({ coverage, url }) => coverage !== "none" || !pages.has(resultHref(url, site.root)));
}

export class HitList {
  #panel;
  #list;
  #strings;

  /**
   * @param {SearchPanel} panel
   * @param {AnswerStrings} strings
   */
  constructor(panel, strings) {
    this.#panel = panel;
    this.#list = panel.list;
    this.#strings = strings;
  }

  /**
   * Return the row of a hit. If the site's function fails, the row has its usual content.
   *
   * @param {Hit} hit
   * @param {Row} [oldRow]
   */
  #makeRow(hit, oldRow) {
    const row = makeHitRow(hit, this.#panel.site, this.#strings, oldRow);
    const [link] = row.options;
    if (!link || row === oldRow) return row;
    try {
      const content = this.#panel.options.render(hit, link);
      if (content) link.replaceChildren(content);
    } catch (error) {
      console.error("renderHit:", error);
    }
    return row;
  }

  /** Show a new answer. @param {Hit[]} hits */
  show(hits) {
    this.#list.show(hits.map((hit) => this.#makeRow(hit)));
    labelNearRows(this.#list.rows, this.#strings.nearOnly);
  }

  /**
   * Show a new answer for a query that already has rows (suggestions or keyword results), in the order of `semantic-refresh.js`.
   * During interaction with the list, the selected page stays selected; otherwise the first row is selected.
   *
   * @param {Hit[]} answer
   * @param {HTMLAnchorElement | null} [target]  the link that a key pressed now was meant for, if there is no interaction
   * @returns {boolean} whether there is interaction with the list
   */
  merge(answer, target = this.#list.selected) {
    const { lastFixed, rows, selected } = this.#list;
    const hits = removeListed(answer, rows.slice(0, lastFixed + 1), this.#panel.site);
    const pages = new Map(hits.map((hit) => [rowId(hit.url), hit.id]));
    const oldRows = new Map(rows.map((row) => [pages.get(row.id) ?? row.id, row]));
    const byId = new Map(hits.map((hit) => [hit.id, hit]));
    const order = new Set([...[...oldRows.keys()].slice(0, lastFixed + 1), ...byId.keys()]);
    const merged = [...order].map((id, at) => {
      const [row, hit] = [oldRows.get(id), byId.get(id)];
      return row && (at <= lastFixed || !hit) ? row : this.#makeRow(/** @type {Hit} */ (hit), row);
    });
    this.#list.change(merged, lastFixed < 0 ? null : selected);
    labelNearRows(merged, this.#strings.nearOnly, lastFixed);
    if (lastFixed < 0) this.#list.setTarget(target);
    return lastFixed >= 0;
  }

  /**
   * Append hits that are not in the list yet, and select the first of them.
   *
   * @param {Hit[]} hits
   * @returns {number} how many were added
   */
  append(hits) {
    const { rows, selected } = this.#list;
    const oldIds = new Set(rows.map(({ id }) => id));
    const pages = removeListed(hits, rows, this.#panel.site).filter(({ id, url }) => !oldIds.has(id) && !oldIds.has(rowId(url)));
    const newRows = pages.map((hit) => this.#makeRow(hit));
    this.#list.change([...rows, ...newRows], newRows[0]?.options[0] ?? selected);
    labelNearRows(this.#list.rows, this.#strings.nearOnly, rows.length - 1);
    this.#list.hasMoved = true;
    return newRows.length;
  }
}
