/** The details of the selected row: the text of its section with marks, and why it is where it is. */

import { CROSS, element, icon } from "./dom.js";
import { splitMarks, wordPattern } from "./marks.js";
import { decoded } from "./query-filters.js";
import { sectionText } from "./section-text.js";

/** @import { ExtraStrings } from "./extra-strings.js" */
/** @import { Hit, RetrievedChunk } from "../protocol.js" */
/** @import { Block } from "./section-text.js" */
/** @import { Selected, Visible } from "./extras.js" */
/** @import { SearchPanel } from "./search-panel.js" */

/** @typedef {"preview" | "why"} What */

const CHUNKS = 40;
const CHARACTERS = 6000;
const LONGEST = 20_000; // characters of a section

export class DetailPane {
  /** @type {SearchPanel} */
  #panel;
  /** @type {ExtraStrings} */
  #words;
  /** @type {() => Selected | null} */
  #selected;
  /** @type {What} */
  #what = "preview";
  #shown = "";
  /** Whether the reader wants details; without rows they are hidden. */
  #isOn = false;
  #asking = new AbortController();
  #text = element("div", { class: "pane-text", tabindex: 0, role: "region" });
  /** @type {Record<What, HTMLButtonElement>} */
  #tabs;
  /** @type {HTMLElement} */
  #element;

