export default {
  title: "Sea handbook",
  base: "/handbook/",
  head: [["script", { type: "module", src: "/handbook/_ranvier/search.js" }]],
  themeConfig: { sidebar: [{ text: "Knots", link: "/knots" }, { text: "Boats", link: "/boats" }] },
};
