/**
 * `<ranvier-search base="../_ranvier/">`: a search box for any page.
 *
 * | attribute     | meaning |
 * | ------------- | ------- |
 * | `base`        | the location of the index: the address of the `_ranvier/` folder, relative to the page |
 * | `sites`       | several sites in one list: the addresses of their `_ranvier/` folders, `=0.8` at the end of one is its weight |
 * | `placeholder` | the placeholder text of the field |
 * | `inline`      | field and results are part of the page, and the page's address contains the query (`?q=`) |
 * | `focused`     | with `inline`: the field has the focus from the start (`autofocus` is reserved for the browser) |
 * | `page`        | without `inline`: the address of a page with an inline box, for links to a search |
 * | `preload`     | `idle`: on a good connection the engine starts when the page is idle; otherwise at the first sign of a search |
 * | `theme`       | `light`, `dark`, or `auto` (default): the scheme of the page |
 * | `lang`        | language of the box's texts; default: the language of the page |
 * | `recent`      | `off`: no recent searches are kept |
 *
 * Without `inline` it is a button that opens a dialog, as do ⌘K (Ctrl-K) and `/`. `open` is set while the dialog is open.
 * Events: `ranvier-open`, `ranvier-results`, `ranvier-select` (cancelable).
 */

import { importModule } from "../modules.js";
import { element, GLASS, icon } from "./dom.js";
import { engineClient } from "./engine-client.js";
import { isApple, isTextTarget, pageAction, queryFromSelection } from "./key-bindings.js";
import { SearchPanel } from "./search-panel.js";
import { followScheme, pageScheme } from "./scheme.js";
import { strings } from "./strings.js";
import { makePageStyles, styleSheet } from "./styles.js";
import { MARKS_KEY, queryOf } from "./urls.js";

/** @import { EngineClient } from "./engine-client.js" */
/** @import { BoxFeatures } from "./box-features.js" */
/** @import { Hit } from "../protocol.js" */

/** The `_ranvier/` folder: this module is in a hashed folder below it. */
const DEFAULT_BASE = new URL("../../", import.meta.url).href;
/** Languages with a translation of the box's strings, or with another direction. */
const TRANSLATED = /^(ar|da|de|es|fa|fr|he|it|ja|ko|pt|ur|zh(?!-(hant|hk|mo|tw)))\b/i;

/** The custom element. */
export class RanvierSearch extends HTMLElement {
  /** @type {ShadowRoot} */
  #root;
  #apple = isApple(navigator.platform);
  /** @type {SearchPanel | null} */
  #panel = null;
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  #strings = strings;
  /** Translates a table of English strings. @type {<T>(english: T) => T} */
  #translate = (english) => english;
  #direction = "";
  /** Of a call of `open` before the strings are translated. @type {string | null} */
  #firstQuery = null;
  /** Styles that depend on the page. */
  #pageStyles = new CSSStyleSheet();
  /** @type {Promise<BoxFeatures> | null} */
  #features = null;
  /** @type {HTMLElement | null} */
  #returnTo = null;
  /**
   * Set by the page: returns other content for the link of a hit, or nothing.
   *
   * @type {((hit: Hit, link: HTMLAnchorElement) => Node | null | void) | null}
   */
  renderHit = null;
  /** Aborted on disconnect. */
  #connection = new AbortController();

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = [styleSheet, this.#pageStyles];
  }

