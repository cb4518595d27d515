import DefaultTheme from "vitepress/theme";
import { h } from "vue";

const search = () => h("ranvier-search", { base: "/handbook/_ranvier/" });

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "nav-bar-content-before": search }),
  enhanceApp({ router }) {
    if (import.meta.env.SSR) return;
    document.addEventListener("ranvier-select", (event) => {
      event.preventDefault();
      router.go(event.detail.url.slice(location.origin.length));
    });
  },
};
