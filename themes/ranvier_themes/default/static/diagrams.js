/* Draws code blocks of the language "mermaid", with the author's own copy of Mermaid. A block that it cannot draw stays code. */
{
  const { mermaid: address } = document.currentScript.dataset;
  const root = document.documentElement;
  const darkScheme = matchMedia("(prefers-color-scheme: dark)");
  /* The text of each diagram, and what shows it: code at first. */
  let diagrams = [];
  let drawings = 0;

  const draw = async (diagram, isDark) => {
    if (!(await mermaid.parse(diagram.text, { suppressErrors: true }))) return;
    /* Before it draws, Mermaid removes the element with this id: a new one keeps the shown drawing. */
    const { svg } = await mermaid.render(`_diagram-${drawings++}`, diagram.text);
    const figure = document.createElement("figure");
    figure.className = isDark ? "diagram dark" : "diagram";
    figure.innerHTML = svg;
    diagram.node.replaceWith(figure);
    diagram.node = figure;
  };

  const drawAll = async () => {
    const { theme } = root.dataset; // the reader's choice
    const isDark = theme ? theme === "dark" : darkScheme.matches;
    mermaid.initialize({ startOnLoad: false, securityLevel: "strict", theme: isDark ? "dark" : "default" });
    for (const diagram of diagrams) await draw(diagram, isDark).catch((error) => console.error(error));
  };

  addEventListener("load", () => {
    const blocks = [...document.querySelectorAll(".prose pre > code.language-mermaid")];
    diagrams = blocks.map((code) => ({ text: code.textContent, node: code.closest("div.code") ?? code.parentElement }));
    if (diagrams.length === 0) return;
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => {
      void drawAll();
      new MutationObserver(drawAll).observe(root, { attributeFilter: ["data-theme"] });
      darkScheme.onchange = drawAll;
    };
    document.head.append(script);
  });
}
