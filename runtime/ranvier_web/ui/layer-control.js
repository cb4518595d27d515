/** Unlocks and locks the encrypted layer of a site in a search box. Loaded only where a site has layers. */

import { toFailure } from "../errors.js";
import { importModule } from "../modules.js";
import { answerStrings } from "./answer-strings.js";
import { element } from "./dom.js";
import { LayerLinks } from "./layer-links.js";
import { layerStrings } from "./layer-strings.js";
import { layerStyles } from "./layer-styles.js";

/** @import { UnlockedLayer } from "../options.js" */
/** @import { BoxParts } from "./box-features.js" */
/** @import { EngineClient } from "./engine-client.js" */
/** @import { PrivatePage } from "./private-page.js" */

/** @typedef {{layer: UnlockedLayer, links: LayerLinks, owner: LayerControl, page: Promise<PrivatePage> | null}} OpenLayer  `owner`: of the box that unlocked */

/** The layers that are open: the boxes of a page share an engine, and so its layer. @type {WeakMap<EngineClient, OpenLayer>} */
const openLayers = new WeakMap();
const PAGE = new URL("./private-page.js", import.meta.url).href;

export class LayerControl {
  #box;
  #file;
  #strings;
  /** @type {Record<string, string>} */
  #errors;
  #button = element("button", { type: "button", class: "unlock" });
  #input = element("input", { type: "password", autocomplete: "current-password", required: true });
  #keepBox = element("input", { type: "checkbox" });
  #submit = element("button", { type: "submit" });
  #problem = element("p", { role: "alert" });
  #form;

