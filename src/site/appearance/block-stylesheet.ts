// The styles of blocks of specifications and integrations.

import { operationStylesheet } from "../../openapi/html/stylesheet";

export const blockStylesheet = `
${operationStylesheet}
.try form p { margin: 0 0 .8rem; } .try label, .block-form label { display: block; font-size: .9375rem; font-weight: 500; margin-bottom: .15rem; }
.try :is(input, select, textarea), .block-form :is(input:not([type=checkbox], [type=radio]), select, textarea) {
  font: inherit; font-size: .9375rem; width: 100%; color: inherit; background: var(--paper);
  border: 1px solid var(--edge); border-radius: calc(var(--corner) / 1.5); padding: .35rem .6rem;
}
.try textarea { font-family: var(--mono, ui-monospace, monospace); font-size: .875rem; }
.try fieldset, .block-form fieldset {
  border: 1px solid var(--line); border-radius: var(--corner); margin: 0 0 .8rem; padding: .4rem .8rem; min-width: 0;
}
.try button, .block-form button, .consent button { font: inherit; font-weight: 600; cursor: pointer; }
button.secondary { background: none; }
.block-form button:disabled { cursor: default; color: var(--quiet); border-style: dashed; }
.try pre { overflow: auto; max-height: 30rem; background: var(--code); padding: .7rem .9rem; border-radius: var(--corner); font-size: .875rem; }
.block-form { margin: 0 0 1.25rem; }
.block-form .row { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: center; }
.block-form .row > * { min-width: 0; }
.block-form .stack > * + * { margin-top: .6rem; } .block-form .stack { min-width: 0; }
.block-card { position: relative; border: 1px solid var(--line); border-radius: var(--corner); padding: .9rem 1rem; }
.block-card > .title { font-weight: 600; } .block-card > .hint-text { color: var(--quiet); font-size: .9375rem; }
.block-form .link { border: 0; background: none; padding: 0; color: var(--accent); text-decoration: underline; font-weight: 400; }
.block-form .danger { border-color: var(--danger); color: color-mix(in srgb, var(--danger) 45%, var(--text)); background: none; }
.block-frame { display: block; width: 100%; border: 1px solid var(--line); border-radius: var(--corner); background: var(--paper); }
.block-image { max-width: 100%; height: auto; border-radius: var(--corner); }
.block-form .spread { justify-content: space-between; } .block-form .text-bold { font-weight: 600; }
.block-form .text-strikethrough { text-decoration: line-through; } .block-form .text-italic { font-style: italic; }
.block-modal {
  border: 1px solid var(--line); border-radius: var(--corner); padding: 1.2rem; max-width: min(40rem, 92vw);
  background: var(--paper); color: var(--text);
}
.block-modal::backdrop { background: rgb(0 0 0 / .45); }
.block-note { color: var(--quiet); border: 1px dashed var(--line); border-radius: var(--corner); padding: .7rem 1rem; }
.consent {
  position: fixed; inset: auto 1rem 1rem auto; z-index: 4; max-width: 26rem; margin-inline-start: 1rem;
  padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: var(--corner); background: var(--paper);
  box-shadow: 0 6px 24px rgb(0 0 0 / .18);
}
.consent p { margin: 0 0 .7rem; } .consent .row { display: flex; gap: .6rem; flex-wrap: wrap; }
`;
