/**
 * The styles of filters, preview and explanations.
 *
 * On a phone the foot scrolls. Its background has a shadow at both edges; a second layer, which scrolls with the actions, covers the
 * shadow at an edge behind which there are no more actions.
 */

import { makeSheet } from "./styles.js";

export const extraStyles = makeSheet(`
.tool { display: grid; flex: none; place-items: center; width: 2.25rem; height: 2.25rem; border: 0; border-radius: var(--radius); background: none; }
.tool:hover, .tool[aria-expanded="true"] { background: var(--soft); color: var(--ink); }
.field, .strip, .foot { flex: none; }
.chips { display: flex; flex-wrap: wrap; gap: 0.375rem; align-items: center; }
.strip { padding: 0.5rem 1rem; border-bottom: 1px solid var(--line); }
.chip {
  display: inline-flex; align-items: center; gap: 0.375rem; max-width: 100%; min-height: 1.75rem; padding: 0 0.625rem; border: 1px solid var(--line);
  border-radius: 1.375rem; background: var(--bg); color: var(--ink); font-size: 0.8125rem; overflow-wrap: anywhere; text-align: start;
}
.chip:hover { border-color: var(--accent); }
.chip[aria-pressed="true"] { border-color: var(--accent); background: var(--selected); color: var(--accent); }
.chip .count { color: var(--muted); font-variant-numeric: tabular-nums; }
.chip .icon { width: 0.75rem; height: 0.75rem; }
.drawer { max-height: calc(var(--visible, 100vh) * 0.45); padding: 0.75rem 1rem; overflow-y: auto; border-bottom: 1px solid var(--line); background: var(--soft); font-size: 0.875rem; }
.drawer h2 { margin: 0.75rem 0 0.375rem; color: var(--muted); font-size: 0.8125rem; font-weight: 600; }
.drawer h2:first-child { margin-top: 0; }
.drawer select { min-height: 1.75rem; padding: 0 0.5rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--bg); color: var(--ink); font: inherit; }
.panel:not(:has(.pane:not([hidden]))) .foot:has(.share:not([hidden])) .keys { display: none; }
.panel[data-no-hits] :is(.why, .copy) { display: none; }
.pane { display: flex; flex-direction: column; min-height: 0; border-top: 1px solid var(--line); background: var(--bg); font-size: 0.875rem; }
dialog .panel { max-height: min(78dvh, var(--visible, 100dvh) - 11vh); } /* above a keyboard on the screen */
dialog .pane { max-height: calc(var(--visible, 100dvh) * 0.4); }
/* The list gives way first, and keeps a row. */
dialog .panel { --row: min(6rem, 15dvh); }
dialog .body { flex-shrink: 99; min-height: max(min(var(--held, 0px), 78vh - 10rem), var(--row)); }
.pane-head { display: flex; gap: 0.25rem; align-items: center; padding: 0.25rem 0.5rem 0.25rem 1rem; border-bottom: 1px solid var(--line); background: var(--soft); }
.pane-head .chip { flex: none; }
.pane-head .tool { margin-inline-start: auto; }
.pane-text { flex: 1; padding: 0.75rem 1rem; overflow-y: auto; overscroll-behavior: contain; overflow-wrap: anywhere; }
.pane-text :is(p, h2, h3) { unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent; }
.pane-text h2 { margin: 0 0 0.5rem; font-size: 1rem; line-height: 1.35; }
.pane-text h3 { margin: 1rem 0 0.375rem; color: var(--muted); font-size: 0.8125rem; font-weight: 600; }
.pane-text p { margin-bottom: 0.75rem; white-space: pre-line; }
.pane-text .code { direction: ltr; padding: 0.5rem; border-radius: 0.3em; background: var(--soft); font: 0.8125rem/1.45 var(--ranvier-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace); white-space: pre-wrap; }
.bars { display: grid; grid-template-columns: minmax(6rem, auto) 1fr auto; gap: 0.25rem 0.75rem; align-items: center; margin: 0; }
.bars > div { display: contents; }
.bars dd { font-variant-numeric: tabular-nums; text-align: end; }
.bar { height: 0.5rem; border-radius: 0.25rem; background: var(--line); overflow: hidden; }
.bar > span { display: block; width: calc(var(--share) * 100%); height: 100%; background: var(--accent); }
.bars .reason { grid-column: 1 / -1; margin-bottom: 0.25rem; color: var(--muted); font-size: 0.8125rem; text-align: start; }
.message p + .sections, .message ul + p { margin-top: 0.75rem; }
:host([inline]) .strip { padding-inline: 0; border: 0; }
:host([inline]) .drawer { border: 1px solid var(--line); border-top: 0; }
:host([inline]) .pane { position: sticky; inset-block-end: 0; max-height: 50vh; border: 1px solid var(--line); }
@media (min-width: 960px) {
  dialog:has(.pane:not([hidden])) { width: min(66rem, calc(100vw - 2rem)); }
  dialog .panel:has(.pane:not([hidden])) { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); grid-template-rows: auto auto auto minmax(var(--row), 1fr) auto auto; }
  dialog .panel:has(.pane:not([hidden])) > * { grid-column: 1 / -1; }
  dialog .panel:has(.pane:not([hidden])) > .body { grid-column: 1; grid-row: 4; }
  dialog .panel:has(.pane:not([hidden])) > .boot { grid-row: 5; }
  dialog .panel:has(.pane:not([hidden])) > .foot { grid-row: 6; }
  dialog .panel > .pane:not([hidden]) { grid-column: 2; grid-row: 4; max-height: none; border-top: 0; border-inline-start: 1px solid var(--line); }
}
@media (max-width: 640px), (max-width: 959px) and (max-height: 480px) {
  dialog .panel { height: var(--visible, 100%); max-height: none; }
  dialog .body { min-height: var(--row); }
  .foot:not(:has(.problem:not([hidden]))) {
    flex-wrap: nowrap; overflow-x: auto; scrollbar-width: thin; white-space: nowrap;
    background: linear-gradient(90deg, var(--soft) 0.5rem, #0000 1rem calc(100% - 1rem), var(--soft) calc(100% - 0.5rem)) local,
      linear-gradient(90deg, #8885, #0000 0.5rem calc(100% - 0.5rem), #8885) var(--soft);
  }
  .foot > * { flex: none; outline-offset: -2px; }
}
/* With a very large font, the buttons would take the whole row. */
@media (max-width: 18em) {
  .field { flex-wrap: wrap; justify-content: flex-end; row-gap: 0; }
  .field input { flex-basis: calc(100% - 3rem); }
}
@media (max-height: 480px) { .drawer { max-height: 30vh; } }
@media (pointer: coarse) {
  .tool { width: 2.75rem; height: 2.75rem; }
  .chip, .drawer select, .why { min-height: 2.75rem; }
}
@media (forced-colors: active) {
  .bar { border: 1px solid CanvasText; }
  .bar > span { background: Highlight; forced-color-adjust: none; }
  .chip[aria-pressed="true"] { outline: 2px solid Highlight; }
}
`);
