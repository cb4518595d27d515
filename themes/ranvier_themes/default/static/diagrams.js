/* Draws code blocks of the language "mermaid", with the author's own copy of Mermaid. A block that it cannot draw stays code. */
{
  const { mermaid: address } = document.currentScript.dataset;
  const blocks = () => [...document.querySelectorAll(".prose pre > code.language-mermaid")];

  const draw = async (code, at) => {
    const text = code.textContent;
    if (!(await mermaid.parse(text, { suppressErrors: true }))) return;
    const { svg } = await mermaid.render(`_diagram-${at}`, text);
    const figure = document.createElement("figure");
    figure.className = "diagram";
    figure.innerHTML = svg;
    (code.closest("div.code") ?? code.parentElement).replaceWith(figure);
  };

  const drawAll = async () => {
    const { theme } = document.documentElement.dataset; // the reader's choice
    const isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    mermaid.initialize({ startOnLoad: false, securityLevel: "strict", theme: isDark ? "dark" : "default" });
    for (const [at, code] of blocks().entries()) await draw(code, at).catch((error) => console.error(error));
  };

  addEventListener("load", () => {
    if (blocks().length === 0) return;
    const script = document.createElement("script");
    script.src = address;
    script.onload = drawAll;
    document.head.append(script);
  });
}
