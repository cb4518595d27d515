export default {
  title: "Sea handbook",
  url: "https://example.org",
  baseUrl: "/handbook/",
  scripts: [{ src: "/handbook/_ranvier/search.js", type: "module" }],
  presets: [["classic", { docs: { routeBasePath: "/" }, blog: false }]],
  themeConfig: { navbar: { title: "Sea handbook" } },
};
