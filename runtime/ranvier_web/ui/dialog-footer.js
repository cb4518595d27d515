/** The actions in the dialog's footer: share the search, copy it, and download it for offline use. */

import { toFailure } from "../errors.js";
import { importModule } from "../modules.js";
import { answerStrings } from "./answer-strings.js";
import { element } from "./dom.js";
import { featureStrings } from "./feature-strings.js";
import { isModified } from "./key-bindings.js";

/** @import { Progress } from "../protocol.js" */
/** @import { Answers } from "./answers.js" */
/** @import { SearchPanel } from "./search-panel.js" */

const MAX_CONTEXT_CHARS = 8_000; // characters of the passages for a language model
const MESSAGE_TIME = 2_000; // ms
const CAN_COPY = "clipboard" in navigator; // only on secure addresses

export class DialogFooter {
  #panel;
  #client;
  #strings;
  #copyStrings;
  #query = "";
  #share = element("a", { class: "share", hidden: true });
  #copyContext = element("button", { type: "button", class: "copy", hidden: true });
  #download = element("button", { type: "button", class: "download", hidden: true });
  #problem = element("span", { class: "problem", hidden: true });

  /**
   * @param {SearchPanel} panel
   * @param {Answers} answers
   */
  constructor(panel, answers) {
    this.#panel = panel;
    const { client, translate } = panel.options;
    this.#client = client;
    const strings = (this.#strings = translate(answerStrings));
    const copyStrings = (this.#copyStrings = translate(featureStrings));
    this.#share.textContent = CAN_COPY ? copyStrings.copyLink : strings.share;
    this.#copyContext.textContent = copyStrings.copyContext;
    this.#download.textContent = strings.download;
    this.#share.addEventListener("click", (event) => {
      if (!CAN_COPY || isModified(event)) return;
      event.preventDefault();
      void this.#copy(this.#share, copyStrings.copyLink, async () => this.#share.href);
    });
    this.#copyContext.addEventListener("click", () => void this.#copy(this.#copyContext, copyStrings.copyContext, () => this.#fetchContext()));
    this.#download.addEventListener("click", () => void this.#downloadAll());
    answers.first.then(() => this.#showDownload()).catch(() => {}); // without a service worker there is no download
  }

  get elements() {
    return [this.#share, this.#copyContext, this.#download, this.#problem];
  }

  /**
   * @param {string} href   of the search; "" for none
   * @param {string} query
   */
  share(href, query) {
    this.#query = query;
    this.#share.hidden = !href;
    this.#share.href = href;
    this.#copyContext.hidden = !href || !CAN_COPY;
  }

  /**
   * Copy a text, and show on the button whether that worked.
   *
   * @param {HTMLElement} button
   * @param {string} label  of the button
   * @param {() => Promise<string>} text
   */
  async #copy(button, label, text) {
    const { copied, copyFailed } = this.#copyStrings;
    /** @type {string} */
    let outcome = copied;
    try {
      await copyText(text());
    } catch {
      outcome = copyFailed;
    }
    this.#panel.view.announce(outcome);
    button.textContent = outcome;
    setTimeout(() => (button.textContent = label), MESSAGE_TIME);
  }

  /** Return the best passages for the query, as Markdown with the addresses of their pages. */
  async #fetchContext() {
    const query = this.#query;
    const { formattedContext, chunks } = await this.#client.use((engine) => engine.retrieve(query, { maxChars: MAX_CONTEXT_CHARS }));
    const root = new URL("../", this.#client.base);
    const sources = chunks.map(({ citation, title, url }) => `${citation}. ${title}: ${new URL(url, root).href}`);
    return `# ${query}\n\n${formattedContext.trim()}\n\n## Sources\n\n${sources.join("\n")}\n`;
  }

  async #showDownload() {
    if (!isSecureContext || !("serviceWorker" in navigator)) return;
    /** @type {typeof import("./offline.js")} */
    const { storeSearch } = await importModule(new URL("./offline.js", import.meta.url).href);
    this.#download.hidden = !(await storeSearch(this.#client.base));
  }

  async #downloadAll() {
    if (this.#download.ariaDisabled === "true") return;
    this.#download.ariaDisabled = "true"; // a disabled button would lose the focus
    const strings = this.#strings;
    this.#problem.hidden = true;
    this.#download.textContent = strings.downloading("");
    this.#panel.view.announce(strings.downloading(""));
    try {
      const showProgress = (/** @type {Progress} */ { loaded, total }) => {
        this.#download.textContent = strings.downloading(strings.amount(loaded, total));
      };
      await this.#client.download({ onProgress: showProgress });
      this.#download.textContent = strings.downloaded;
      this.#panel.view.announce(strings.downloaded);
    } catch (error) {
      const { errors } = strings;
      const { code } = toFailure(error);
      this.#download.ariaDisabled = null;
      this.#download.textContent = strings.download;
      this.#problem.hidden = false;
      this.#problem.textContent = `${strings.downloadFailed} ${errors[code] ?? errors.internal}`;
      this.#panel.view.announce(this.#problem.textContent);
    }
  }
}

/**
 * Copy a text that may still be on its way: some browsers allow copying only at once after a click, so the promise itself goes to
 * the clipboard.
 *
 * @param {Promise<string>} text
 */
async function copyText(text) {
  if (!("ClipboardItem" in globalThis)) return navigator.clipboard.writeText(await text);
  const blob = text.then((content) => new Blob([content], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}
