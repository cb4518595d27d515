/** The styles of the elements that come with an answer; the others are in `styles.js`. */

import { makeSheet } from "./styles.js";

export const answerStyles = makeSheet(`
.boot { border-top: 1px solid var(--line); background: var(--soft); }
.boot p { padding: 0.5rem 1rem; color: var(--muted); font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
progress { display: block; width: 100%; height: 3px; border: 0; appearance: none; background: var(--line); color: var(--accent); }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); transition: inline-size 0.2s; }
progress::-moz-progress-bar { background: var(--accent); }
progress:indeterminate { animation: wait 1.4s ease-in-out infinite alternate; }
@keyframes wait { from { opacity: 1; } to { opacity: 0.35; } }
.notice { margin: 0.25rem 0.25rem 0.5rem; padding: 0.5rem 0.75rem; border-inline-start: 3px solid var(--accent); background: var(--soft); font-size: 0.875rem; }
.instead { padding: 0; border: 0; background: none; color: var(--accent); text-align: start; text-decoration: underline; overflow-wrap: anywhere; }
.hint { margin: 0.5rem 0.75rem 0; color: var(--muted); font-size: 0.8125rem; }
.more, .retry {
  padding: 0.5rem 1rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--bg); font-size: 0.9375rem;
}
.more { display: block; width: 100%; margin-top: 0.5rem; color: var(--accent); }
.more:hover, .retry:hover { border-color: var(--accent); background: var(--soft); }
.share { color: var(--accent); }
.download { padding: 0; border: 0; background: none; text-decoration: underline; font-variant-numeric: tabular-nums; }
.download:hover { color: var(--ink); }
.download[aria-disabled="true"] { text-decoration: none; cursor: default; }
.problem { flex-basis: 100%; color: var(--danger); }
.section { margin-inline-start: 1.75rem; padding-block: 0.375rem; padding-inline-start: 2.25rem; }
.section .icon { inset-block-start: 0.5rem; width: 1rem; height: 1rem; }
.section::before { content: ""; position: absolute; inset-block: 0; inset-inline-start: -0.5rem; border-inline-start: 1px solid var(--line); }
.snippet:is(.code, .table) { display: -webkit-box !important; overflow: hidden; white-space: pre-line; -webkit-box-orient: vertical; -webkit-line-clamp: 5; }
.snippet.code { direction: ltr; text-align: left; padding: 0 0.5rem; border-radius: 0.3em; background: var(--soft); font: 0.8125rem/1.45 var(--ranvier-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace); white-space: pre-wrap; }
@media (max-width: 640px) { .snippet.code { white-space: pre-line; } }
.group[data-near]::before { content: attr(data-near); display: block; margin: 0.75rem 0.75rem 0.25rem; color: var(--muted); font-size: 0.8125rem; font-weight: 600; }
.section .title { font-size: 0.9375rem; font-weight: 500; }
.snippet { margin-top: 0.125rem; color: var(--muted); font-size: 0.875rem; line-height: 1.5; }
.message ul { margin-top: 0.25rem; padding-inline-start: 1.25rem; }
:host([inline]) .boot { margin-top: 0.5rem; border: 0; background: none; }
`);
