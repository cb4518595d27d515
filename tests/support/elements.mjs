/** Elements of a page for tests in Node, which has no DOM. */

/** An element: its text is that of its children. */
export class FakeElement {
  children = [];
  attributes = new Map();
  hidden = false;

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
    return this.attributes.get(name) ?? null;
  }

  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  querySelectorAll() {
    return [];
  }

  addEventListener() {}
  after() {}
  scrollTo() {}
}

/** Give one test a document that makes these elements. */
export function fakeDocument(t) {
  globalThis.document = { createElement: () => new FakeElement() };
  t.after(() => delete globalThis.document);
}
