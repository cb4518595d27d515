/**
 * `<ranvier-search base="../_ranvier/">`: a search box for any page.
 *
 * | attribute     | meaning |
 * | ------------- | ------- |
 * | `base`        | the location of the index: the address of the `_ranvier/` folder, relative to the page |
 * | `placeholder` | the placeholder text of the field |
 * | `inline`      | field and results are part of the page, and the page's address contains the query (`?q=`) |
 * | `focused`     | with `inline`: the field has the focus from the start (`autofocus` is reserved for the browser) |
 * | `page`        | without `inline`: the address of a page with an inline box, for links to a search |
 * | `preload`     | `idle`: on a good connection the engine starts when the page is idle; otherwise at the first sign of a search |
 *
 * Without `inline` it is a button that opens a dialog, as do ⌘K (Ctrl-K) and `/`. `open` is set while the dialog is open.
 */

import { imported } from "../modules.js";
import { element, GLASS, icon } from "./dom.js";
import { engineClient } from "./engine-client.js";
import { isApple, isTextTarget, pageAction, queryFromSelection } from "./key-bindings.js";
import { SearchPanel } from "./search-panel.js";
import { strings } from "./strings.js";
import { styleSheet } from "./styles.js";
import { queryOf, withQuery } from "./urls.js";

/** @import { Answers } from "./answers.js" */
/** @import { EngineClient } from "./engine-client.js" */
/** @import { DialogFooter } from "./dialog-footer.js" */

const IDLE_URL = new URL("./idle.js", import.meta.url).href;
const API_URL = new URL("../api.js", import.meta.url).href;
/** The `_ranvier/` folder: this module is in a hashed folder below it. */
const HOME = new URL("../../", import.meta.url).href;
const TABBABLE = "input, button, a[href]:not([tabindex='-1'])";

