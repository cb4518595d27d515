/** Translates the box's English strings. A key without a translation stays English. */

import { importModule } from "../modules.js";

/** @typedef {string | Readonly<Record<string, string>>} Translation  a text with `{placeholders}`, or one for each plural form */
/** @typedef {Record<string, any>} Table  a module of `languages/`: nested objects and arrays of translations, as in English */

/** The file of each language; a bundler finds these addresses. @type {Record<string, string>} */
const FILES = {
  ar: new URL("./languages/ar.js", import.meta.url).href,
  da: new URL("./languages/da.js", import.meta.url).href,
  de: new URL("./languages/de.js", import.meta.url).href,
  es: new URL("./languages/es.js", import.meta.url).href,
  fr: new URL("./languages/fr.js", import.meta.url).href,
  it: new URL("./languages/it.js", import.meta.url).href,
  ja: new URL("./languages/ja.js", import.meta.url).href,
  ko: new URL("./languages/ko.js", import.meta.url).href,
  pt: new URL("./languages/pt.js", import.meta.url).href,
  zh: new URL("./languages/zh.js", import.meta.url).href,
};
const RIGHT_TO_LEFT = ["ar", "fa", "he", "ur"];

/**
 * Return the translation of any table of English strings, and the direction of the box; "" for the page's.
 *
 * @param {string} lang  such as "pt-BR"
 * @returns {Promise<[<T>(english: T) => T, string]>}
 */
export async function translator(lang) {
  const language = lang.toLowerCase().split("-")[0] ?? "";
  const direction = RIGHT_TO_LEFT.includes(language) ? "rtl" : "";
  const file = FILES[language];
  if (!file) return [(english) => english, direction];
  const { table } = await importModule(file).catch(() => ({ table: {} })); // the box is then in English
  return [translation(table, language), direction];
}

/**
 * @param {Table} table
 * @param {string} language
 * @returns {<T>(english: T) => T}
 */
export function translation(table, language) {
  const texts = new Texts(table, language);
  return (english) => /** @type {any} */ (texts.translateTable(english, table));
}

class Texts {
  #table;
  #plural;
  #write;

  /**
   * @param {Table} table
   * @param {string} language
   */
  constructor(table, language) {
    this.#table = table;
    this.#plural = new Intl.PluralRules(language);
    this.#write = (/** @type {number} */ value, decimals = 0) =>
      value.toLocaleString(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  }

  /**
   * @param {any} english
   * @param {any} table
   * @returns {any}
   */
  translateTable(english, table) {
    if (Array.isArray(english)) return english.map((value, at) => this.#entry(value, table[at], ""));
    return Object.fromEntries(Object.entries(english).map(([key, value]) => [key, this.#entry(value, table[key], key)]));
  }

  /**
   * @param {any} english
   * @param {any} entry
   * @param {string} key
   */
  #entry(english, entry, key) {
    if (entry === undefined) return english;
    if (key === "amount") {
      const join = (/** @type {string} */ loaded, /** @type {string} */ total, /** @type {string} */ unit) => this.#fill(entry, { loaded, total, unit });
      return (/** @type {number[]} */ ...bytes) => english(...bytes, this.#write, join);
    }
    if (key === "results") return (/** @type {number} */ count, isMore = false) => this.#formatResults(count, isMore);
    if (key === "announce")
      return (/** @type {number} */ count, /** @type {string} */ query, isMore = false) =>
        this.#fill(entry, { results: this.#formatResults(count, isMore), query });
    if (typeof english === "function")
      return (/** @type {string | number} */ value) =>
        typeof value === "number" ? this.#formatCount(entry, value) : this.#fill(entry, { query: value, amount: value });
    return typeof english === "object" ? this.translateTable(english, entry) : entry;
  }

  /**
   * @param {string} text
   * @param {Record<string, string>} values
   */
  #fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "").trim();
  }

  /**
   * @param {Translation} forms
   * @param {number} count
   */
  #formatCount(forms, count) {
    const text = typeof forms === "string" ? forms : (forms[this.#plural.select(count)] ?? forms.other ?? "");
    return this.#fill(text, { count: this.#write(count) });
  }

  /**
   * @param {number} count
   * @param {boolean} isMore
   */
  #formatResults(count, isMore) {
    return this.#formatCount(isMore ? this.#table.truncated : this.#table.results, count);
  }
}
