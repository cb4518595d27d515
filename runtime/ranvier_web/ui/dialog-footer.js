/** The actions in the dialog's footer: share the search, and download it for offline use. */

import { imported } from "../modules.js";
import { answerStrings as words } from "./answer-strings.js";
import { element } from "./dom.js";

/** @import { Answers } from "./answers.js" */
/** @import { EngineClient } from "./engine-client.js" */

export class DialogFooter {
  /** @type {EngineClient} */
  #client;
  #share = element("a", { class: "share", hidden: true }, words.share);
  #download = element("button", { type: "button", class: "download", hidden: true }, words.download);
  #problem = element("span", { class: "problem", hidden: true });
  /** @type {(text: string) => void} */
  #announce;

  /**
   * @param {EngineClient} client
   * @param {Answers} answers
   * @param {(text: string) => void} announce
   */
  constructor(client, answers, announce) {
    this.#client = client;
    this.#announce = announce;
    this.#download.addEventListener("click", () => void this.#fetchAll());
    answers.first.then(() => this.#offer()).catch(() => {}); // without a service worker there is no download
  }

  /** @returns {HTMLElement[]} */
  get elements() {
    return [this.#share, this.#download, this.#problem];
  }

  /** @param {string} href  of the search; "" for none */
  share(href) {
    this.#share.hidden = !href;
    this.#share.href = href;
  }

  async #offer() {
    if (!isSecureContext || !("serviceWorker" in navigator)) return;
    /** @type {typeof import("./offline.js")} */
    const { keep } = await imported(new URL("./offline.js", import.meta.url).href);
    this.#download.hidden = !(await keep(this.#client.base));
  }

  async #fetchAll() {
    if (this.#download.ariaDisabled === "true") return;
    this.#download.ariaDisabled = "true"; // a disabled button would lose the focus
    this.#problem.hidden = true;
    this.#say(0, 0);
    this.#announce(words.downloading(0, 0));
    try {
      await this.#client.download({ onProgress: ({ loaded, total }) => this.#say(loaded, total) });
      this.#download.textContent = words.downloaded;
      this.#announce(words.downloaded);
    } catch (error) {
      const { errors } = words;
      const code = error instanceof Error && "code" in error ? String(error.code) : "internal";
      this.#download.ariaDisabled = null;
      this.#download.textContent = words.download;
      this.#problem.hidden = false;
      this.#problem.textContent = `${words.downloadFailed} ${errors[code] ?? errors.internal}`;
      this.#announce(this.#problem.textContent);
    }
  }

  /**
   * @param {number} loaded
   * @param {number} total
   */
  #say(loaded, total) {
    this.#download.textContent = words.downloading(loaded, total);
  }
}
