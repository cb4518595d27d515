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
/** @import { PrivatePage } from "./private-page.js" */

const PAGE = new URL("./private-page.js", import.meta.url).href;

export class LayerControl {
  #box;
  #file;
  #strings;
  /** @type {Record<string, string>} */
  #errors;
  /** @type {LayerLinks | null} */
  #links = null;
  /** @type {UnlockedLayer | null} */
  #layer = null;
  /** @type {Promise<PrivatePage> | null} */
  #page = null;
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
    void this.#unlock(null);
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
    return this.#links !== null && this.#links.has(link.hash) && link.href === this.#box.panel.site.root + link.hash;
  }

  #loadPage() {
    const [layer, links] = [this.#layer, this.#links];
    if (!layer || !links) return Promise.resolve(null);
    this.#page ??= importModule(PAGE).then(({ PrivatePage }) => new PrivatePage(layer, links, this.#box.panel.site.root, this.#strings));
    return this.#page;
  }

  #listen() {
    const { host, panel, signal } = this.#box;
    this.#button.addEventListener("click", () => (this.#layer ? this.#lock() : this.#toggle(this.#form.hidden === true)));
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#unlock(this.#input.value);
    });
    host.addEventListener("ranvier-select", (event) => {
      if (this.#isPrivate(/** @type {CustomEvent} */ (event).detail.link)) event.preventDefault();
    });
    for (const type of /** @type {const} */ (["click", "auxclick"])) panel.element.addEventListener(type, (event) => this.#handleClick(event));
    signal.addEventListener("abort", () => this.#layer && this.#lock());
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
    this.#form.hidden = !isOpen;
    this.#problem.textContent = this.#input.value = "";
    if (isOpen) this.#input.focus();
    else this.#box.panel.input.focus();
  }

  /** @param {string | null} passphrase  null: the key that this tab keeps, if it keeps one */
  async #unlock(passphrase) {
    const { client } = this.#box.panel.options;
    if (!client.engine || this.#submit.disabled || (passphrase === null && !hasStoredKey(client.base))) return;
    this.#submit.disabled = true;
    this.#problem.textContent = passphrase === null ? "" : this.#strings.unlocking;
    try {
      this.#open(await client.engine.unlock(passphrase, { keep: this.#keepBox.checked, file: this.#file }));
      this.#toggle(false);
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
    const links = (this.#links = new LayerLinks(layer));
    this.#layer = layer;
    this.#showState(this.#strings.unlocked(layer.audience), this.#strings.lock);
    void this.#searchAgain((answer) => links.hideUrls(answer), this.#box.panel.query);
  }

  #lock() {
    const { client } = this.#box.panel.options;
    this.#page?.then((page) => page.close()).catch(() => {});
    this.#page = this.#layer = this.#links = null;
    client.engine?.lock();
    this.#showState(this.#strings.locked, this.#strings.unlock);
    void this.#searchAgain((answer) => answer, "");
    this.#box.root.querySelector(".pane > :last-child")?.replaceChildren(); // the preview of a private page
  }

  /**
   * @param {string} state
   * @param {string} action
   */
  #showState(state, action) {
    this.#button.textContent = action;
    this.#button.title = state;
    this.#box.panel.view.announce(state);
    this.#box.panel.element.dataset.layer = this.#layer?.audience ?? "";
  }

  /**
   * Search again, with other answers.
   *
   * @param {<T>(answer: T) => T} adapt
   * @param {string} query
   */
  async #searchAgain(adapt, query) {
    const { panel } = this.#box;
    const { client } = panel.options;
    client.adapt = adapt;
    panel.search("");
    panel.focus();
    const folders = await client.folders().catch(() => adapt({ trail: () => [], top: [] }));
    if (client.adapt !== adapt) return;
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
