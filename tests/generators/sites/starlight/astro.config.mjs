import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

const own = {
  pagefind: false,
  head: [{ tag: "script", attrs: { type: "module", src: "/handbook/_ranvier/search.js" } }],
  components: { Search: "./src/components/Search.astro" },
};

export default defineConfig({
  site: "https://example.org",
  base: "/handbook",
  // Without `own`, the theme has its own box, which imports pagefind/pagefind.js.
  integrations: [starlight({ title: "Sea handbook", ...(process.env.OWN_BOX ? {} : own) })],
});