  /**
   * @param {SearchPanel} panel
   * @param {ExtraStrings} words
   * @param {() => Selected | null} selected
   */
  constructor(panel, words, selected) {
    this.#panel = panel;
    this.#words = words;
    this.#tabs = { preview: tab(words.preview), why: tab(words.why) };
    this.#selected = selected;
    const close = element("button", { type: "button", class: "tool", "aria-label": words.closeDetails }, icon(CROSS));
    close.addEventListener("click", () => (this.close(), panel.input.focus()));
    for (const what of /** @type {What[]} */ (["preview", "why"])) this.#tabs[what].addEventListener("click", () => this.show(what));
    const head = element("div", { class: "pane-head" }, this.#tabs.preview, this.#tabs.why, close);
    this.#element = element("div", { class: "pane", hidden: true }, head, this.#text);
    panel.view.body.after(this.#element);
    new MutationObserver(() => this.refresh()).observe(panel.input, { attributeFilter: ["aria-activedescendant"] });
  }

  get isOpen() {
    return !this.#element.hidden && this.#element.getClientRects().length > 0;
  }

  /** @param {What} what */
  show(what) {
    this.#what = what;
    this.#isOn = true;
    for (const [name, button] of Object.entries(this.#tabs)) button.setAttribute("aria-pressed", String(name === what));
    this.#text.ariaLabel = what === "why" ? this.#words.why : this.#words.preview;
    this.#shown = "";
    this.refresh();
  }

  close() {
    this.#isOn = false;
    this.refresh();
  }

  /** Show the details of the row that is selected now. */
  refresh() {
    this.#element.hidden = !this.#isOn || this.#panel.list.count === 0;
    if (this.#element.hidden) {
      this.#asking.abort();
      this.#shown = "";
      return;
    }
    const [selected, visible, link] = [this.#selected(), this.#panel.state.answer, this.#panel.list.selected];
    if (!selected || !visible || !link) return;
    const shows = [this.#what, visible.query, selected.id, link.hash].join("\0");
    if (shows === this.#shown) return;
    this.#shown = shows;
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    const section = decoded(link.hash.slice(1));
    const content =
      this.#what === "why" ? this.#explained(selected, visible, signal) : this.#previewed(selected, visible, link.href, section, signal);
    content
      .catch(() => [element("p", {}, this.#words.failed)])
      .then((nodes) => {
        if (signal.aborted) return;
        this.#text.replaceChildren(...nodes);
        this.#reveal();
      });
    if (!this.#text.hasChildNodes()) this.#text.replaceChildren(element("p", {}, this.#words.loading));
  }

  /** Scroll to the first mark, if it is too far down. */
  #reveal() {
    const mark = this.#text.querySelector("mark");
    const distance = mark ? mark.getBoundingClientRect().top - this.#text.getBoundingClientRect().top + this.#text.scrollTop : 0;
    this.#text.scrollTop = distance > this.#text.clientHeight * 0.75 ? distance - this.#text.clientHeight / 4 : 0;
  }

  /**
   * @param {Selected} selected
   * @param {Visible} visible
   * @param {string} href
   * @param {string} section  an anchor; empty for the whole page
   * @param {AbortSignal} signal
   */
  async #previewed(selected, visible, href, section, signal) {
    const pattern = patternOf(visible.result.hits);
    const blocks = await sectionText(href.replace(/#.*/, ""), section, LONGEST, signal);
    const isTitle = (/** @type {Block} */ { kind, text }) => kind === "heading" && text === selected.title;
    const shown = blocks.filter((block, at) => at > 0 || !isTitle(block)).map((block) => blockNode(block, pattern));
    const parts = shown.length ? shown : await this.#passages(selected, visible, section, pattern, signal);
    return [element("h2", {}, selected.title), ...(parts.length ? parts : [element("p", {}, this.#words.noPreview)])];
  }

  /**
   * Return the matching passages of the index, for a page whose HTML does not arrive or has no such section.
   *
   * @param {Selected} selected
   * @param {Visible} visible
   * @param {string} section
   * @param {RegExp | null} pattern
   * @param {AbortSignal} signal
   */
  async #passages({ id }, visible, section, pattern, signal) {
    const narrowed = { item: id, topK: CHUNKS, maxChars: CHARACTERS, signal };
    const { client } = this.#panel.options;
    const { chunks } = await client.use((engine) => engine.retrieve(visible.query, narrowed));
    const own = chunks.filter(({ anchor }) => section === "" || anchor === section);
    const shown = own.length ? own : chunks;
    return shown.flatMap((chunk, at) => passage(chunk, shown.slice(0, at), pattern));
  }

  /**
   * @param {Selected} selected
   * @param {Visible} visible
   * @param {AbortSignal} signal
   */
  async #explained({ hit, title }, visible, signal) {
    if (!hit) return [element("h2", {}, title), element("p", {}, this.#words.suggested)];
    const pageLang = document.documentElement.lang;
    const limit = visible.result.hits.length;
    const options = { explain: true, prefix: true, typing: visible.result.unsettled === true, limit, pageLang, signal };
    const { hits } = await this.#panel.options.client.search(visible.query, options);
    const same = hits.find(({ id }) => id === hit.id) ?? hit;
    const { confidence, covers, levels, place } = this.#words;
    const about = [
      element("h2", {}, same.title),
      element("p", {}, `${place(same.rank)} · ${confidence(levels[same.level] ?? same.level)}\n${covers[same.coverage] ?? ""}`),
    ];
    return same.explain ? [...about, ...legBars(same.explain, this.#words), ...stepBars(same.explain, this.#words)] : about;
  }
}

/** @param {string} label */
function tab(label) {
  return element("button", { type: "button", class: "chip", "aria-pressed": "false" }, label);
}

/**
 * @param {Block} block
 * @param {RegExp | null} pattern
 */
function blockNode({ kind, text }, pattern) {
  if (kind === "heading") return element("h3", {}, ...marked(text, pattern));
  return element("p", kind === "code" ? { class: "code" } : {}, ...marked(text, pattern));
}

/**
 * @param {RetrievedChunk} chunk
 * @param {RetrievedChunk[]} before  chunks overlap: their paragraphs are not repeated
 * @param {RegExp | null} pattern
 */
function passage({ content, headerBreadcrumb, title }, before, pattern) {
  const path = headerBreadcrumb.startsWith(`${title} > `) ? headerBreadcrumb.slice(title.length + 3) : "";
  const heading = path && before.at(-1)?.headerBreadcrumb !== headerBreadcrumb ? [element("h3", {}, path.replaceAll(" > ", " › "))] : [];
  const isNew = (/** @type {string} */ text) => !before.some((chunk) => chunk.content.includes(text));
  const fresh = content.split(/\n{2,}/).map((text) => text.trim()).filter(isNew);
  return [...heading, ...fresh.map((text) => element("p", {}, ...marked(text, pattern)))];
}

/**
 * Return a pattern for the words that are marked in the rows; null if none are.
 *
 * @param {Hit[]} hits
 */
function patternOf(hits) {
  const texts = hits.flatMap(({ titleHighlight, snippet, subResults }) => [
    titleHighlight,
    snippet,
    ...subResults.flatMap((section) => [section.titleHighlight, section.snippet]),
  ]);
  const words = new Set(texts.flatMap(splitMarks).flatMap(({ text, marked }) => (marked ? [text.toLowerCase()] : [])));
  return words.size ? wordPattern(words) : null;
}

/**
 * @param {string} text
 * @param {RegExp | null} pattern
 * @returns {(Node | string)[]}
 */
function marked(text, pattern) {
  if (!pattern) return [text];
  return text.split(pattern).map((piece, at) => (at % 2 ? element("mark", {}, piece) : piece));
}

const number = (/** @type {number} */ value) => value.toLocaleString(undefined, { maximumSignificantDigits: 3 });

/**
 * @param {string} name
 * @param {string} value
 * @param {number} share  0 to 1
 * @param {string} [why]
 */
function bar(name, value, share, why = "") {
  const drawn = element("span");
  drawn.style.setProperty("--share", String(Math.min(Math.max(share, 0), 1)));
  const reason = why ? [element("dd", { class: "reason" }, why)] : [];
  return element(
    "div",
    {},
    element("dt", {}, name),
    element("dd", { class: "bar", "aria-hidden": "true" }, drawn),
    element("dd", {}, value),
    ...reason,
  );
}

/**
 * @param {NonNullable<Hit["explain"]>} explain
 * @param {ExtraStrings} words
 */
function legBars({ legs }, words) {
  const most = Math.max(...legs.map(({ rrf }) => rrf), 0) || 1;
  const rows = legs.map(({ leg, rank, rrf }) => bar(words.legs[leg] ?? leg, `${number(rrf)} · ${words.legRank(rank)}`, rrf / most));
  return rows.length ? [element("h3", {}, words.legsTitle), element("dl", { class: "bars" }, ...rows)] : [];
}

/**
 * @param {NonNullable<Hit["explain"]>} explain
 * @param {ExtraStrings} words
 */
function stepBars({ baseScore, steps, finalScore }, words) {
  const most = Math.max(baseScore, finalScore, ...steps.map(({ score }) => score)) || 1;
  const rows = steps.map(({ stage, effect, score, why }) => bar(stage, `${effect} = ${number(score)}`, score / most, why));
  const all = [bar(words.base, number(baseScore), baseScore / most), ...rows, bar(words.final, number(finalScore), finalScore / most)];
  return [element("h3", {}, words.stepsTitle), element("dl", { class: "bars" }, ...all)];
}
