/**
 * The styles of the search box. A theme sets `--ranvier-*` properties on the page; each colour has a light and a dark default.
 *
 * A constructable style sheet needs no `style` attribute and no `<style>` element, which a strict CSP would block.
 */

/** Each colour in light and in dark mode, or in both; the page may replace it by the property `--ranvier-NAME`. */
const COLOURS = {
  bg: ["#fff", "#171b1f"],
  "bg-soft": ["#f5f6f5", "#1f252a"],
  ink: ["#20262b", "#e0e4e6"],
  muted: ["#5c666e", "#9aa5ad"],
  line: ["#dfe3e1", "#333b42"],
  accent: ["#0b6b66", "#63c9bf"],
  selected: ["#e4f1ef", "#1d3537"],
  mark: ["#fff0b8", "#5a4a10"],
  "mark-ink": ["#3d3000", "#fff0b8"],
  danger: ["#a1301f", "#f0978a"],
  veil: ["rgb(0 0 0 / 50%)"],
  shadow: ["0 1.5rem 4rem rgb(0 0 0 / 40%)"],
};

/**
 * Replace the unit rem by the box's own: a large font size of the page's root element must not enlarge the box.
 *
 * @param {string} css
 */
const withBoxUnits = (css) => css.replace(/(-?[\d.]+)rem/g, "calc($1*var(--rem))");

/** @param {string} css */
export function makeSheet(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(withBoxUnits(css));
  return sheet;
}

/**
 * Return the styles that depend on the page.
 *
 * @param {boolean} isDark
 * @param {string} size       the font size that the reader has set in the browser
 * @param {string} direction  "ltr" or "rtl"; "" for the page's
 */
export function makePageStyles(isDark, size, direction) {
  const colours = Object.entries(COLOURS).map(
    ([name, values]) => `--${name.replace("bg-", "")}:var(--ranvier-${name},${values[+isDark] ?? values[0]});`,
  );
  const scheme = isDark ? "dark" : "light";
  return withBoxUnits(`:host{--rem:var(--ranvier-size,${size});font-size:var(--rem);--radius:var(--ranvier-radius,8px);color-scheme:${scheme};${direction && `direction:${direction};`}${colours.join("")}}`);
}

const BASE_STYLES = `
:host {
  display: block;
  color: var(--ink);
  font: medium/1.5 var(--ranvier-font, system-ui, sans-serif);
  text-align: start;
}
:host([hidden]), [hidden] { display: none !important; }
*, ::before, ::after { box-sizing: border-box; }
button, input { font: inherit; color: inherit; letter-spacing: inherit; }
button { cursor: pointer; }
p, ul, dl, dd { margin: 0; padding: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.icon { flex: none; width: 1.125rem; height: 1.125rem; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; }
.sr-only {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
kbd, code { font-family: var(--ranvier-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace); }
kbd {
  display: inline-block; min-width: 1.5em; padding: 0.1em 0.4em; border: 1px solid var(--line); border-radius: 0.3em;
  background: var(--bg); color: var(--muted); font-size: 0.75rem; line-height: 1.4; text-align: center;
}
mark { border-radius: 0.15em; background: var(--mark); color: var(--mark-ink); }
`;

const TRIGGER_STYLES = `
:host(:not([inline])) { min-height: 2.25rem; }
.trigger {
  display: flex; align-items: center; gap: 0.5rem; width: 100%; min-height: 2.25rem; padding: 0 0.5rem 0 0.75rem;
  border: 1px solid var(--line); border-radius: var(--radius); background: var(--soft); color: var(--muted);
  font-size: 0.9375rem; transition: border-color 0.15s, color 0.15s;
}
.trigger:hover { border-color: var(--accent); color: var(--ink); }
.trigger .label { flex: 1; text-align: start; }
.trigger .shortcut { white-space: nowrap; }
@media (hover: none) { .trigger .shortcut { display: none; } }
@media (pointer: coarse) { .trigger { min-height: 44px; } }
`;

const PANEL_STYLES = `
dialog {
  width: min(42rem, 100vw - 2rem); max-width: none; height: fit-content; max-height: none; margin: 10vh auto auto; padding: 0;
  border: 1px solid var(--line); border-radius: calc(var(--radius) * 1.5); background: var(--bg); color: var(--ink);
  box-shadow: var(--shadow); overflow: hidden; overscroll-behavior: contain;
}
dialog::backdrop { background: var(--veil); overflow: auto; overscroll-behavior: contain; }
dialog .panel { display: flex; flex-direction: column; max-height: 78vh; max-height: 78dvh; }
.field { display: flex; align-items: center; gap: 0.5rem; padding: 0 1rem; border-bottom: 1px solid var(--line); color: var(--muted); }
input {
  flex: 1; min-width: 0; height: 3.5rem; padding: 0; border: 0; background: none; color: var(--ink); font-size: 1.125rem;
  text-overflow: ellipsis;
}
input::placeholder { color: var(--muted); opacity: 1; }
input:focus { outline: none; }
.close { display: grid; place-items: center; width: 2.25rem; height: 2.25rem; margin-inline-end: -0.5rem; border: 0; border-radius: var(--radius); background: none; }
.body { min-height: min(var(--held, 0px), 78vh - 10rem); padding: 0.5rem; transition: opacity 0.15s; }
dialog .body { overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; }
.message { padding: 1rem 0.75rem 1.25rem; }
.heading { padding: 0.125rem 0.75rem 0.25rem; color: var(--muted); font-size: 0.8125rem; font-weight: 600; }
`;

const RESULT_STYLES = `
.group + .group { margin-top: 0.25rem; padding-top: 0.25rem; border-top: 1px solid var(--line); }
.option { display: block; position: relative; padding: 0.5rem 0.75rem; padding-inline-start: 2.5rem; border-inline-start: 3px solid transparent; border-radius: var(--radius); color: inherit; text-decoration: none; overflow-wrap: anywhere; scroll-margin: 0.75rem; }
.option > span { display: block; unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent; }
.option[aria-selected="true"] { border-color: var(--accent); background: var(--selected); }
.option .title { font-weight: 600; line-height: 1.35; }
.option[aria-selected="true"] .title { color: var(--accent); }
.option .icon { position: absolute; inset-block-start: 0.625rem; inset-inline-start: 0.75rem; color: var(--muted); }
.crumbs { color: var(--muted); font-size: 0.8125rem; line-height: 1.4; }
.option[aria-selected="true"] :is(.snippet, .crumbs) { color: var(--ink); }
`;

const MEDIA_STYLES = `
@media (max-width: 640px), (max-width: 959px) and (max-height: 480px) {
  dialog { width: 100vw; height: 100vh; height: 100dvh; margin: 0; border: 0; border-radius: 0; }
  dialog .panel { height: 100%; max-height: none; }
  dialog .body { flex: 1; }
}
@media print { :host(:not([inline])) { display: none; } }
`;

/** The style sheet that every search box adopts. */
export const styleSheet = makeSheet([BASE_STYLES, TRIGGER_STYLES, PANEL_STYLES, RESULT_STYLES, MEDIA_STYLES].join(""));
