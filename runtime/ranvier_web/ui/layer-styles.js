/** The styles of unlocking. */

import { makeSheet } from "./styles.js";

export const layerStyles = makeSheet(`
.unlock-form {
  display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; padding: 0.75rem 1rem;
  border-top: 1px solid var(--line); background: var(--soft); font-size: 0.875rem;
}
.unlock-form label { display: flex; align-items: center; gap: 0.5rem; }
.unlock-form input[type="password"] {
  flex: none; width: 14rem; max-width: 100%; height: 2.25rem; padding: 0 0.625rem; border: 1px solid var(--line); border-radius: var(--radius);
  background: var(--bg); color: var(--ink); font: inherit;
}
.unlock-form button {
  min-height: 2.25rem; padding: 0 0.875rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--bg); color: var(--ink);
}
.option[href*="#private-"] .crumbs:not(.crumbs ~ .crumbs)::before {
  content: ""; display: inline-block; width: 12px; height: 12px; margin-inline-end: 0.25rem; background: currentColor;
  clip-path: path(evenodd, "M1 5h1V4a4 4 0 0 1 8 0v1h1v7H1ZM4 5h4V4a2 2 0 0 0-4 0Z"); forced-color-adjust: none;
}
[data-layer]:not([data-layer=""]) .download { display: none; }
.unlock-form p { flex-basis: 100%; color: var(--ink); }
.unlock-form p:empty { display: none; }
@media (pointer: coarse) {
  .unlock, .unlock-form :is(button, input[type="password"]) { height: auto; min-height: 44px; }
}
`);