  connectedCallback() {
    const { signal } = (this.#connection = new AbortController());
    const lang = this.closest("[lang]")?.getAttribute("lang") ?? document.documentElement.lang;
    followScheme(() => this.#updateStyles(), signal);
    this.#updateStyles();
    document.addEventListener("keydown", (event) => this.#handleKey(event), { signal });
    if (!TRANSLATED.test(lang)) return this.#build(signal);
    /** @type {Promise<typeof import("./translation.js")>} */
    const translation = importModule(new URL("./translation.js", import.meta.url).href);
    translation
      .then(async ({ translator }) => {
        [this.#translate, this.#direction] = await translator(lang);
        this.#strings = this.#translate(strings);
        this.#updateStyles();
      })
      .catch(() => {}) // the box is then in English
      .finally(() => signal.aborted || this.#build(signal));
  }

  /** @param {AbortSignal} signal */
  #build(signal) {
    const base = new URL(this.getAttribute("base") ?? DEFAULT_BASE, document.baseURI).href;
    const client = engineClient(base, this.getAttribute("sites") ?? "");
    const panel = (this.#panel = new SearchPanel({
      client,
      placeholder: this.getAttribute("placeholder") || this.#strings.placeholder,
      strings: this.#strings,
      translate: this.#translate,
      render: (hit, link) => this.renderHit?.(hit, link),
      onQuery: (query) => this.#withFeatures((features) => features.onQuery(query)),
      onAnswers: (answers) => this.#withFeatures((features) => features.onAnswers(answers)),
      onResults: (query, result) => {
        this.#withFeatures((features) => features.onResults());
        this.#emit("ranvier-results", { query, ...result });
      },
      onLeave: (link, event) => {
        const isHere = link.href === location.href && !link.hash; // the browser would load the page again
        if (!this.#emit("ranvier-select", { url: link.href, query: panel.query.trim(), link }) || isHere) event.preventDefault();
        this.#withFeatures((features) => features.onLeave(link));
        this.close();
      },
      onClose: this.#inline ? null : () => this.close(),
    }));
    for (const type of /** @type {const} */ (["keydown", "keypress", "keyup"])) panel.element.addEventListener(type, (event) => this.#stopKey(event));
    if (this.#inline) this.#buildInline(panel);
    else this.#buildDialog(panel, client);
    if (this.#firstQuery !== null) this.open(this.#firstQuery);
    if (this.#inline || hasSearchState()) this.#withFeatures();
    const isPreloading = this.getAttribute("preload") === "idle";
    if (isPreloading || navigator.serviceWorker?.controller) {
      importModule(new URL("./idle.js", import.meta.url).href)
        .then(({ runIdleTasks }) => runIdleTasks(client, isPreloading, signal))
        .catch(() => {}); // the search works without
    }
  }

  disconnectedCallback() {
    this.#connection.abort();
    this.#features = this.#panel = this.#firstQuery = null;
    this.close();
  }

  /**
   * Open the dialog, or focus the field of an inline box.
   *
   * @param {string} [query] an initial query
   */
  open(query = "") {
    if (!this.#panel) return void (this.#firstQuery = query);
    if (this.#dialog && !this.#dialog.open) {
      this.#emit("ranvier-open");
      this.#withFeatures((features) => features.onOpen());
      const activeElement = document.activeElement;
      this.#returnTo = activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
      this.#dialog.showModal();
      this.toggleAttribute("open", true);
    }
    if (query) this.#panel.search(query);
    this.#panel.focus();
  }

  /** Close the dialog, and restore the focus. */
  close() {
    this.#firstQuery = null;
    if (this.#dialog?.open) this.#dialog.close();
  }

  get #inline() {
    return this.hasAttribute("inline");
  }

  #updateStyles() {
    const theme = this.getAttribute("theme");
    const isDark = theme === "dark" || (theme !== "light" && pageScheme() === "dark");
    this.#pageStyles.replaceSync(makePageStyles(isDark, getComputedStyle(this).fontSize, this.#direction));
  }

  /**
   * Load the features of a box in use, and then call a function with them.
   *
   * @param {(features: BoxFeatures) => void} [action]
   */
  #withFeatures(action) {
    const panel = this.#panel;
    if (!panel) return;
    this.#features ??= importModule(new URL("./box-features.js", import.meta.url).href).then(
      ({ BoxFeatures }) => new BoxFeatures({ host: this, root: this.#root, panel, signal: this.#connection.signal }),
    );
    this.#features.then(action).catch(() => (this.#features = null)); // the search works without
  }

  /**
   * @param {string} name
   * @param {object} [detail]
   * @returns {boolean} whether the page lets the default action happen
   */
  #emit(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true, composed: true, detail }));
  }

  /** @param {SearchPanel} panel */
  #buildInline(panel) {
    this.#dialog = null;
    panel.element.setAttribute("role", "search");
    this.#root.replaceChildren(panel.element);
    const query = queryOf(location.href);
    if (query) panel.search(query);
    if (this.hasAttribute("focused")) panel.focus();
  }

  /**
   * @param {SearchPanel} panel
   * @param {EngineClient} client
   */
  #buildDialog(panel, client) {
    const trigger = this.#makeTrigger();
    const dialog = element("dialog", { part: "dialog", "aria-label": this.#strings.search }, panel.element);
    trigger.addEventListener("click", () => this.open());
    for (const type of ["pointerenter", "focus"]) trigger.addEventListener(type, () => client.warm(), { once: true });
    dialog.addEventListener("close", () => this.#handleClose());
    dialog.addEventListener("mousedown", (event) => {
      if (event.target === dialog) this.close();
    });
    this.#dialog = dialog;
    this.#root.replaceChildren(trigger, dialog);
  }

  #makeTrigger() {
    const keys = element("kbd", { class: "shortcut", "aria-hidden": "true" }, this.#apple ? "⌘K" : "Ctrl K");
    const attributes = {
      type: "button",
      class: "trigger",
      part: "trigger",
      "aria-haspopup": "dialog",
      "aria-keyshortcuts": this.#apple ? "Meta+K /" : "Control+K /",
    };
    return element("button", attributes, icon(GLASS), element("span", { class: "label" }, this.#strings.search), keys);
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    // A box that the page does not show would open an invisible dialog. The page may hide the button alone.
    const isShown = [this, ...this.#root.children].some((item) => item.getClientRects().length > 0);
    if (event.defaultPrevented || !isShown) return;
    const target = /** @type {Partial<HTMLInputElement>} */ (event.composedPath()[0]);
    // The "/" that opened the box may be held down; a typed one is before the cursor.
    const typing = isTextTarget(target) && !(event.repeat && target.selectionStart === 0);
    const action = pageAction(event, { apple: this.#apple, typing });
    if (action === null) return;
    event.preventDefault();
    if (event.repeat) return; // a key that is held down
    if (action === "toggle" && this.#dialog?.open) this.close();
    else this.open(action === "toggle" ? queryFromSelection(getSelection()?.toString() ?? "") : "");
  }

  /**
   * Keys pressed in the box do not reach the page, which may have shortcuts of its own. An inline box may be in a dialog of the page:
   * Escape and Tab belong to that one.
   *
   * @param {KeyboardEvent} event
   */
  #stopKey(event) {
    if (event.type === "keydown") this.#handleKey(event);
    const isPageKey = event.ctrlKey || event.metaKey || (this.#inline && /^(Esc|Tab)/.test(event.key));
    if (!isPageKey) event.stopPropagation();
  }

  #handleClose() {
    this.#panel?.dispatch({ type: "closed" });
    if (this.#dialog?.open) return; // it was opened again before this event
    this.toggleAttribute("open", false);
    if (this.#returnTo?.isConnected) this.#returnTo.focus();
    this.#returnTo = null;
    this.#withFeatures((features) => features.onClose());
  }
}

/** Whether a search led here: by the history, an address with a query, or words to mark. */
function hasSearchState() {
  try {
    return history.state?.ranvier || queryOf(location.href) || sessionStorage.getItem(MARKS_KEY);
  } catch {
    return false; // the browser refuses storage
  }
}

if (!customElements.get("ranvier-search")) customElements.define("ranvier-search", RanvierSearch);