/** The custom element. */
export class RanvierSearch extends HTMLElement {
  /** @type {ShadowRoot} */
  #root;
  #apple = isApple(navigator.platform);
  /** @type {EngineClient | null} */
  #client = null;
  /** @type {SearchPanel | null} */
  #panel = null;
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  /** @type {HTMLElement | null} */
  #strip = null;
  /** @type {DialogFooter | null} */
  #footer = null;
  #query = "";
  /** @type {HTMLElement | null} */
  #returnTo = null;
  /** Aborted on disconnect. */
  #connection = new AbortController();

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = [styleSheet];
  }

  connectedCallback() {
    const base = new URL(this.getAttribute("base") ?? HOME, document.baseURI).href;
    const { signal } = (this.#connection = new AbortController());
    const client = (this.#client = engineClient(base, API_URL));
    this.#panel = new SearchPanel({
      client,
      siteRoot: new URL("../", base).href,
      placeholder: this.getAttribute("placeholder") || strings.placeholder,
      words: strings,
      onQuery: (query) => this.#onQuery(query),
      onAnswers: (answers) => this.#answering(answers, client).catch(() => {}), // the search works without the footer
      onLeave: () => this.close(),
      onClose: this.#inline ? null : () => this.close(),
    });
    document.addEventListener("keydown", (event) => this.#pressed(event), { signal });
    if (this.#inline) this.#buildInline(this.#panel);
    else this.#buildDialog(this.#panel, client);
    if (this.getAttribute("preload") === "idle") {
      imported(IDLE_URL).then(({ startIdly }) => startIdly(client, signal)).catch(() => {}); // the engine then starts later
    }
    // If a service worker is active, it stores this page, too.
    if (navigator.serviceWorker?.controller) {
      imported(IDLE_URL).then(({ keepIdly }) => keepIdly(base, signal)).catch(() => {}); // the page is then not stored
    }
  }

  disconnectedCallback() {
    this.close();
    this.#connection.abort();
  }

  /**
   * Open the dialog, or focus the field of an inline box.
   *
   * @param {string} [query] an initial query
   */
  open(query = "") {
    if (this.#dialog && !this.#dialog.open) {
      const focused = document.activeElement;
      this.#returnTo = focused instanceof HTMLElement && focused !== document.body ? focused : null;
      this.#dialog.showModal();
      this.toggleAttribute("open", true);
    }
    if (query) this.#panel?.ask(query);
    this.#panel?.focus();
  }

  /** Close the dialog, and restore the focus. */
  close() {
    if (this.#dialog?.open) this.#dialog.close();
  }

  get #inline() {
    return this.hasAttribute("inline");
  }

  /** @param {SearchPanel} panel */
  #buildInline(panel) {
    this.#dialog = null;
    this.#strip = null;
    panel.element.setAttribute("role", "search");
    this.#root.replaceChildren(panel.element);
    const query = queryOf(location.href);
    if (query) panel.ask(query);
    if (this.hasAttribute("focused")) panel.focus();
  }

  /**
   * @param {SearchPanel} panel
   * @param {EngineClient} client
   */
  #buildDialog(panel, client) {
    const trigger = this.#makeTrigger();
    const dialog = element("dialog", { "aria-label": strings.search }, panel.element);
    panel.element.append(this.#makeFoot());
    trigger.addEventListener("click", () => this.open());
    for (const sign of ["pointerenter", "focus"]) trigger.addEventListener(sign, () => client.warm(), { once: true });
    dialog.addEventListener("close", () => this.#closed());
    dialog.addEventListener("keydown", (event) => this.#keepFocus(event));
    dialog.addEventListener("pointerdown", (event) => {
      if (event.target === dialog) this.close();
    });
    this.#dialog = dialog;
    this.#root.replaceChildren(trigger, dialog);
  }

  /** @returns {HTMLButtonElement} */
  #makeTrigger() {
    const keys = element("kbd", { class: "shortcut", "aria-hidden": "true" }, this.#apple ? "⌘K" : "Ctrl K");
    const attributes = {
      type: "button",
      class: "trigger",
      part: "trigger",
      "aria-haspopup": "dialog",
      "aria-keyshortcuts": this.#apple ? "Meta+K /" : "Control+K /",
    };
    return element("button", attributes, icon(GLASS), element("span", { class: "label" }, strings.search), keys);
  }

  /** @returns {HTMLElement} */
  #makeFoot() {
    const key = (/** @type {string[]} */ names, /** @type {string} */ does) =>
      element("span", {}, ...names.map((name) => element("kbd", {}, name)), does);
    const keys = element(
      "div",
      { class: "keys", "aria-hidden": "true" },
      key(["↑", "↓"], strings.keyMove),
      key(["↵"], strings.keyGo),
      key(["Esc"], strings.keyClose),
    );
    this.#strip = element("div", { class: "foot" }, keys);
    return this.#strip;
  }

  /**
   * On the first search, show the engine's progress and the footer's actions.
   *
   * @param {Answers} answers
   * @param {EngineClient} client
   */
  async #answering(answers, client) {
    const { signal } = this.#connection;
    this.#root.adoptedStyleSheets.push(answers.styles);
    signal.addEventListener("abort", answers.connect());
    if (!this.#strip) return;
    /** @type {typeof import("./dialog-footer.js")} */
    const { DialogFooter } = await imported(new URL("./dialog-footer.js", import.meta.url).href);
    this.#footer = new DialogFooter(client, answers, (text) => this.#panel?.view.announce(text));
    this.#strip.append(...this.#footer.elements);
    this.#share();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.defaultPrevented) return;
    const typing = isTextTarget(event.composedPath()[0]);
    const action = pageAction(event, { apple: this.#apple, typing });
    if (action === null) return;
    event.preventDefault();
    if (action === "toggle" && this.#dialog?.open) this.close();
    else this.open(action === "toggle" ? queryFromSelection(getSelection()?.toString() ?? "") : "");
  }

  /**
   * Keep the focus in the dialog: Tab wraps around.
   *
   * @param {KeyboardEvent} event
   */
  #keepFocus(event) {
    if (event.key !== "Tab" || !this.#dialog) return;
    const stops = [...this.#dialog.querySelectorAll(TABBABLE)].filter((stop) => stop.getClientRects().length > 0);
    const leaving = event.shiftKey ? stops.at(0) : stops.at(-1);
    const entering = event.shiftKey ? stops.at(-1) : stops.at(0);
    if (this.#root.activeElement !== leaving || !(entering instanceof HTMLElement)) return;
    event.preventDefault();
    entering.focus();
  }

  #closed() {
    this.toggleAttribute("open", false);
    if (this.#returnTo?.isConnected) this.#returnTo.focus();
    this.#returnTo = null;
  }

  /** @param {string} query */
  #onQuery(query) {
    if (this.#inline) this.#remember(query);
    this.#query = query;
    this.#share();
  }

  #share() {
    const page = this.getAttribute("page");
    if (page !== null) this.#footer?.share(this.#query && withQuery(new URL(page, document.baseURI).href, this.#query));
  }

  /** @param {string} query */
  #remember(query) {
    if (queryOf(location.href) === query) return;
    try {
      history.replaceState(history.state, "", withQuery(location.href, query));
    } catch {
      // Some browsers limit how often the address may change; the next search updates it.
    }
  }
}

if (!customElements.get("ranvier-search")) customElements.define("ranvier-search", RanvierSearch);
