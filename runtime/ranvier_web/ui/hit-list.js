/** Hits as rows of a list: a new answer, the same one settled, and more of it. */

import { rowOf } from "./result-row.js";
import { settled } from "./semantic-refresh.js";
import { idAt } from "./suggestion-row.js";

/** @import { Hit } from "../protocol.js" */
/** @import { ResultList } from "./result-list.js" */

export class HitList {
  /** @type {ResultList} */
  #list;
  /** @type {string} */
  #siteRoot;

  /**
   * @param {ResultList} list
   * @param {string} siteRoot
   */
  constructor(list, siteRoot) {
    this.#list = list;
    this.#siteRoot = siteRoot;
  }

  /** Show a new answer. @param {Hit[]} hits */
  show(hits) {
    this.#list.show(hits.map((hit) => rowOf(hit, this.#siteRoot)));
  }

  /**
   * Show what is known now of a query that has rows already, suggestions or the words' answer, in the order that `semantic-refresh.js`
   * describes. The page under the selection stays selected where the reader has a hand in the list; else the first one is.
   *
   * @param {Hit[]} hits
   * @param {HTMLAnchorElement | null} [target]  what a key pressed right now was meant for, where no hand is on the list
   * @returns {boolean} whether the reader has a hand in the list
   */
  settle(hits, target = this.#list.selected) {
    const { held, rows, selected } = this.#list;
    const pages = new Map(hits.map((hit) => [idAt(hit.url), hit.id]));
    const old = new Map(rows.map((row) => [pages.get(row.id) ?? row.id, row]));
    const byId = new Map(hits.map((hit) => [hit.id, hit]));
    const order = settled([...old.keys()], [...byId.keys()], held);
    const after = order.map((id, at) => {
      const [row, hit] = [old.get(id), byId.get(id)];
      return row && (at <= held || !hit) ? row : rowOf(/** @type {Hit} */ (hit), this.#siteRoot, row);
    });
    this.#list.change(after, held < 0 ? null : selected);
    if (held < 0) this.#list.remember(target);
    return held >= 0;
  }

  /**
   * Add hits at the end, but for those that are there already, and select the first of them.
   *
   * @param {Hit[]} hits
   * @returns {number} how many were added
   */
  append(hits) {
    const { rows, selected } = this.#list;
    const old = new Set(rows.map(({ id }) => id));
    const pages = hits.filter(({ id, url }) => !old.has(id) && !old.has(idAt(url)));
    const fresh = pages.map((hit) => rowOf(hit, this.#siteRoot));
    this.#list.change([...rows, ...fresh], fresh[0]?.options[0] ?? selected);
    this.#list.moved = true;
    return fresh.length;
  }
}
