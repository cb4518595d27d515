/** The details of the selected row: the text of its section with marks, and why it is where it is. */

import { CROSS, element, icon } from "./dom.js";
import { decodePart, splitMarks, wordPattern } from "./marks.js";
import { readSection } from "./section-text.js";

/** @import { ExtraStrings } from "./extra-strings.js" */
/** @import { Hit, RetrievedChunk } from "../protocol.js" */
/** @import { Block } from "./section-text.js" */
/** @import { Search, SelectedPage, VisibleAnswer } from "./extras.js" */
/** @import { SearchPanel } from "./search-panel.js" */

/** @typedef {"preview" | "why"} DetailView */

const MAX_CHUNKS = 40;
const MAX_CHARS = 6000;

export class DetailPane {
  #panel;
  #strings;
  #search;
  #selected;
  /** @type {DetailView} */
  #view = "preview";
  #contentKey = "";
  /** Whether the reader wants details; without rows they are hidden. */
  #isEnabled = false;
  #controller = new AbortController();
  #text = element("div", { class: "pane-text", tabindex: 0, role: "region" });
  #tabs;
  #element;

  /**
   * @param {SearchPanel} panel
   * @param {ExtraStrings} strings
   * @param {Search} search
   * @param {() => SelectedPage | null} selected
   */
  constructor(panel, strings, search, selected) {
    this.#panel = panel;
    this.#search = search;
    this.#strings = strings;
    this.#tabs = { preview: makeTab(strings.preview), why: makeTab(strings.why) };
    this.#selected = selected;
    const close = element("button", { type: "button", class: "tool", "aria-label": strings.closeDetails }, icon(CROSS));
    close.addEventListener("click", () => this.close());
    for (const view of /** @type {DetailView[]} */ (["preview", "why"])) this.#tabs[view].addEventListener("click", () => this.show(view));
    const head = element("div", { class: "pane-head" }, this.#tabs.preview, this.#tabs.why, close);
    this.#element = element("div", { class: "pane", hidden: true }, head, this.#text);
    panel.view.body.after(this.#element);
    new MutationObserver(() => this.refresh()).observe(panel.input, { attributeFilter: ["aria-activedescendant"] });
  }

  get isOpen() {
    return !this.#element.hidden && this.#element.getClientRects().length > 0;
  }

  /** @param {DetailView} view */
  show(view) {
    this.#view = view;
    this.#isEnabled = true;
    for (const [name, button] of Object.entries(this.#tabs)) button.setAttribute("aria-pressed", String(name === view));
    this.#text.ariaLabel = view === "why" ? this.#strings.why : this.#strings.preview;
    this.#contentKey = "";
    this.refresh();
  }

  /** Move the focus to the text: a screen reader says what it is, and Tab continues there. */
  focus() {
    this.#text.focus({ preventScroll: true });
  }

  close() {
    this.#isEnabled = false;
    this.refresh();
    this.#panel.input.focus();
  }

  /** Show the details of the row that is selected now. */
  refresh() {
    this.#element.hidden = !this.#isEnabled || this.#panel.list.count === 0;
    if (this.#element.hidden) {
      this.#controller.abort();
      this.#contentKey = "";
      this.#text.replaceChildren(); // the page may be private, and locked now
      return;
    }
    const [selected, visible, link] = [this.#selected(), this.#panel.state.answer, this.#panel.list.selected];
    if (!selected || !visible || !link) return;
    const contentKey = [this.#view, visible.query, selected.id, link.hash].join("\0");
    if (contentKey === this.#contentKey) return;
    this.#contentKey = contentKey;
    this.#controller.abort();
    const { signal } = (this.#controller = new AbortController());
    const section = decodePart(link.hash.slice(1));
    const content =
      this.#view === "why" ? this.#makeExplanation(selected, visible, signal) : this.#makePreview(selected, visible, link.href, section, signal);
    content
      .catch(() => [element("p", {}, this.#strings.failed)])
      .then((nodes) => {
        if (signal.aborted) return;
        this.#text.replaceChildren(...nodes);
        this.#scrollToMark();
      });
    if (!this.#text.hasChildNodes()) this.#text.replaceChildren(element("p", {}, this.#strings.loading));
  }

  /** Scroll to the first mark, if it is too far down. */
  #scrollToMark() {
    const mark = this.#text.querySelector("mark");
    const distance = mark ? mark.getBoundingClientRect().top - this.#text.getBoundingClientRect().top + this.#text.scrollTop : 0;
    this.#text.scrollTop = distance > this.#text.clientHeight * 0.75 ? distance - this.#text.clientHeight / 4 : 0;
  }

  /**
   * @param {SelectedPage} selected
   * @param {VisibleAnswer} visible
   * @param {string} href
   * @param {string} section  an anchor; empty for the whole page
   * @param {AbortSignal} signal
   */
  async #makePreview(selected, visible, href, section, signal) {
    const pattern = makePattern(visible.result.hits);
    const blocks = await readSection(href.replace(/#.*/, ""), selected.hit?.title ?? "", section, signal);
    const isTitle = (/** @type {Block} */ { kind, text }) => kind === "heading" && text === selected.title;
    const elements = blocks.filter((block, at) => at > 0 || !isTitle(block)).map((block) => makeBlock(block, pattern));
    const parts = elements.length ? elements : await this.#fetchPassages(selected, visible, section, pattern, signal);
    return [element("h2", {}, selected.title), ...(parts.length ? parts : [element("p", {}, this.#strings.noPreview)])];
  }

  /**
   * Return the matching passages of the index, for a page whose HTML does not arrive or has no such section.
   *
   * @param {SelectedPage} selected
   * @param {VisibleAnswer} visible
   * @param {string} section
   * @param {RegExp | null} pattern
   * @param {AbortSignal} signal
   */
  async #fetchPassages({ id }, visible, section, pattern, signal) {
    const options = { item: id, topK: MAX_CHUNKS, maxChars: MAX_CHARS, signal };
    const { client } = this.#panel.options;
    const { chunks } = await client.use((engine) => engine.retrieve(visible.query, options));
    const sectionChunks = chunks.filter(({ anchor }) => section === "" || anchor === section);
    const passages = sectionChunks.length ? sectionChunks : chunks;
    return passages.flatMap((chunk, at) => makePassage(chunk, passages.slice(0, at), pattern));
  }

  /**
   * @param {SelectedPage} selected
   * @param {VisibleAnswer} visible
   * @param {AbortSignal} signal
   */
  async #makeExplanation({ hit, title }, visible, signal) {
    if (!hit) return [element("h2", {}, title), element("p", {}, this.#strings.suggested)];
    const { hits: rows, unsettled } = visible.result;
    const { hits } = await this.#search(visible.query, { explain: true, typing: unsettled === true, limit: rows.length, signal });
    const { coverage, explain, level, rank, title: pageTitle } = hits.find(({ id }) => id === hit.id) ?? hit;
    const { confidence, covers, levels, place } = this.#strings;
    const summary = `${place(rank)} · ${confidence(levels[level] ?? level)}\n${covers[coverage] ?? ""}`;
    const bars = explain ? [...makeLegBars(explain, this.#strings), ...makeStepBars(explain, this.#strings)] : [];
    return [element("h2", {}, pageTitle), element("p", {}, summary), ...bars];
  }
}

/** @param {string} label */
function makeTab(label) {
  return element("button", { type: "button", class: "chip", "aria-pressed": "false" }, label);
}

/**
 * @param {Block} block
 * @param {RegExp | null} pattern
 */
function makeBlock({ kind, text }, pattern) {
  if (kind === "heading") return element("h3", {}, ...markWords(text, pattern));
  return element("p", kind === "code" ? { class: "code" } : {}, ...markWords(text, pattern));
}

/**
 * @param {RetrievedChunk} chunk
 * @param {RetrievedChunk[]} before  chunks overlap: their paragraphs are not repeated
 * @param {RegExp | null} pattern
 */
function makePassage({ content, headerBreadcrumb, title }, before, pattern) {
  const path = headerBreadcrumb.startsWith(`${title} > `) ? headerBreadcrumb.slice(title.length + 3) : "";
  const heading = path && before.at(-1)?.headerBreadcrumb !== headerBreadcrumb ? [element("h3", {}, path.replaceAll(" > ", " › "))] : [];
  const isNew = (/** @type {string} */ text) => !before.some((chunk) => chunk.content.includes(text));
  const newTexts = content.split(/\n{2,}/).map((text) => text.trim()).filter(isNew);
  return [...heading, ...newTexts.map((text) => element("p", {}, ...markWords(text, pattern)))];
}

/**
 * Return a pattern for the words that are marked in the rows; null if none are.
 *
 * @param {Hit[]} hits
 */
function makePattern(hits) {
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
 */
function markWords(text, pattern) {
  if (!pattern) return [text];
  return text.split(pattern).map((piece, at) => (at % 2 ? element("mark", {}, piece) : piece));
}

const formatNumber = (/** @type {number} */ value) => value.toLocaleString(undefined, { maximumSignificantDigits: 3 });

/**
 * @param {string} name
 * @param {string} value
 * @param {number} share  0 to 1
 * @param {string} [reason]
 */
function makeBar(name, value, share, reason = "") {
  const fill = element("span");
  fill.style.setProperty("--share", String(Math.min(Math.max(share, 0), 1)));
  const reasonCells = reason ? [element("dd", { class: "reason" }, reason)] : [];
  return element(
    "div",
    {},
    element("dt", {}, name),
    element("dd", { class: "bar", "aria-hidden": "true" }, fill),
    element("dd", {}, value),
    ...reasonCells,
  );
}

/**
 * @param {NonNullable<Hit["explain"]>} explain
 * @param {ExtraStrings} strings
 */
function makeLegBars({ legs }, strings) {
  const max = Math.max(...legs.map(({ rrf }) => rrf), 0) || 1;
  const rows = legs.map(({ leg, rank, rrf }) => makeBar(strings.legs[leg] ?? leg, `${formatNumber(rrf)} · ${strings.legRank(rank)}`, rrf / max));
  return rows.length ? [element("h3", {}, strings.legsTitle), element("dl", { class: "bars" }, ...rows)] : [];
}

/**
 * @param {NonNullable<Hit["explain"]>} explain
 * @param {ExtraStrings} strings
 */
function makeStepBars({ baseScore, steps, finalScore }, strings) {
  const max = Math.max(baseScore, finalScore, ...steps.map(({ score }) => score)) || 1;
  const rows = steps.map(({ stage, effect, score, reason }) => makeBar(stage, `${effect} = ${formatNumber(score)}`, score / max, reason));
  const first = makeBar(strings.base, formatNumber(baseScore), baseScore / max);
  const last = makeBar(strings.final, formatNumber(finalScore), finalScore / max);
  return [element("h3", {}, strings.stepsTitle), element("dl", { class: "bars" }, first, ...rows, last)];
}
