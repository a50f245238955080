// The style sheet of the pages, as text: system fonts, light and dark, from phones to paper.

import { operationStylesheet } from "../../html/stylesheet";

export const referenceStyles = `:root {
  color-scheme: light dark; --corner: 8px; --back: 9%;
  --text: #1d2329; --quiet: #55606b; --line: #d9dee3; --paper: #ffffff; --shade: #f5f7f9; --accent: #1c5bb0; --edge: #8a949e;
  --code: #f2f4f7; --note: #fff6de; --info: #1c5bb0; --success: #146c3a; --warning: #8a5a00; --danger: #a3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: 16%; --edge: #77828d;
    --text: #e4e8ec; --quiet: #a5b0bb; --line: #323a42; --paper: #14181c; --shade: #1b2025; --accent: #8ab8ff;
    --code: #1f252b; --note: #2f2812; --info: #8ab8ff; --success: #7fd3a1; --warning: #f0c36a; --danger: #ff9c93;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--text); font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
code, pre, textarea { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font-size: .875em; overflow-wrap: anywhere; }
p code, dd code, li code, td code { background: var(--code); padding: .1em .3em; border-radius: 4px; }
pre { margin: 0; padding: .9rem 1rem; background: var(--code); border-radius: 8px; overflow: auto; max-height: 32rem; font-size: .9375rem; line-height: 1.5; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 0 0 .75rem; font-size: clamp(1.6rem, 1.2rem + 1.6vw, 2.1rem); letter-spacing: -.015em; }
h2 { margin: 2.75rem 0 .75rem; font-size: 1.3rem; letter-spacing: -.01em; }
h3 { margin: 1.75rem 0 .5rem; font-size: 1.05rem; }
p { margin: 0 0 .85rem; }
ul { padding-left: 1.2rem; }
.lead { font-size: 1.1rem; color: var(--quiet); }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: .75rem; z-index: 3; background: var(--paper); padding: .4rem .8rem; }

.top {
  display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .9rem; padding: .6rem 1.25rem;
  background: var(--paper); border-bottom: 1px solid var(--line);
}
.home { font-weight: 650; color: var(--text); text-decoration: none; }
.top .quiet { font-size: .875rem; }
.menu { margin-left: auto; }
.search { display: flex; gap: .4rem; flex: 1 1 100%; }
.search input { flex: 1; min-width: 0; }
input, textarea, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: 7px; padding: .4rem .65rem; }
input::placeholder { color: var(--quiet); opacity: 1; }
button { background: var(--shade); cursor: pointer; }
button:hover { border-color: var(--accent); }

main { padding: 1.75rem 1.25rem 3rem; min-width: 0; }
main > *, main section { max-width: 52rem; }
#contents { padding: 1.5rem 1.25rem 4rem; border-top: 1px solid var(--line); background: var(--shade); font-size: .9375rem; }
#contents ul { list-style: none; margin: 0; padding: 0; }
#contents a {
  display: flex; gap: .55rem; align-items: baseline; padding: .3rem .5rem; border-radius: 6px; color: var(--text);
  text-decoration: none; line-height: 1.4;
}
#contents a:hover { background: var(--line); }
#contents a[aria-current] { background: color-mix(in srgb, var(--info) var(--back), var(--paper)); color: var(--accent); font-weight: 600; }
#contents summary { padding: .35rem .5rem; border-radius: 6px; font-weight: 600; cursor: pointer; }
#contents summary:hover { background: var(--line); }
#contents details ul { margin: .1rem 0 .6rem .6rem; }
#contents li { font-size: .875rem; }
#contents .method { width: 3.3rem; font-size: .625rem; padding: .1rem 0; text-align: center; }
#contents a > span:last-child { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.filtering #contents details li:not([data-words]) { display: none; }
[hidden] { display: none !important; }

@media (min-width: 60rem) {
  html { scroll-padding-top: 4.5rem; }
  .top { position: sticky; top: 0; z-index: 2; }
  .menu { display: none; }
  .search { flex: 0 1 24rem; margin-left: auto; }
  .columns { display: grid; grid-template-columns: 22rem minmax(0, 1fr); }
  main { grid-column: 2; grid-row: 1; padding: 2.25rem clamp(2rem, 5vw, 5rem) 5rem; }
  #contents {
    grid-column: 1; grid-row: 1; position: sticky; top: 3.6rem; height: calc(100vh - 3.6rem); overflow-y: auto;
    border-top: 0; border-right: 1px solid var(--line); padding: 1.25rem .9rem 3rem;
  }
}

${operationStylesheet}
.path { background: none !important; padding: 0 !important; }
.crumbs { font-size: .9rem; color: var(--quiet); margin-bottom: .5rem; }
.operations { list-style: none; margin: .5rem 0 1.5rem; padding: 0; }
.operations li { display: flex; gap: .9rem; align-items: baseline; padding: .6rem 0; border-top: 1px solid var(--line); }
.operations .path { color: var(--quiet); font-size: .8125rem; }
.operations .method { min-width: 4.2rem; text-align: center; }

.terms { margin: .5rem 0 1rem; }
.terms > div { display: grid; grid-template-columns: minmax(7rem, 10rem) 1fr; gap: .2rem 1rem; padding: .45rem 0; border-top: 1px solid var(--line); }
.terms dt { font-weight: 600; }
.terms dd { margin: 0; }
.code { position: relative; margin: 0 0 1.1rem; }
.code figcaption { margin-bottom: .35rem; font-weight: 600; font-size: .9375rem; }
.code button { position: absolute; inset-inline-end: .5rem; margin-top: .5rem; font-size: .8125rem; padding: .1rem .6rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .9rem .5rem 0; border-top: 1px solid var(--line); }
th { border-top: 0; font-weight: 600; color: var(--quiet); }
td code { overflow-wrap: normal; white-space: nowrap; }
td:last-child code { white-space: normal; }
tr:target td { background: var(--note); }
.try form p { margin: 0 0 .6rem; }
.try label { display: block; font-weight: 600; font-size: .9375rem; margin-bottom: .2rem; }
.try :is(input:not([type="checkbox"]), select, textarea) { width: 100%; font-size: .875rem; }
.try select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: 7px; padding: .4rem .65rem; }
.try fieldset { border: 1px solid var(--line); border-radius: var(--corner); margin: 0 0 .8rem; min-width: 0; }
.try form button { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600; padding: .45rem 1.4rem; }
.neighbours {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 2rem; margin-top: 3rem;
  padding-top: 1rem; border-top: 1px solid var(--line);
}

@media (max-width: 34rem) {
  .terms > div { grid-template-columns: 1fr; }
  .operations li { flex-direction: column; gap: .25rem; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  .top, #contents, .try, .code button, .skip, .neighbours { display: none !important; }
  .columns { display: block; }
  body { font-size: 10.5pt; }
  main > *, main section { max-width: none; }
  pre { max-height: none; white-space: pre-wrap; border: 1px solid var(--line); }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  .members > li, tr, figure { break-inside: avoid; }
  a { color: inherit; }
}
`;
