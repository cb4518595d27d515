/* Runs before the page is shown, so that a chosen theme does not flash. Everything else waits for the document. */
{
  const KEY = "ranvier-theme";
  const root = document.documentElement;
  /* Texts in the language of the page. */
  const strings = { copy: "Copy", copied: "Copied", code: "Code", ...document.currentScript.dataset };
  root.dataset.scheme = location.protocol;
  let theme = "auto";
  const apply = () => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  };

  const applyStored = () => {
    try {
      theme = localStorage.getItem(KEY) ?? theme;
    } catch { /* storage is off */ }
    apply();
  };

  const switchTheme = (button) => {
    const label = () => (button.ariaLabel = strings[root.dataset.theme ?? "auto"] ?? "Theme");
    label();
    button.hidden = false;
    /* Back may show the page as it was before. */
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) applyStored();
      label();
    });
    button.onclick = () => {
      theme = { light: "dark", dark: "auto" }[theme] ?? "light";
      apply();
      label();
      try {
        localStorage.setItem(KEY, theme);
      } catch { /* as above */ }
    };
  };

  const addCopyButton = (pre) => {
    const box = document.createElement("div");
    const button = document.createElement("button");
    box.className = "code";
    button.className = "copy";
    button.type = "button";
    button.textContent = strings.copy;
    button.ariaLive = "polite";
    button.onclick = async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent.trimEnd());
      } catch {
        getSelection().selectAllChildren(pre); // denied: the reader can copy it
        return;
      }
      button.textContent = strings.copied;
      setTimeout(() => (button.textContent = strings.copy), 2000);
    };
    pre.replaceWith(box);
    box.append(pre, button);
  };

  /* A block that scrolls can be reached with the keyboard, and says what it is. */
  const focusWhereScrolling = (blocks) => {
    const observer = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        const attributes = { tabindex: "0", ...(target.tagName === "PRE" && { role: "group", "aria-label": strings.code }) };
        const scrolls = target.scrollWidth > target.clientWidth;
        for (const [name, value] of Object.entries(attributes)) {
          if (scrolls) target.setAttribute(name, value);
          else target.removeAttribute(name);
        }
      }
    });
    for (const block of blocks) observer.observe(block);
  };

  /* A reader can copy the address of a section. */
  const linkToItself = (heading) => {
    const link = document.createElement("a");
    link.className = "permalink";
    link.href = `#${heading.id}`;
    link.append(...heading.childNodes);
    heading.append(link);
  };

  /* Keys do not close the open tab. */
  const keepOpen = (tab) => (tab.onclick = () => getComputedStyle(tab).pointerEvents !== "none");

  /* Current is the target of a jump, else the last heading above the line, at the end the last of all. Observers miss headings. */
  const markCurrent = (links) => {
    const headings = links.map((link) => document.getElementById(link.getAttribute("href").slice(1)));
    const mark = () => {
      const line = parseFloat(getComputedStyle(root).scrollPaddingTop) + 44;
      const isEnd = scrollY + innerHeight > root.scrollHeight - 2;
      const tops = headings.map((heading) => heading?.getClientRects()[0]?.top);
      const target = headings.findIndex((heading) => heading?.matches(":target"));
      let current = tops.findLastIndex((top) => top < line);
      if (tops[target] > line - 46 && (isEnd || tops[target] < line - 42)) current = target;
      else if (isEnd && scrollY) current = links.length - 1;
      links.forEach((link, at) => (link.ariaCurrent = at === Math.max(current, 0) ? "true" : null));
    };
    mark();
    addEventListener("scroll", mark, { passive: true });
    addEventListener("hashchange", mark);
  };

  /* Systems differ in the signs of an anchor: a link from elsewhere to `#a-b` leads to `#a--b`. */
  const jumpToTwin = (targets) => {
    const letters = (anchor) => anchor.replace(/[\W_]/g, "").toLowerCase();
    const wanted = letters(location.hash);
    const twins = targets.filter(({ id }) => wanted && letters(encodeURI(id)) === wanted);
    const twin = twins.find((target) => target.closest(".prose"));
    if (twin && !twins.some(({ id }) => `#${encodeURI(id)}` === location.hash)) location.replace(`#${twin.id}`);
  };

  applyStored();
  document.addEventListener("DOMContentLoaded", () => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    all("button.theme").forEach(switchTheme);
    if (navigator.clipboard) all(".prose pre:not(.math)").forEach(addCopyButton);
    focusWhereScrolling(all(".prose :is(pre, table, div.math)"));
    all(".prose :is(h2, h3, h4, h5, h6)[id]:not(:has(a), summary *)").forEach(linkToItself);
    all(".tab-title").forEach(keepOpen);
    markCurrent(all(".toc a"));
    all(".menu [aria-current]").forEach((link) => link.scrollIntoView({ block: "nearest", behavior: "instant" }));
    jumpToTwin(all("[id]"));
  });
}
