/**
 * The styles of the search box. A theme sets `--ranvier-*` properties on the page; each has a light and a dark default.
 *
 * A constructable style sheet needs no `style` attribute and no `<style>` element, which a strict CSP would block.
 */

const COLOURS = `
:host {
  --bg: var(--ranvier-bg, #ffffff);
  --soft: var(--ranvier-bg-soft, #f5f6f5);
  --ink: var(--ranvier-ink, #20262b);
  --muted: var(--ranvier-muted, #5c666e);
  --line: var(--ranvier-line, #dfe3e1);
  --accent: var(--ranvier-accent, #0b6b66);
  --selected: var(--ranvier-selected, #e4f1ef);
  --mark: var(--ranvier-mark, #fff0b8);
  --mark-ink: var(--ranvier-mark-ink, #3d3000);
  --danger: var(--ranvier-danger, #a1301f);
  --veil: var(--ranvier-veil, rgb(20 28 32 / 45%));
  --shadow: var(--ranvier-shadow, 0 1.5rem 4rem rgb(20 28 32 / 28%));
  --radius: var(--ranvier-radius, 0.5rem);
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :host {
    --bg: var(--ranvier-bg, #171b1f);
    --soft: var(--ranvier-bg-soft, #1f252a);
    --ink: var(--ranvier-ink, #e0e4e6);
    --muted: var(--ranvier-muted, #9aa5ad);
    --line: var(--ranvier-line, #333b42);
    --accent: var(--ranvier-accent, #63c9bf);
    --selected: var(--ranvier-selected, #1d3537);
    --mark: var(--ranvier-mark, #5a4a10);
    --mark-ink: var(--ranvier-mark-ink, #fff0b8);
    --danger: var(--ranvier-danger, #f0978a);
    --veil: var(--ranvier-veil, rgb(0 0 0 / 60%));
    --shadow: var(--ranvier-shadow, 0 1.5rem 4rem rgb(0 0 0 / 60%));
  }
}
`;

const BASICS = `
:host {
  display: block;
  color: var(--ink);
  font: 1rem/1.5 var(--ranvier-font, system-ui, sans-serif);
  text-align: start;
}
:host([hidden]), [hidden] { display: none !important; }
*, ::before, ::after { box-sizing: border-box; }
button, input { font: inherit; color: inherit; letter-spacing: inherit; }
button { cursor: pointer; }
p, ul, dl, dd { margin: 0; padding: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.icon { flex: none; width: 1.125rem; height: 1.125rem; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; }
.unseen {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
kbd, code { font-family: var(--ranvier-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace); }
kbd {
  display: inline-block; min-width: 1.5em; padding: 0.1em 0.4em; border: 1px solid var(--line); border-radius: 0.3em;
  background: var(--bg); color: var(--muted); font-size: 0.75rem; line-height: 1.4; text-align: center;
}
mark { border-radius: 0.15em; background: var(--mark); color: var(--mark-ink); }
`;

const TRIGGER = `
.trigger {
  display: flex; align-items: center; gap: 0.5rem; width: 100%; min-height: 2.25rem; padding: 0 0.5rem 0 0.75rem;
  border: 1px solid var(--line); border-radius: var(--radius); background: var(--soft); color: var(--muted);
  font-size: 0.9375rem; transition: border-color 0.15s, color 0.15s;
}
.trigger:hover { border-color: var(--accent); color: var(--ink); }
.trigger .label { flex: 1; text-align: start; }
.trigger .shortcut { white-space: nowrap; }
@media (hover: none) { .trigger .shortcut { display: none; } }
`;

