/** The features of a box in use: its place in the history, recent searches, keys, and marks on the page of a result. */

import { importModule } from "../modules.js";
import { DialogFooter } from "./dialog-footer.js";
import { element } from "./dom.js";
import { featureStrings } from "./feature-strings.js";
import { featureStyles } from "./feature-styles.js";
import { IdleView } from "./idle-view.js";
import { hasMarks, storeMarks } from "./marks-store.js";
import { RecentSearches } from "./recent-searches.js";
import { isSuggested } from "./state.js";
import { DialogHistory, PageHistory, withQuery } from "./search-history.js";

/** @import { Answers } from "./answers.js" */
/** @import { LayerControl } from "./layer-control.js" */
/** @import { RanvierSearch } from "./search-box.js" */
/** @import { FeatureStrings } from "./feature-strings.js" */
/** @import { PageMarks } from "./page-marks.js" */
/** @import { SearchPanel } from "./search-panel.js" */

/**
 * @typedef {object} BoxParts
 * @property {RanvierSearch} host
 * @property {ShadowRoot} root
 * @property {SearchPanel} panel
 * @property {AbortSignal} signal  aborted when the box leaves the page
 */

const TABBABLE = "input, select, button:not(:disabled), a[href]:not([tabindex='-1']), [tabindex='0']";

export class BoxFeatures {
  #box;
  #history;
  #idle;
  /** @type {Promise<PageMarks | null> | null} */
  #marks = null;
  #searches;
  #strings;
  /** @type {DialogFooter | null} */
  #footer = null;
  /** @type {HTMLElement | null} */
  #strip = null;
  #query = "";
  /** @type {LayerControl | null} */
  #layers = null;

  /** @param {BoxParts} box */
  constructor(box) {
    this.#box = box;
    box.root.adoptedStyleSheets.push(featureStyles);
    const strings = (this.#strings = box.panel.options.translate(featureStrings));
    this.#searches = box.host.getAttribute("recent") === "off" ? null : new RecentSearches(box.panel.options.client.base);
    this.#idle = new IdleView(box, strings, this.#searches);
    if (hasMarks()) void this.#loadMarks().then((marks) => marks?.show()); // the page may be the one of an opened result
    const isInline = box.host.hasAttribute("inline");
    if (!isInline) box.panel.element.append((this.#strip = element("div", { class: "foot" }, makeKeyHints(strings))));
    this.#history = isInline ? new PageHistory(box) : new DialogHistory(box);
    this.#history.start();
    if (!isInline) box.panel.element.addEventListener("keydown", (event) => this.#keepFocus(event));
    // From now on the entry file is needed anyway.
    const { input, options } = box.panel;
    /** @type {Promise<void> | undefined} */
    let offered;
    const offerLayers = () => void (offered ??= this.#offerLayers().catch(() => {})); // the search works without
    if (/** @type {ShadowRoot} */ (box.root).activeElement === input) offerLayers();
    else input.addEventListener("focus", offerLayers);
    options.client.addEventListener("layer", offerLayers, { signal: box.signal }); // another box has opened or locked one
  }

  /** Add the button that unlocks, if the site has encrypted layers: the entry file names their keys, or the address does. */
  async #offerLayers() {
    const { panel } = this.#box;
    const { client } = panel.options;
    const fileName = /^#unlock=([a-z0-9-]+)$/.exec(location.hash)?.[1];
    await client.folders();
    const { engine } = client;
    if (!engine || !("unlock" in engine)) return; // several sites
    const { audience = "public", locked } = engine.status(); // the entry file of an open layer names no keys
    if (!fileName && !locked && audience === "public") return;
    /** @type {typeof import("./layer-control.js")} */
    const { LayerControl } = await importModule(new URL("./layer-control.js", import.meta.url).href);
    this.#layers = new LayerControl(this.#box, this.#strip ?? panel.element, fileName);
  }

  #loadMarks() {
    return (this.#marks ??= importModule(new URL("./page-marks.js", import.meta.url).href)
      .then(({ PageMarks }) => new PageMarks(this.#box, this.#strings))
      .catch(() => (this.#marks = null))); // the search works without
  }

  /**
   * Keep the focus in the dialog: Tab wraps around.
   *
   * @param {KeyboardEvent} event
   */
  #keepFocus(event) {
    if (event.key !== "Tab") return;
    const { panel, root } = this.#box;
    const elements = [...panel.element.querySelectorAll(TABBABLE)].filter((item) => item.getClientRects().length > 0);
    const lastElement = event.shiftKey ? elements.at(0) : elements.at(-1);
    const nextElement = event.shiftKey ? elements.at(-1) : elements.at(0);
    if (root.activeElement !== lastElement || !(nextElement instanceof HTMLElement)) return;
    event.preventDefault();
    nextElement.focus();
  }

  /** The dialog is open. */
  onOpen() {
    void this.#marks?.then((marks) => marks?.clear());
    this.#idle.refresh();
    this.#history.onOpen();
  }

  onClose() {
    this.#history.onClose();
  }

  /** A search starts. @param {string} query */
  onQuery(query) {
    this.#query = query;
    this.#history.onQuery(query);
    this.#updateShareLink();
  }

  /** The first search starts: show the engine's progress and the footer's actions. @param {Answers} answers */
  onAnswers(answers) {
    const { panel, signal } = this.#box;
    signal.addEventListener("abort", answers.connect());
    if (!this.#strip) return;
    this.#footer = new DialogFooter(panel, answers);
    const strip = this.#strip;
    strip.append(...this.#footer.elements);
    void answers.extras.then((extras) => extras?.addTo(strip, signal));
    this.#updateShareLink();
  }

  #updateShareLink() {
    const page = new URL(this.#box.host.getAttribute("page") ?? location.href, document.baseURI).href;
    this.#footer?.share(this.#query && withQuery(page, this.#query), this.#query);
  }

  /** An answer is in the list. */
  onResults() {
    this.#history.onResults();
    void this.#loadMarks(); // the reader may open a result next
  }

  /** The reader opens a result in this tab. @param {HTMLAnchorElement} link */
  onLeave(link) {
    const { panel } = this.#box;
    const { audience = "public" } = panel.options.client.engine?.status() ?? {};
    if (audience === "public") this.#searches?.add(panel.query); // words of a private page are private
    this.#history.onLeave(link);
    if (this.#layers?.openLink(link)) return;
    storeMarks(link, panel.query, !isSuggested(panel.state));
    void this.#loadMarks().then((marks) => marks?.follow());
  }
}

/** @param {FeatureStrings} strings */
function makeKeyHints({ keyMove, keyGo, keyClose }) {
  const key = (/** @type {string[]} */ names, /** @type {string} */ label) =>
    element("span", {}, ...names.map((name) => element("kbd", { class: "key" }, name)), label);
  const all = [key(["↑", "↓"], keyMove), key(["↵"], keyGo), key(["Esc"], keyClose)];
  return element("div", { class: "keys", "aria-hidden": "true" }, ...all);
}