  /**
   * @param {BoxParts} box
   * @param {HTMLElement} place  of the button
   * @param {string | undefined} file  hidden name of the file with the wrapped keys
   */
  constructor(box, place, file) {
    this.#box = box;
    this.#file = file;
    const { translate } = box.panel.options;
    const strings = (this.#strings = translate(layerStrings));
    const { errors } = translate(answerStrings);
    this.#errors = { ...errors, passphrase: strings.wrongKey, insecure: strings.insecure };
    this.#submit.textContent = this.#button.textContent = strings.unlock;
    const keep = element("label", {}, this.#keepBox, strings.keepKey);
    const field = element("label", {}, strings.passphrase, this.#input);
    // Password managers need a user name beside the passphrase.
    const name = element("input", { type: "text", autocomplete: "username", value: "ranvier", hidden: true });
    this.#form = element("form", { class: "unlock-form", hidden: true }, name, field, keep, this.#submit, this.#problem);
    box.root.adoptedStyleSheets.push(layerStyles);
    box.panel.view.body.after(this.#form);
    place.append(this.#button);
    this.#listen();
    if (this.#opened) this.#update();
    else void this.#unlock(null);
  }

  get #client() {
    return this.#box.panel.options.client;
  }

  get #opened() {
    return openLayers.get(this.#client);
  }

  /**
   * Show the page of a link, if it is private.
   *
   * @param {HTMLAnchorElement} link
   */
  openLink(link) {
    if (!this.#isPrivate(link)) return false;
    void this.#loadPage().then((page) => page?.open(link.hash)).catch((error) => this.#fail(error));
    return true;
  }

  /** @param {HTMLAnchorElement} link */
  #isPrivate(link) {
    return this.#opened?.links.has(link.hash) === true && link.href === this.#box.panel.site.root + link.hash;
  }

  #loadPage() {
    const opened = this.#opened;
    if (!opened) return Promise.resolve(null);
    const { layer, links } = opened;
    opened.page ??= importModule(PAGE).then(({ PrivatePage }) => new PrivatePage(layer, links, this.#box.panel.site.root, this.#strings));
    return opened.page;
  }

  #listen() {
    const { host, panel, signal } = this.#box;
    this.#button.addEventListener("click", () => (this.#opened ? this.#lock() : this.#toggle(this.#form.hidden === true)));
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#unlock(this.#input.value);
    });
    host.addEventListener("ranvier-select", (event) => {
      if (this.#isPrivate(/** @type {CustomEvent} */ (event).detail.link)) event.preventDefault();
    });
    for (const type of /** @type {const} */ (["click", "auxclick"])) panel.element.addEventListener(type, (event) => this.#handleClick(event));
    this.#client.addEventListener("layer", () => this.#update(), { signal });
    signal.addEventListener("abort", () => this.#opened?.owner === this && this.#lockUnlessKept());
    // The reader may have locked on another page of the tab.
    addEventListener("pageshow", ({ persisted }) => persisted && this.#lockUnlessKept(), { signal });
  }

  /** @param {MouseEvent} event  of the main or the middle button, which would open a new tab */
  #handleClick(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    // A plain click on a result is handled.
    if (event.defaultPrevented || event.button > 1 || !link || !this.#isPrivate(link)) return;
    event.preventDefault();
    if (this.openLink(link)) this.#box.host.close();
  }

  /** @param {boolean} isOpen */
  #toggle(isOpen) {
    this.#showForm(isOpen);
    if (isOpen) this.#input.focus();
    else this.#box.panel.input.focus();
  }

  /** @param {boolean} isShown */
  #showForm(isShown) {
    this.#form.hidden = !isShown;
    this.#problem.textContent = this.#input.value = "";
  }

  /** @param {string | null} passphrase  null: the key that this tab keeps, if it keeps one */
  async #unlock(passphrase) {
    const client = this.#client;
    if (!client.engine || this.#submit.disabled || (passphrase === null && !hasStoredKey(client.base))) return;
    this.#submit.disabled = true;
    this.#problem.textContent = passphrase === null ? "" : this.#strings.unlocking;
    try {
      this.#open(await client.engine.unlock(passphrase, { keep: this.#keepBox.checked, file: this.#file }));
      if (this.#box.signal.aborted) this.#lockUnlessKept(); // the box has left the page meanwhile
    } catch (error) {
      if (passphrase !== null) this.#fail(error);
    } finally {
      this.#submit.disabled = false;
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    const { code, message } = toFailure(error);
    this.#form.hidden = false;
    this.#problem.textContent = [this.#errors[code] ?? this.#errors.internal, code === "passphrase" ? "" : message].join(" ");
    this.#input.select();
  }

  /** @param {UnlockedLayer} layer */
  #open(layer) {
    const links = new LayerLinks(layer);
    openLayers.set(this.#client, { layer, links, owner: this, page: null });
    this.#change((answer) => links.hideUrls(answer));
  }

  #lock() {
    this.#opened?.page?.then((page) => page.close()).catch(() => {});
    openLayers.delete(this.#client);
    this.#client.engine?.lock();
    this.#change((answer) => answer);
  }

  /** Lock, unless this tab keeps the key for other pages. */
  #lockUnlessKept() {
    if (this.#opened && !hasStoredKey(this.#client.base)) this.#lock();
  }

  /** From now on, all boxes have other answers. @param {<T>(answer: T) => T} adapt */
  #change(adapt) {
    this.#client.adapt = adapt;
    this.#client.dispatchEvent(new Event("layer"));
    this.#box.panel.focus();
  }

  /** Show whether the layer is open, and search again. After a lock, nothing of a private page stays. */
  #update() {
    const { panel } = this.#box;
    const audience = this.#opened?.layer.audience;
    const { lock, locked, unlock, unlocked } = this.#strings;
    this.#showForm(false); // another box may have unlocked meanwhile
    this.#button.textContent = audience ? lock : unlock;
    this.#button.title = audience ? unlocked(audience) : locked;
    panel.view.announce(this.#button.title);
    panel.element.dataset.layer = audience ?? "";
    void this.#searchAgain(audience ? panel.query : "");
  }

  /** @param {string} query */
  async #searchAgain(query) {
    const { panel } = this.#box;
    const { adapt } = this.#client;
    panel.search("");
    const folders = await this.#client.folders().catch(() => adapt({ trail: () => [], top: [] }));
    if (this.#client.adapt !== adapt) return;
    panel.site.trail = (url) => folders.trail(url);
    if (query && !panel.query) panel.search(query);
  }
}

/** Whether this tab keeps a key of the site at `base`. @param {string} base */
function hasStoredKey(base) {
  try {
    return sessionStorage.getItem(`ranvier-unlock ${new URL(base).pathname}`) !== null;
  } catch {
    return false; // the browser refuses storage
  }
}