const PANEL = `
dialog {
  width: min(42rem, calc(100vw - 2rem)); max-width: none; height: fit-content; max-height: none; margin: 10vh auto auto; padding: 0;
  border: 1px solid var(--line); border-radius: calc(var(--radius) * 1.5); background: var(--bg); color: var(--ink);
  box-shadow: var(--shadow); overflow: hidden; overscroll-behavior: contain;
}
dialog::backdrop { background: var(--veil); overscroll-behavior: contain; }
dialog .panel { display: flex; flex-direction: column; max-height: 78vh; max-height: 78dvh; }
.field { display: flex; align-items: center; gap: 0.75rem; padding: 0 1rem; border-bottom: 1px solid var(--line); color: var(--muted); }
input {
  flex: 1; min-width: 0; height: 3.5rem; padding: 0; border: 0; background: none; color: var(--ink); font-size: 1.125rem;
  text-overflow: ellipsis;
}
input::placeholder { color: var(--muted); opacity: 1; }
input:focus { outline: none; }
dialog .field:has(input:focus-visible) { border-color: var(--accent); }
.close { display: grid; place-items: center; width: 2.25rem; height: 2.25rem; margin-inline-end: -0.5rem; border: 0; border-radius: var(--radius); background: none; }
.close:hover { background: var(--soft); color: var(--ink); }
.body { min-height: min(var(--held, 0px), 78vh - 10rem); padding: 0.5rem; transition: opacity 0.15s; }
dialog .body { overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; }
.body[aria-busy] .results { opacity: 0.6; }
.heading { padding: 0.125rem 0.75rem 0.25rem; color: var(--muted); font-size: 0.8125rem; font-weight: 600; }
.retry { color: var(--ink); }
.foot {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1rem; min-height: 2.5rem; padding: 0.375rem 1rem;
  border-top: 1px solid var(--line); background: var(--soft); color: var(--muted); font-size: 0.8125rem;
}
.keys { display: flex; gap: 1rem; }
.keys span { display: inline-flex; align-items: center; gap: 0.25rem; }
`;

const RESULTS = `
.group + .group { margin-top: 0.25rem; padding-top: 0.25rem; border-top: 1px solid var(--line); }
.option { display: block; position: relative; padding: 0.5rem 0.75rem; padding-inline-start: 2.5rem; border-radius: var(--radius); color: inherit; text-decoration: none; overflow-wrap: anywhere; scroll-margin: 0.75rem; }
.option > span { display: block; }
.option[aria-selected="true"] { background: var(--selected); box-shadow: inset 3px 0 0 var(--accent); }
.option .title { font-weight: 600; line-height: 1.35; }
.option[aria-selected="true"] .title { color: var(--accent); }
.option .icon { position: absolute; inset-block-start: 0.625rem; inset-inline-start: 0.75rem; color: var(--muted); }
.crumbs { color: var(--muted); font-size: 0.8125rem; line-height: 1.4; }
.option[aria-selected="true"] :is(.snippet, .crumbs) { color: var(--ink); }
`;

const MESSAGES = `
.message { padding: 1rem 0.75rem 1.25rem; color: var(--muted); font-size: 0.9375rem; overflow-wrap: anywhere; }
.message .lead { margin-bottom: 0.5rem; color: var(--ink); font-size: 1.0625rem; font-weight: 600; }
.message .reason { margin: 0.5rem 0 1rem; padding: 0.5rem 0.75rem; border-inline-start: 3px solid var(--danger); background: var(--soft); font-size: 0.875rem; }
`;

const INLINE = `
:host([inline]) .field { border: 1px solid var(--line); border-radius: var(--radius); background: var(--bg); }
:host([inline]) .field:has(input:focus-visible) { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
:host([inline]) .body { padding: 0.75rem 0; }
`;

const SITUATIONS = `
@media (max-width: 40rem) {
  dialog { width: 100vw; height: 100vh; height: 100dvh; margin: 0; border: 0; border-radius: 0; }
  dialog .panel { height: 100%; max-height: none; }
  dialog .body { flex: 1; }
}
@media (hover: none), (max-width: 40rem) { .keys { display: none; } .foot:not(:has(> a:not([hidden]), > button:not([hidden]))) { display: none; } }
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { animation: none !important; transition: none !important; } }
@media (forced-colors: active) {
  .option[aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; }
  .field:has(input:focus-visible) { outline: 2px solid Highlight; outline-offset: -2px; }
}
@media print { :host(:not([inline])) { display: none; } }
`;

/** The style sheet that every search box adopts. */
export const styleSheet = new CSSStyleSheet();
styleSheet.replaceSync([COLOURS, BASICS, TRIGGER, PANEL, RESULTS, MESSAGES, INLINE, SITUATIONS].join(""));
