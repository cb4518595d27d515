/**
 * Shows a page of an encrypted layer in the place of the page's own content. Its elements are imported from an inert document: no
 * script of it runs, and nothing of it is fetched but what the layer contains.
 */

import { element } from "./dom.js";
import { decodePart } from "./marks.js";

/** @import { UnlockedLayer } from "../options.js" */
/** @import { LayerLinks } from "./layer-links.js" */
/** @import { LayerStrings } from "./layer-strings.js" */

const ARTICLES = ["article", "main", "[role=main]", "body"];
const UNSAFE = "script, style, link, meta, base, iframe, frame, object, embed, form, template, noscript, .copy";
/** Functions of CSS that load a file; with a backslash, a name can have another spelling. */
const LOADING_STYLE = /url\(|image-set\(|image\(|src\(|\\/i;
const UNSAFE_ATTRIBUTE = /^on|^srcdoc$|^srcset$|^(xlink:)?href$|^formaction$|^ping$|^background$/i;
const FILE_ATTRIBUTES = ["src", "poster"]; // a browser fetches their files with the page
const TYPES = {
  avif: "image/avif", gif: "image/gif", jpeg: "image/jpeg", jpg: "image/jpeg", png: "image/png", svg: "image/svg+xml", webp: "image/webp",
  mp3: "audio/mpeg", ogg: "audio/ogg", wav: "audio/wav", mp4: "video/mp4", webm: "video/webm", pdf: "application/pdf", vtt: "text/vtt",
};

/** A policy may require that HTML comes from a named policy. It is not shared: only this module parses HTML. @type {any} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("ranvier-layers", { createHTML: (/** @type {string} */ html) => html });

export class PrivatePage {
  #layer;
  #links;
  #root;
  #strings;
  /** Functions that show the page's own content again. @type {(() => void)[]} */
  #restorers = [];
  /** @type {HTMLElement | null} */
  #container = null;
  /** Addresses of decrypted files, which the browser keeps until they are revoked. @type {string[]} */
  #blobs = [];
  #controller = new AbortController();
  #lastShow = 0;

  /**
   * @param {UnlockedLayer} layer
   * @param {LayerLinks} links
   * @param {string} root  the site's address
   * @param {LayerStrings} strings
   */
  constructor(layer, links, root, strings) {
    this.#layer = layer;
    this.#links = links;
    this.#root = root;
    this.#strings = strings;
    // The history has numbers only, whose meaning is lost with this page.
    addEventListener("popstate", () => this.#handlePopState(), { signal: this.#controller.signal });
  }

  /**
   * Show a page, as a new entry of the history with the same address.
   *
   * @param {string} link  "#private-3", perhaps with an anchor
   */
  async open(link) {
    const { signal } = this.#controller; // locked: the page must not even be named
    try {
      await this.#show(link);
      if (!signal.aborted) history.pushState({ ranvierPrivate: link.replace(/\/.*/s, "") }, "", location.href);
    } catch (error) {
      if (!signal.aborted) this.#replaceContent([element("p", {}, this.#strings.pageFailed), element("p", {}, String(/** @type {any} */ (error)?.message ?? error))]);
    }
  }

  /** Remove the page and its files. */
  close() {
    this.#controller.abort();
    this.#restore();
  }

  #handlePopState() {
    const link = history.state?.ranvierPrivate;
    if (typeof link === "string" && this.#links.has(link)) void this.#show(link).catch(() => this.#restore());
    else this.#restore();
  }

  /** @param {string} link */
  async #show(link) {
    const showId = ++this.#lastShow;
    const [url = "", anchor] = this.#links.resolve(link).split(/#(.*)/s);
    const data = await this.#layer.file(filePath(url));
    const html = new TextDecoder().decode(data);
    const inert = new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html");
    const article = ARTICLES.map((name) => inert.querySelector(name)).find(Boolean);
    if (showId !== this.#lastShow || this.#controller.signal.aborted || !article) return;
    for (const unsafe of article.querySelectorAll(UNSAFE)) unsafe.remove();
    const address = new URL(url, this.#root);
    for (const node of [article, ...article.querySelectorAll("*")]) this.#clean(node, address);
    this.#replaceContent([document.importNode(article, true)], article.closest("[lang]")?.getAttribute("lang") ?? "");
    this.#scroll(anchor);
  }

  /** @param {string | undefined} anchor */
  #scroll(anchor) {
    const target = [...(this.#container?.querySelectorAll("[id]") ?? [])].find(({ id }) => anchor && id === decodePart(anchor));
    if (target) target.scrollIntoView();
    else scrollTo(0, 0);
    this.#container?.focus({ preventScroll: true });
  }

  /**
   * Put nodes in the place of the page's own content.
   *
   * @param {Node[]} nodes
   * @param {string} [lang]
   */
  #replaceContent(nodes, lang = "") {
    this.#restore();
    const main = document.querySelector("main, [role=main]") ?? document.body;
    const backButton = element("button", { type: "button" }, this.#strings.closePage);
    backButton.addEventListener("click", () => {
      this.#restore();
      history.pushState(null, "", location.href);
    });
    const note = element("p", { role: "note" }, this.#strings.privatePage, " ", backButton);
    const container = (this.#container = element("div", { class: "ranvier-private", tabindex: -1, ...(lang && { lang }) }, note, ...nodes));
    container.style.outline = "none"; // it has the focus only for readers of the keyboard and of screen readers
    for (const type of /** @type {const} */ (["click", "auxclick"])) container.addEventListener(type, (event) => this.#followLink(event));
    if (main !== document.body) this.#restorers = [...main.childNodes, ...contentsOf(main)].map(hide);
    main.prepend(container);
    for (const name of FILE_ATTRIBUTES) {
      for (const media of container.querySelectorAll(`[data-ranvier-${name}]`)) void this.#load(media, name);
    }
  }

  #restore() {
    for (const restore of this.#restorers.splice(0)) restore();
    this.#container?.remove();
    this.#container = null;
    for (const blob of this.#blobs.splice(0)) URL.revokeObjectURL(blob);
  }

  /**
   * Remove what could run, and the addresses of private pages and files.
   *
   * @param {Element} node  of the inert document
   * @param {URL} page
   */
  #clean(node, page) {
    for (const { name } of [...node.attributes]) {
      if (UNSAFE_ATTRIBUTE.test(name) || FILE_ATTRIBUTES.includes(name)) this.#cleanAttribute(node, name, page);
      else if (name === "style" && LOADING_STYLE.test(node.getAttribute(name) ?? "")) node.removeAttribute(name);
    }
  }

  /**
   * Keep the address of a public page or file. That of a file of the layer waits in another attribute until the file is decrypted.
   *
   * @param {Element} node
   * @param {string} name
   * @param {URL} page
   */
  #cleanAttribute(node, name, page) {
    const value = node.getAttribute(name) ?? "";
    node.removeAttribute(name);
    const isFile = FILE_ATTRIBUTES.includes(name);
    const url = isFile || (name === "href" && node.localName === "a") ? toSafeUrl(value, page) : null;
    if (!url) return;
    const local = url.href.slice(this.#root.length).replace(/[?#].*/s, "");
    const path = url.href.startsWith(this.#root) ? filePath(local) : null; // null: of another site
    const isPrivate = path !== null && this.#layer.has(path);
    // Only addresses of the public site stay: another address shows the subject of the page to the host, and to anyone who sees the screen.
    if (isFile && isPrivate) node.setAttribute(`data-ranvier-${name}`, path);
    else if (path === null || this.#layer.isPublic(path)) node.setAttribute(name, url.href);
    else if (isPrivate) node.setAttribute(name, this.#root + this.#links.makeLink(local, url.hash.slice(1)));
  }

  /**
   * @param {Element} media
   * @param {string} name  of the attribute
   */
  async #load(media, name) {
    const path = media.getAttribute(`data-ranvier-${name}`) ?? "";
    media.removeAttribute(`data-ranvier-${name}`);
    try {
      const blob = await this.#blob(path);
      if (media.isConnected) media.setAttribute(name, blob);
    } catch (error) {
      media.setAttribute("alt", String(/** @type {any} */ (error)?.message ?? error));
    }
  }

  /** @param {string} path */
  async #blob(path) {
    const type = /** @type {Record<string, string>} */ (TYPES)[path.split(".").at(-1) ?? ""] ?? "application/octet-stream";
    const file = /** @type {BlobPart} */ (await this.#layer.file(path));
    this.#controller.signal.throwIfAborted();
    const url = URL.createObjectURL(new Blob([file], { type }));
    this.#blobs.push(url);
    return url;
  }

  /** @param {MouseEvent} event  of the main or the middle button: in a new tab, the link has no meaning */
  #followLink(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (event.button > 1 || !link || !this.#links.has(link.hash) || link.href !== this.#root + link.hash) return;
    event.preventDefault();
    const [url = "", anchor] = this.#links.resolve(link.hash).split(/#(.*)/s);
    const isHere = link.hash.replace(/\/.*/s, "") === history.state?.ranvierPrivate;
    if (isHere && anchor) this.#scroll(anchor);
    else if (filePath(url).endsWith(".html")) void this.open(link.hash);
    else void this.#blob(filePath(url)).then((blob) => open(blob, "_blank", "noopener")).catch(() => {});
  }
}

/**
 * Return the lists of headings beside the page's own content: their links lead to nothing that is shown.
 *
 * @param {Element} main
 */
function contentsOf(main) {
  const isHeading = (/** @type {HTMLAnchorElement} */ { hash, pathname }) =>
    hash && pathname === location.pathname && main.querySelector(`#${CSS.escape(decodePart(hash.slice(1)))}`);
  return [...document.querySelectorAll("nav, aside, details")].filter((block) => {
    const links = [...block.querySelectorAll("a")];
    return !main.contains(block) && links.length > 0 && links.every(isHeading);
  });
}

/**
 * Hide a node in its place: a search box in it stays in the page, because a box that leaves the page locks.
 *
 * @param {ChildNode} node
 * @returns {() => void}  shows it again
 */
function hide(node) {
  if (!(node instanceof Element)) {
    const { nodeValue } = node;
    node.nodeValue = "";
    return () => void (node.nodeValue = nodeValue);
  }
  const { style } = /** @type {HTMLElement} */ (node); // elements of SVG and MathML have styles, too
  const { cssText } = style;
  style.setProperty("display", "none", "important");
  return () => void (style.cssText = cssText);
}

/** Return the path of the file of an address relative to the site's root. @param {string} url */
function filePath(url) {
  const path = decodePart(url);
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}

/**
 * @param {string} href
 * @param {URL} page
 * @returns {URL | null}  null for schemes that a link must not have, such as `javascript:`
 */
function toSafeUrl(href, page) {
  try {
    const url = new URL(href, page);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}
