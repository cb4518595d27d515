/** Elements of a page for tests in Node, which has no DOM. */

/** An element: its text is that of its children. */
export class FakeElement {
  children = [];
  hidden = false;
  isConnected = true;
  style = {};
  #attributes = new Map();

  /**
   * @param {string} [tag]
   * @param {Record<string, string>} [attributes]
   * @param {...(FakeElement | string)} children
   */
  constructor(tag = "div", attributes = {}, ...children) {
    this.localName = tag;
    this.#attributes = new Map(Object.entries(attributes));
    this.append(...children);
  }

  get attributes() {
    return [...this.#attributes].map(([name, value]) => ({ name, value }));
  }

  get childNodes() {
    return this.children;
  }

  get childElementCount() {
    return this.children.length;
  }

  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join(" ");
  }

  set textContent(text) {
    this.children = text ? [text] : [];
  }

  append(...children) {
    this.children.push(...children);
  }

  prepend(...children) {
    this.children.unshift(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }

  setAttribute(name, value) {
    this.#attributes.set(name, value);
  }

  removeAttribute(name) {
    this.#attributes.delete(name);
  }

  /** All descendants for "*", and those with an attribute for "[name]"; other selectors match none. */
  querySelectorAll(selector) {
    const all = this.children.flatMap((child) => (child instanceof FakeElement ? [child, ...child.querySelectorAll("*")] : []));
    const attribute = /^\[([\w-]+)\]$/.exec(selector)?.[1];
    return selector === "*" ? all : all.filter((node) => attribute && node.getAttribute(attribute) !== null);
  }

  closest() {
    return null;
  }

  addEventListener() {}
  after() {}
  focus() {}
  scrollTo() {}
}

/** Give one test a document that makes these elements. */
export function fakeDocument(t) {
  globalThis.document = { createElement: (tag) => new FakeElement(tag), querySelectorAll: () => [] };
  t.after(() => delete globalThis.document);
}
