/** The styles of a box in use, also in a navigation bar with its own style of text; those of the first paint are in `styles.js`. */

import { makeSheet } from "./styles.js";

export const featureStyles = makeSheet(`
.panel { text-indent: 0; text-transform: none; white-space: normal; }
.message { color: var(--muted); font-size: 0.9375rem; overflow-wrap: anywhere; }
.message .lead { margin-bottom: 0.5rem; color: var(--ink); font-size: 1.0625rem; font-weight: 600; }
.message .reason { margin: 0.5rem 0 1rem; padding: 0.5rem 0.75rem; border-inline-start: 3px solid var(--danger); background: var(--soft); font-size: 0.875rem; }
.results + .message { position: sticky; inset-block-end: -0.5rem; max-height: min(16rem, 40vh); margin-inline: -0.5rem; padding: 0.75rem 1.25rem; overflow-y: auto; border-top: 1px solid var(--line); background: var(--bg); }
.results + .message .reason { margin-block: 0.5rem; }
.body:has(.results + .message:not([hidden])) .option { scroll-margin-block-end: calc(min(16rem, 40vh) + 0.75rem); }
dialog .field:has(input:focus-visible) { border-color: var(--accent); }
.body[aria-busy] .results { opacity: 0.6; }
.retry { color: var(--ink); }
.foot {
  display: flex; flex: none; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1rem; min-height: 2.5rem; padding: 0.375rem 1rem;
  border-top: 1px solid var(--line); background: var(--soft); color: var(--muted); font-size: 0.8125rem;
}
.keys { display: flex; gap: 1rem; }
.keys span { display: inline-flex; align-items: center; gap: 0.25rem; }
.hints { display: grid; grid-template-columns: max-content 1fr; gap: 0.375rem 1rem; margin-top: 0.625rem; }
.hints code { color: var(--ink); font-size: 0.875rem; }
.hints + .site:not(:empty) { margin-top: 1rem; }
.sections { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-top: 0.5rem; list-style: none; }
.message .sections { padding: 0; }
.sections a { display: block; padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--accent); text-decoration: none; }
.sections a:hover { border-color: var(--accent); background: var(--soft); }
.searches { margin-bottom: 1rem; padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); }
.searches-title { padding: 0.25rem 0; font-size: 0.8125rem; font-weight: 600; }
.message .searches-list { margin: 0 -0.75rem 0.5rem; padding: 0; list-style: none; }
.searches-item { display: flex; align-items: center; border-radius: var(--radius); }
.searches-item:is(:hover, :focus-within) { background: var(--selected); }
.searches-link {
  display: flex; flex: 1; align-items: center; gap: 0.75rem; min-width: 0; padding: 0.5rem 0.75rem; border-radius: var(--radius);
  color: var(--ink); text-decoration: none; outline-offset: -2px;
}
.searches-link .icon, .pin { color: var(--muted); }
.searches-link span { overflow: hidden; text-overflow: ellipsis; unicode-bidi: plaintext; white-space: nowrap; }
.pin { display: grid; place-items: center; width: 2.25rem; height: 2.25rem; border: 0; border-radius: var(--radius); background: none; outline-offset: -2px; }
.pin:hover, .pin[aria-pressed="true"] { color: var(--accent); }
.pin[aria-pressed="true"] .icon { fill: currentColor; }
.forget, .copy, .why, .unlock { padding: 0; border: 0; background: none; color: var(--accent); font-size: 0.8125rem; text-decoration: underline; }
.unmark {
  position: fixed; inset-block: auto 1rem; inset-inline: auto 1rem; display: flex; align-items: center; gap: 0.5rem; min-height: 2.25rem; margin: 0;
  padding: 0 0.875rem 0 0.625rem; border: 1px solid var(--line); border-radius: 2rem; background: var(--bg); color: var(--ink);
  font-size: 0.875rem; box-shadow: 0 2px 12px rgb(0 0 0 / 20%);
}
.unmark:hover { border-color: var(--accent); }
:host([inline]) .field { border: 1px solid var(--line); border-radius: var(--radius); background: var(--bg); }
:host([inline]) .field:has(input:focus-visible) { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
:host([inline]) .body { padding: 0.75rem 0; }
:host([inline]) .results + .message { inset-block-end: 0; margin-inline: 0; padding-inline: 0.75rem; }
.close:hover { background: var(--soft); color: var(--ink); }
@media (max-width: 640px) {
  .hints { grid-template-columns: 1fr; gap: 0; }
  .hints dd { margin-bottom: 0.5rem; }
}
@media (hover: none), (max-width: 640px) {
  .keys { display: none; }
  .foot:not(:has(> a:not([hidden]), > button:not([hidden]))) { display: none; }
}
@media (pointer: coarse) {
  .pin, .close { width: 44px; height: 44px; }
  .searches-link, .option, .unmark { min-height: 44px; }
  .foot { row-gap: 0; padding-block: 0; }
  .forget, .copy, .download, .instead, .share { display: inline-flex; align-items: center; min-height: 44px; }
  .more, .retry { min-height: 44px; }
  .sections a { min-height: 44px; padding-block: 0.625rem; border-radius: 1.375rem; }
}
@media (forced-colors: active) {
  .option:not([aria-selected="true"]) { border-color: Canvas; }
  .option[aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
  .field:has(input:focus-visible) { outline: 2px solid Highlight; outline-offset: -2px; }
}
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation: none !important; transition: none !important; } }
@media print { .unmark { display: none; } }
`);
