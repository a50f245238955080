// The stylesheet of all published sites: light and dark themes, screens from phones to desktops, print, and both text directions.
// The colors and fonts of a site are in its theme (`theme.ts`).

import { blockStylesheet } from "./block-stylesheet";

export const stylesheet = `:root {
  color-scheme: light;
  --text: #1d2329; --quiet: #55606b; --line: #dfe3e8; --paper: #fff; --shade: #f5f7f9; --code: #f3f5f8; --accent: #1c5bb0;
  --info: #1c5bb0; --success: #146c3a; --warning: #8a5a00; --danger: #a3261e; --back: 9%; --edge: #8a949e;
  --key: #8b2252; --string: #1d6638; --number: #7a4300; --comment: #5c6772; --name: #1a4f96; --measure: 46rem; --corner: 8px;
}
:root.dark { color-scheme: dark;
  --text: #e4e8ec; --quiet: #a5b0bb; --line: #323a42; --paper: #14181c; --shade: #1b2025; --code: #1f252b; --accent: #8ab8ff;
  --info: #8ab8ff; --success: #7fd3a1; --warning: #f0c36a; --danger: #ff9c93; --back: 16%; --edge: #77828d;
  --key: #f2a6c8; --string: #9bdcae; --number: #f2c078; --comment: #9aa5b0; --name: #9cc4ff;
}
@media (prefers-color-scheme: dark) { :root.device { color-scheme: dark;
  --text: #e4e8ec; --quiet: #a5b0bb; --line: #323a42; --paper: #14181c; --shade: #1b2025; --code: #1f252b; --accent: #8ab8ff;
  --info: #8ab8ff; --success: #7fd3a1; --warning: #f0c36a; --danger: #ff9c93; --back: 16%; --edge: #77828d;
  --key: #f2a6c8; --string: #9bdcae; --number: #f2c078; --comment: #9aa5b0; --name: #9cc4ff;
} }
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--text);
  font: 1rem/1.65 var(--font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
}
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
img { max-width: 100%; height: auto; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: .75rem; z-index: 3; background: var(--paper); padding: .4rem .8rem; }
.announcement {
  padding: .55rem 1.25rem; text-align: center; background: color-mix(in srgb, var(--tone) var(--back), var(--paper));
  border-bottom: 1px solid var(--line);
}

.menu {
  color: inherit; font-size: .9375rem; padding: .25rem .7rem; border: 1px solid currentColor;
  border-radius: var(--corner); text-decoration: none;
}
.top {
  box-shadow: var(--lift); color: var(--on-bar); position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap;
  align-items: center; gap: .4rem 1.25rem; padding: .65rem 1.25rem; background: var(--bar);
  border-bottom: 1px solid var(--line);
}
.home {
  min-height: 2.4rem; display: flex; align-items: center; gap: .6rem; font-weight: 650; font-size: 1.05rem;
  color: inherit; text-decoration: none;
}
.home img { max-height: 2rem; width: auto; min-width: 0; object-fit: contain; }
.top nav ul { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.1rem; list-style: none; margin: 0; padding: 0; }
.top .links :is(a, summary):not(.button) { color: inherit; text-decoration: none; }
.top .button { padding-block: .25rem; margin-block-end: 0; }
.top .links a:not(.button):hover { text-decoration: underline; }
.js-only { display: none; } .js .js-only { display: revert; }
.theme { font: inherit; padding: .3rem .5rem; border: 0; background: none; color: inherit; border-radius: var(--corner); cursor: pointer; }
.bare { border-color: transparent; box-shadow: none; }
.drop { position: relative; margin: 0; border: 0; }
.drop > summary { padding: 0; font-weight: inherit; list-style: none; }
.drop > summary::-webkit-details-marker { display: none; }
.drop > summary::after {
  content: ""; display: inline-block; width: .4em; height: .4em; margin-inline-start: .45em; vertical-align: .15em;
  border: solid currentColor; border-width: 0 .12em .12em 0; transform: rotate(45deg);
}
.drop > ul {
  position: absolute; z-index: 4; inset-inline-start: 0; top: calc(100% + .5rem); min-width: 12rem; max-height: 70vh;
  overflow-y: auto; display: block !important; padding: .4rem !important; list-style: none; background: var(--paper);
  color: var(--text); border: 1px solid var(--line); border-radius: var(--corner);
  box-shadow: 0 6px 24px rgb(0 0 0 / .14);
}
.drop > ul a { display: block; padding: .35rem .6rem !important; border: 0 !important; border-radius: 6px; }
.drop > ul a:hover { background: var(--shade); }
.tools { margin-inline-start: auto; display: flex; align-items: center; justify-content: end; gap: .75rem; flex: 0 1 18rem; }
@media (max-width: 47.99rem) {
  .top { flex-wrap: nowrap; gap: .75rem; padding-inline: .9rem; }
  .top:not(:has(> .menu)) { flex-wrap: wrap; }
  .menu ~ .links { display: none; }
  .home { min-width: 0; line-height: 1.25; overflow-wrap: anywhere; }
  .tools { flex: 1 1 8.5rem; min-width: 8.5rem; }
}
.search { display: flex; flex: 1 1 auto; min-width: 6rem; }
.search.js-only { display: none; } .js .search.js-only { display: flex; }
.search input {
  font: inherit; font-size: .9375rem; color: inherit; background: var(--shade); border: 1px solid var(--line);
  border-radius: var(--corner); padding: .35rem .7rem; width: 100%; min-width: 0;
}
.search input::placeholder { color: var(--quiet); opacity: 1; }
.sections { padding: 0 1.25rem; border-bottom: 1px solid var(--line); background: var(--paper); }
.sections > ul { display: flex; flex-wrap: wrap; gap: 0 1.4rem; list-style: none; margin: 0; padding: 0; }
.sections :is(a, summary) { display: block; padding: .55rem 0; color: var(--quiet); text-decoration: none; border-bottom: 2px solid transparent; }
.sections :is(a[aria-current], .current) { color: var(--text); border-color: var(--accent); font-weight: 600; }

.body { display: grid; max-width: 88rem; margin: 0 auto; }
#--pages { padding: 1.25rem; font-size: .9375rem; border-block-start: 1px solid var(--line); }
#--pages ul { list-style: none; margin: 0; padding: 0; }
#--pages ul ul { padding-inline-start: .85rem; border-inline-start: 1px solid var(--line); margin-inline-start: .6rem; }
#--pages a, #--pages .group {
  display: flex; gap: .5rem; padding: .32rem .6rem; border-radius: 6px; color: var(--quiet); text-decoration: none;
  line-height: 1.45; overflow-wrap: anywhere;
}
#--pages a:hover { background: var(--shade); color: var(--text); }
#--pages a[aria-current] { background: color-mix(in srgb, var(--accent) var(--back), var(--paper)); color: var(--accent); font-weight: 600; }
#--pages .group { margin-block-start: 1rem; color: var(--text); font-weight: 650; }
.variants { margin: 0 0 1.1rem; }
.variants > summary { padding: .4rem .7rem; border: 1px solid var(--line); border-radius: var(--corner); background: var(--paper); }
.variants .label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.variants > ul { inset-inline-end: 0; }
.sidebar-filled #--pages { background: var(--shade); }
.list-pill #--pages a[aria-current] { border-radius: 99px; }
.list-line #--pages a[aria-current] { background: none; border-radius: 0; box-shadow: inset 2px 0 var(--accent); }
[dir="rtl"].list-line #--pages a[aria-current] { box-shadow: inset -2px 0 var(--accent); }
.links-accent article a { text-decoration-color: var(--fill); text-decoration-thickness: .14em; }
.gradient body { background: linear-gradient(color-mix(in srgb, var(--fill) 10%, var(--paper)), var(--paper) 24rem) no-repeat; }
.gradient:not(.bold) .top { background: color-mix(in srgb, var(--bar) 88%, transparent); backdrop-filter: blur(8px); }
.muted body { background: var(--shade); }
.muted main > article { background: var(--paper); padding: 1.75rem; border-radius: var(--corner); border: 1px solid var(--line); }
.search-subtle .tools { flex-basis: 12rem; }
.search-subtle .search input { background: transparent; border-color: transparent; }
.search-subtle .search input:focus { border-color: var(--edge); }
main { min-width: 0; padding: 2rem 1.25rem 3rem; }
main > article { max-width: var(--measure); margin: 0 auto; }
.crumbs {
  display: flex; flex-wrap: wrap; gap: .2rem .5rem; margin: 0 0 .6rem; padding: 0; list-style: none; font-size: .875rem;
  color: var(--quiet);
}
.crumbs a { color: inherit; text-decoration: none; }
.crumbs a:hover { color: var(--text); }
.crumbs li + li::before { content: "/"; margin-inline-end: .5rem; }
h1 { margin: 0 0 .6rem; font-size: clamp(1.8rem, 1.4rem + 1.7vw, 2.4rem); line-height: 1.2; letter-spacing: -.02em; text-wrap: balance; }
.lead { margin: 0 0 .8rem; font-size: 1.15rem; color: var(--quiet); }
.covers { max-width: var(--measure); margin: 0 auto 1.75rem; } .covers.full { max-width: none; margin: -2rem -1.25rem 1.75rem; }
.cover { display: block; width: 100%; height: 15rem; object-fit: cover; border-radius: var(--corner); } .covers.full .cover { border-radius: 0; }
${Array.from({ length: 11 }, (_, i) => `.at-${i} { object-position: 50% ${i * 10}%; }`).join(" ")}
.title { margin-bottom: 1.75rem; } .title .sign { margin-inline-end: .5rem; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem 1.1rem; margin: 0; font-size: .875rem; }
.actions a { color: var(--quiet); }
#--outline { display: none; }

article h2, article h3, article h4 { line-height: 1.3; letter-spacing: -.01em; text-wrap: balance; }
article h2 { margin: 2.6rem 0 .8rem; font-size: 1.5rem; }
article h3 { margin: 2rem 0 .6rem; font-size: 1.2rem; }
article h4 { margin: 1.6rem 0 .5rem; font-size: 1.02rem; }
.anchor { opacity: 0; text-decoration: none; font-weight: 400; color: var(--quiet); }
:is(h2, h3, h4):hover > .anchor, .anchor:focus { opacity: 1; }
article p { margin: 0 0 1rem; overflow-wrap: anywhere; }
article :is(ul, ol) { margin: 0 0 1rem; padding-inline-start: 1.5rem; }
article li > p { margin-bottom: .4rem; }
article li::marker { color: var(--quiet); }
.center { text-align: center; } .end { text-align: end; } .right { text-align: end; }
.tasks { list-style: none; padding-inline-start: .2rem !important; }
.tasks > li { display: flex; gap: .6rem; align-items: baseline; }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0; }
blockquote { margin: 0 0 1rem; padding: .1rem 1rem; border-inline-start: 3px solid var(--line); color: var(--quiet); }
code, kbd, pre { font-family: var(--mono, ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace); }
:not(pre) > code { font-size: .875em; background: var(--code); padding: .12em .35em; border-radius: 5px; overflow-wrap: anywhere; }
kbd { font-size: .85em; padding: .1em .4em; border: 1px solid var(--edge); border-bottom-width: 2px; border-radius: 5px; }
.hint {
  display: flex; gap: .8rem; margin: 0 0 1.25rem; padding: .85rem 1rem; border-radius: var(--corner);
  border: 1px solid color-mix(in srgb, var(--tone) 30%, var(--line));
  background: color-mix(in srgb, var(--tone) var(--back), var(--paper));
}
.hint > div { min-width: 0; flex: 1; } .hint > div > :first-child { margin-top: 0; } .hint > div > :last-child { margin-bottom: 0; }
.hint .sign { color: var(--tone); padding-block-start: .2rem; }
.info { --tone: var(--info); } .success { --tone: var(--success); } .warning { --tone: var(--warning); } .danger { --tone: var(--danger); }
#--pages svg.icon { flex: none; margin-block-start: .2em; }
svg.icon { width: 1.1em; height: 1.1em; vertical-align: -.15em; fill: currentColor; }
figure { margin: 0 0 1.25rem; }
figcaption, caption, .caption { font-size: .875rem; color: var(--quiet); margin-top: .4rem; text-align: center; }
:is(figcaption, caption, .caption) p { margin: 0; } caption { padding: .5rem .8rem; } .caption { margin-block-end: .5rem; text-align: start; }
.images { display: flex; flex-wrap: wrap; gap: 1rem; justify-content: center; margin-bottom: 1.25rem; }
.images.start { justify-content: start; } .images.end { justify-content: end; }
.images > figure { margin: 0; flex: 0 1 auto; } .images img { border-radius: var(--corner); display: block; }
.inline-image img { vertical-align: middle; } .inline-image.as-line img { height: 1.3em; width: auto; }
.light .in-dark, .dark .in-light { display: none !important; }
@media (prefers-color-scheme: light) { .device .in-dark { display: none !important; } }
@media (prefers-color-scheme: dark) { .device .in-light { display: none !important; } }
.code { border: 1px solid var(--line); border-radius: var(--corner); overflow: hidden; background: var(--code); }
.code > figcaption {
  margin: 0; padding: .45rem 1rem; text-align: start; border-bottom: 1px solid var(--line);
  font-family: var(--mono, ui-monospace, monospace);
}
pre { margin: 0; padding: .9rem 1rem; overflow: auto; font-size: .875rem; line-height: 1.6; tab-size: 4; }
article > pre { background: var(--code); border-radius: var(--corner); margin-bottom: 1.25rem; }
.code { position: relative; }
.copy {
  position: absolute; inset-block-start: .4rem; inset-inline-end: .4rem; font: inherit; font-size: .8125rem;
  padding: .15rem .55rem; color: var(--quiet); background: var(--code); border: 1px solid var(--line);
  border-radius: 6px; cursor: pointer; opacity: 0;
}
.code:hover > .copy, .copy:focus-visible { opacity: 1; } .copy:hover { color: var(--text); } @media (hover: none) { .copy { opacity: 1; } }
.copy-page {
  font: inherit; font-size: .8125rem; padding: .05rem .6rem; color: var(--quiet); background: none;
  border: 1px solid var(--line); border-radius: var(--corner); cursor: pointer;
}
.copy-page:hover { color: var(--text); border-color: var(--edge); }
.finder {
  width: min(42rem, calc(100vw - 2rem)); max-height: 76vh; margin: 10vh auto auto; padding: 0; color: var(--text);
  background: var(--paper); border: 1px solid var(--line); border-radius: calc(var(--corner) * 1.5);
  box-shadow: 0 1rem 3rem #0005; overflow: hidden;
}
.finder[open] { display: flex; flex-direction: column; } .finder::backdrop { background: #0006; }
.finder > div:first-child { display: flex; border-bottom: 1px solid var(--line); }
.finder > div:first-child input {
  flex: 1; min-width: 0; font: inherit; font-size: 1.05rem; color: inherit; background: none; border: 0; outline: 0;
  padding: .85rem 1rem;
}
.finder > div:first-child:focus-within { box-shadow: inset 0 -2px var(--accent); }
.finder > div:first-child button {
  font: inherit; font-size: 1.3rem; line-height: 1; color: var(--quiet); background: none; border: 0; padding: 0 1rem;
  cursor: pointer;
}
.finder [role=status] { margin: 0; padding: .4rem 1rem; font-size: .8125rem; color: var(--quiet); } .finder [role=status]:empty { display: none; }
.finder > ul { list-style: none; margin: 0; padding: 0 .5rem .5rem; overflow-y: auto; }
.finder > ul > li { padding: .4rem .6rem; border-radius: 6px; cursor: pointer; overflow-wrap: anywhere; }
.finder > ul > li.section { margin-inline-start: 1rem; font-size: .9375rem; }
.finder > ul > li span { color: var(--quiet); font-size: .875rem; }
.finder > ul > li.section span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.finder > ul > li:hover { background: var(--shade); }
.finder > ul > li[aria-selected=true] { background: color-mix(in srgb, var(--accent) var(--back), var(--paper)); }
.finder .answers { padding: .2rem 1rem 1rem; overflow-y: auto; outline: 0; }
.answer .part { font-weight: 600; margin: .8rem 0 .2rem; } .answer > ul { margin-top: 0; } .answer li > p { margin: 0; }
.answer :is(ul, ol) { padding-inline-start: 1.5rem; } .answer :is(h2, h3) { font-size: 1.05rem; margin: 1rem 0 .3rem; }
.ask { display: flex; gap: .5rem; margin: 0 0 .5rem; max-width: 40rem; }
.ask button {
  font: inherit; font-size: .9375rem; line-height: 1.5; color: var(--text); background: none;
  border: 1px solid var(--edge); padding: .3rem .9rem; text-align: start; cursor: pointer; overflow-wrap: anywhere;
}
.ask input {
  flex: 1; min-width: 0; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge);
  border-radius: var(--corner); padding: .35rem .7rem;
}
.diagram iframe { display: block; width: 100%; border: 0; color-scheme: inherit; }
.diagram { background: var(--shade); border-radius: var(--corner); }
.embed iframe { display: block; width: 100%; aspect-ratio: 16 / 9; border: 1px solid var(--line); border-radius: var(--corner); }
.wrap pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.line { display: block; } .marked { background: color-mix(in srgb, var(--accent) 14%, transparent); margin: 0 -1rem; padding: 0 1rem; }
.numbered code { counter-reset: line; }
.numbered .line::before {
  counter-increment: line; content: counter(line); display: inline-block; width: 2em; margin-inline-end: 1em;
  text-align: end; color: var(--comment);
}
.t-k { color: var(--key); } .t-s { color: var(--string); } .t-n { color: var(--number); }
.t-c { color: var(--comment); font-style: italic; } .t-f { color: var(--name); }
details { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: var(--corner); }
summary { padding: .65rem 1rem; cursor: pointer; font-weight: 600; }
details > div { padding: 0 1rem .3rem; }
.tabs { display: flex; flex-wrap: wrap; margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: var(--corner); overflow: hidden; }
.tabs > input { position: absolute; opacity: 0; pointer-events: none; }
.tabs > label { order: 1; padding: .55rem 1rem; color: var(--quiet); cursor: pointer; border-bottom: 2px solid transparent; }
.tabs > input:checked + label { color: var(--text); font-weight: 600; border-color: var(--accent); }
.tabs > input:focus-visible + label { outline: 3px solid var(--accent); outline-offset: -3px; }
.tabs > .panel { order: 2; display: none; flex: 1 0 100%; min-width: 0; padding: 1rem 1rem .2rem; border-top: 1px solid var(--line); }
.tabs > input:checked + label + .panel { display: block; }
.panel > .code:only-child { border: 0; margin: -1rem -1rem -.2rem; border-radius: 0; }
.table { overflow-x: auto; margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: var(--corner); }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { padding: .55rem .85rem; text-align: start; vertical-align: top; border-top: 1px solid var(--line); }
td p, th p { overflow-wrap: break-word; } .table code { overflow-wrap: normal; }
thead th { border-top: 0; background: var(--shade); font-weight: 600; } td > :last-child { margin-bottom: 0; }
tbody tr:first-child td { border-top: 0; } thead + tbody tr:first-child td { border-top: 1px solid var(--line); }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); list-style: none; padding: 0 !important; }
.cards.large { grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); }
.card { position: relative; border: 1px solid var(--line); border-radius: var(--corner); overflow: hidden; background: var(--paper); }
.card:hover { border-color: var(--accent); } .card .cover { margin: 0; border-radius: 0; height: 9rem; }
.card .body { display: block; padding: .9rem 1rem; } .card p { margin: 0 0 .3rem; }
.cover-link { position: absolute; inset: 0; } .card .body a { position: relative; z-index: 1; }
.option, .tag {
  display: inline-block; font-size: .8125rem; padding: .05rem .5rem; margin-inline-end: .3rem; border-radius: 99px;
  background: color-mix(in srgb, var(--accent) var(--back), var(--paper));
}
.stepper { list-style: none; counter-reset: step; padding: 0 !important; }
.stepper > li { counter-increment: step; position: relative; padding: 0 0 1rem 3rem; }
.stepper > li::before {
  content: counter(step); position: absolute; inset-inline-start: 0; width: 2rem; height: 2rem; display: grid;
  place-items: center; border-radius: 50%; font-weight: 600; font-size: .9rem;
  background: color-mix(in srgb, var(--accent) var(--back), var(--paper)); color: var(--accent);
}
.stepper > li:not(:last-child)::after { content: ""; position: absolute; inset: 2.4rem auto .4rem 1rem; border-inline-start: 1px solid var(--line); }
.stepper > li > :first-child { margin-top: .15rem; }
.columns { display: grid; gap: 0 1.5rem; margin-bottom: .5rem; } .columns > * { min-width: 0; } .columns > * > :first-child { margin-top: 0; }
.reference {
  display: block; margin: 0 0 1rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: var(--corner);
  text-decoration: none; color: var(--text);
}
.reference:hover { border-color: var(--accent); } .reference .title { font-weight: 600; }
.reference .description { display: block; color: var(--quiet); font-size: .9375rem; }
.reference .sign { margin-inline-end: .6rem; }
.file a, .embed a {
  display: flex; flex-wrap: wrap; gap: .2rem 1rem; justify-content: space-between; padding: .75rem 1rem;
  border: 1px solid var(--line); border-radius: var(--corner); text-decoration: none;
}
.file .size, .embed .url { color: var(--quiet); font-size: .875rem; overflow-wrap: anywhere; }
.button {
  display: inline-block; padding: .35rem .95rem; border-radius: var(--corner); text-decoration: none; font-weight: 600;
  border: 1px solid var(--accent); margin-block-end: .25rem;
}
.button.primary { background: var(--accent); color: var(--paper); } .button.secondary { border-color: var(--edge); color: var(--text); }
.note {
  font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: help;
  text-decoration: underline dotted; text-underline-offset: .2em;
}
.note-body {
  max-width: 24rem; padding: .7rem 1rem; border: 1px solid var(--line); border-radius: var(--corner);
  background: var(--paper); color: var(--text);
}
.note-body p:last-child { margin: 0; }
math {
  font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", "TeX Gyre Termes Math", "Noto Sans Math", "DejaVu Math TeX Gyre", math;
  font-size: 1.1em;
}
math[display=block] { display: block math; }
.math { overflow-x: auto; padding: .5rem 0; margin-bottom: 1rem; text-align: center; }
.update { display: grid; grid-template-columns: minmax(0, 1fr); gap: .3rem 1.5rem; padding: 0 0 1.5rem; }
.update header { color: var(--quiet); font-size: .9375rem; }
.gone { color: var(--quiet); }
mark { background: color-mix(in srgb, var(--warning) 30%, transparent); color: inherit; border-radius: 3px; }
${["blue", "red", "green", "yellow", "purple", "orange", "gray", "pink", "teal", "brown"]
  .map(
    (color) =>
      `.ink-${color} { color: color-mix(in srgb, ${color} 55%, var(--text)); } .paper-${color} { background: color-mix(in srgb, ${color} 18%, var(--paper)); }`,
  )
  .join("\n")}
${Array.from({ length: 20 }, (_, i) => `.images > .share-${(i + 1) * 5} { width: ${(i + 1) * 5}%; }`).join(" ")}

.around { display: grid; gap: 1rem; max-width: var(--measure); margin: 3rem auto 0; }
.around a {
  display: block; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: var(--corner);
  text-decoration: none; font-weight: 600;
}
.around a:hover { border-color: var(--accent); } .around span { display: block; font-size: .8125rem; font-weight: 400; color: var(--quiet); }
.around .next { text-align: end; }
.feedback fieldset { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem; margin: 0; padding: 0; border: 0; }
.feedback legend { float: inline-start; padding: 0; margin-inline-end: .4rem; }
.feedback button {
  font: inherit; color: var(--text); background: var(--paper); border: 1px solid var(--edge); border-radius: 99px;
  padding: .1rem .8rem; cursor: pointer;
}
.feedback button:hover { background: var(--shade); }
.about {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .6rem 1.5rem;
  margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .875rem; color: var(--quiet);
}
.about a { color: inherit; }
.foot { border-top: 1px solid var(--line); padding: 1.75rem 1.25rem; font-size: .9375rem; color: var(--quiet); }
.foot > div { display: flex; flex-wrap: wrap; gap: 1.5rem 3rem; max-width: 86rem; margin: 0 auto 1rem; }
.foot h2 { font-size: .9375rem; margin: 0 0 .4rem; color: var(--text); }
.foot ul { list-style: none; margin: 0; padding: 0; } .foot a { color: inherit; }
.foot > p { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; max-width: 86rem; margin: 0 auto; }
.found { list-style: none; padding: 0 !important; } .found > li { padding: .8rem 0; border-top: 1px solid var(--line); }
.found p { margin: .2rem 0 0; color: var(--quiet); }

@media (min-width: 40rem) {
  .columns { grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); }
  .middle { align-self: center; }
  .bottom { align-self: end; }
  .around { grid-template-columns: 1fr 1fr; }
  .around .next { grid-column: 2; }
  .update { grid-template-columns: 9rem minmax(0, 1fr); }
}
.wide { --measure: 68rem; } .alone { grid-template-columns: minmax(0, 1fr) !important; }
#--pages > .close { display: none; }
#--pages > .links { margin-block-start: 1.25rem; padding-block-start: 1rem; border-block-start: 1px solid var(--line); }
#--pages > .links .button { margin: 0; border: 0; background: none; font-weight: inherit; }
#--pages > .links .drop > ul { position: static; border: 0; box-shadow: none; }
@media (min-width: 48rem) { #--pages > .links { display: none; } }
@media (max-width: 59.99rem) {
  #--pages:target { position: fixed; inset: 0; z-index: 5; overflow-y: auto; background: var(--paper); border: 0; padding-block-end: 4rem; }
  #--pages:target > .close {
    display: block; position: sticky; top: 0; margin-bottom: 1rem; padding: .5rem .8rem; text-align: center;
    background: var(--paper); border: 1px solid var(--line);
  }
}
@media (min-width: 60rem) {
  .menu { display: none; }
  .body { grid-template-columns: 18rem minmax(0, 1fr); }
  main { grid-area: 1 / 2; } .alone > main { grid-column: 1; }
  #--pages {
    grid-area: 1 / 1; border: 0; border-inline-end: 1px solid var(--line); position: sticky; top: 3.6rem;
    height: calc(100vh - 3.6rem); overflow-y: auto; padding: 1.5rem 1rem;
  }
  main { padding: 2.5rem 2.5rem 4rem; }
}
@media (min-width: 80rem) {
  .body:not(.wide), .body:has(> #--outline) { grid-template-columns: 18rem minmax(0, 1fr) 15rem; }
  #--outline {
    grid-area: 1 / 3; display: block; position: sticky; top: 3.6rem; align-self: start;
    max-height: calc(100vh - 3.6rem); overflow-y: auto; padding: 2.6rem 1.25rem; font-size: .875rem;
  }
  #--outline h2 { font-size: .875rem; margin: 0 0 .5rem; } #--outline ul { list-style: none; margin: 0; padding: 0; }
  #--outline a { display: block; padding: .2rem 0; color: var(--quiet); text-decoration: none; line-height: 1.4; }
  #--outline a:hover { color: var(--text); } #--outline a[aria-current] { color: var(--accent); }
  #--outline .deep { padding-inline-start: .9rem; }
}
${blockStylesheet}
@media print { .top, .sections, #--pages, #--outline, .around, .foot, .anchor, .search { display: none; } .tabs > .panel { display: block; } }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
