// The styles of the pages: system fonts, light and dark, from a phone to a wide screen, in both text directions. They are
// inlined in each page, and the policy names their hash. A backslash at the end of a line only wraps the source.

export const style = `:root {
  color-scheme: light dark;
  --text: #1d2329; --quiet: #55606b; --line: #d9dee3; --paper: #ffffff; --shade: #f5f7f9; --accent: #1c5bb0;
  --edge: #8a949e; --note: #fff6de; --note-line: #d9a514; --bad: #a3261e; --bad-back: #fdeceb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e8ec; --quiet: #a3aeb9; --line: #323a42; --paper: #14181c; --shade: #1b2025; --accent: #8ab8ff;
    --edge: #77828d; --note: #2f2812; --note-line: #b98f1c; --bad: #ff9c93; --bad-back: #3a1a18;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: grid; grid-template-rows: auto 1fr auto; background: var(--shade); color: var(--text); \
font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
header, footer { padding: .8rem 1.25rem; }
header a { font-weight: 650; color: var(--text); text-decoration: none; }
main { width: 100%; max-width: 28rem; margin: 0 auto; padding: 1.5rem 1.25rem 2rem; background: var(--paper); }
h1 { margin: 0 0 .75rem; font-size: clamp(1.5rem, 1.2rem + 1.2vw, 1.8rem); line-height: 1.25; letter-spacing: -.015em; text-wrap: balance; }
h2 { margin: 1.75rem 0 .5rem; font-size: 1.05rem; line-height: 1.3; }
p { margin: 0 0 .85rem; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
label { display: block; font-weight: 600; font-size: .9375rem; margin-block-end: .25rem; }
.hint { color: var(--quiet); font-size: .9375rem; margin: .25rem 0 0; }
input:not([type="hidden"], [type="checkbox"]) { width: 100%; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); \
border-radius: 7px; padding: .55rem .7rem; }
input[aria-invalid="true"] { border-color: var(--bad); }
input.code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; letter-spacing: .12em; \
text-transform: uppercase; direction: ltr; }
code, .shown-code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.shown-code { display: block; font-size: 1.5rem; letter-spacing: .12em; padding: .6rem; text-align: center; background: var(--shade); \
border-radius: 7px; direction: ltr; }
fieldset { margin: 0 0 1rem; padding: .5rem .9rem; border: 1px solid var(--line); border-radius: 7px; }
legend { padding: 0 .3rem; color: var(--quiet); font-size: .9375rem; }
fieldset label { display: flex; align-items: center; gap: .6rem; margin: 0; padding: .25rem 0; }
fieldset input { width: 1.15rem; height: 1.15rem; margin: 0; flex: none; accent-color: var(--accent); }
button + button { margin-block-start: .6rem; }
form { margin: 0 0 1rem; }
form > div { margin-block-end: .85rem; }
.button, button { display: block; width: 100%; font: inherit; font-weight: 600; line-height: 1.5; text-align: center; text-decoration: none; \
cursor: pointer; padding: .55rem 1rem; border-radius: 7px; border: 1px solid var(--accent); background: var(--accent); color: var(--paper); }
.button.second, button.second { background: var(--paper); border-color: var(--edge); color: var(--text); }
.button:hover, button:hover { border-color: var(--text); }
.buttons { display: grid; gap: .6rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.or { display: flex; align-items: center; gap: .8rem; margin: 1.25rem 0; color: var(--quiet); }
.or::before, .or::after { content: ""; flex: 1; border-block-start: 1px solid var(--line); }
.note, .bad { padding: .6rem .9rem; border-inline-start: 3px solid var(--note-line); border-radius: 4px; background: var(--note); }
.bad { border-color: var(--bad); background: var(--bad-back); }
input + .bad { margin-block-start: .4rem; }
.list { list-style: none; margin: 0 0 1rem; padding: 0; }
.list > li { padding: .6rem 0; border-block-start: 1px solid var(--line); overflow-wrap: anywhere; }
.list > li:last-child { border-block-end: 1px solid var(--line); }
footer { color: var(--quiet); font-size: .9375rem; text-align: center; }
footer summary { cursor: pointer; display: inline-block; padding: .3rem .6rem; }
footer ul { display: flex; flex-wrap: wrap; justify-content: center; gap: .2rem 1rem; list-style: none; margin: .4rem auto 0; padding: 0; \
max-width: 40rem; }
footer li a { display: inline-block; padding: .15rem 0; }
@media (min-width: 40rem) {
  main { align-self: start; margin-block-start: 6vh; padding: 2.25rem 2.5rem; border: 1px solid var(--line); border-radius: 12px; }
}
@media print { header, footer { display: none; } body { background: none; } }
`;
