export default {
  title: "Sea handbook",
  url: "https://example.org",
  baseUrl: "/handbook/",
  scripts: [{ src: "/handbook/_ranvier/search.js", type: "module" }],
  presets: [["classic", { docs: { routeBasePath: "/" }, blog: false }]],
  themeConfig: { colorMode: { respectPrefersColorScheme: true }, navbar: { title: "Sea handbook" } },
};
