/**
 * The links to private pages while a layer is open. Their addresses stay out of links, the address bar and the history: a link has
 * a number instead, which has a meaning only on this page.
 */

/** @import { UnlockedLayer } from "../options.js" */

const LINK = /^#private-(\d+)(?:\/(.*))?$/s;

export class LayerLinks {
  #layer;
  /** @type {string[]} */
  #urls = [];

  /** @param {UnlockedLayer} layer */
  constructor(layer) {
    this.#layer = layer;
  }

  /**
   * Return the link of a private address; the address of a public page is unchanged.
   *
   * @param {string} url  relative to the site's root
   */
  hideUrl(url) {
    const [page = "", anchor] = url.split(/#(.*)/s);
    return this.#layer.audienceOf(page) ? this.makeLink(page, anchor) : url;
  }

  /**
   * Return the number of an address as a link.
   *
   * @param {string} page
   * @param {string} [anchor]
   */
  makeLink(page, anchor) {
    const index = this.#urls.indexOf(page);
    const number = index < 0 ? this.#urls.push(page) - 1 : index;
    return `#private-${number}${anchor ? `/${anchor}` : ""}`;
  }

  /**
   * Return the address that a link stands for.
   *
   * @param {string} url  a link, or an address of the site
   */
  resolve(url) {
    const [, number, anchor] = LINK.exec(url) ?? [];
    const page = this.#urls[Number(number ?? -1)];
    return page === undefined ? url : `${page}${anchor ? `#${anchor}` : ""}`;
  }

  /** Whether a link stands for a private address. @param {string} hash */
  has(hash) {
    return this.resolve(hash) !== hash;
  }

  /**
   * Hide the addresses in an answer of the engine: hits with their sections, suggestions, or folders.
   *
   * @template T
   * @param {T} answer
   * @returns {T}
   */
  hideUrls(answer) {
    const untyped = /** @type {any} */ (answer);
    const hide = (/** @type {any} */ item) => ({ ...item, url: this.hideUrl(item.url) });
    if (Array.isArray(untyped)) return /** @type {any} */ (untyped.map((item) => this.#hideSuggestionUrl(item)));
    if (!untyped.hits) return /** @type {any} */ ({ trail: (/** @type {string} */ url) => this.#trail(untyped, url), top: untyped.top.map(hide) });
    return { ...untyped, hits: untyped.hits.map((/** @type {any} */ hit) => ({ ...hide(hit), subResults: hit.subResults.map(hide) })) };
  }

  /**
   * Return the titles above a page. The row of a page that is not public begins with its audience.
   *
   * @param {{trail: (url: string) => string[]}} folders
   * @param {string} url  a link, or an address of the site
   */
  #trail(folders, url) {
    const page = this.resolve(url).replace(/#.*/s, "");
    const audience = this.#layer.audienceOf(page);
    return [...(audience ? [audience] : []), ...folders.trail(page)];
  }

  /** @param {any} item  its anchor becomes a part of the link */
  #hideSuggestionUrl(item) {
    const original = item.anchor && !item.url.includes("#") ? `${item.url}#${item.anchor}` : item.url;
    const url = this.hideUrl(original);
    return url === original ? item : { ...item, url, anchor: "" };
  }
}
