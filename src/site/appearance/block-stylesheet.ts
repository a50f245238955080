// The styles of blocks of specifications and integrations.

export const blockStylesheet = `
.operation { margin: 0 0 2.5rem; padding: 0; }
.operation h2 { margin-top: 1.5rem; }
.request {
  display: flex; gap: .7rem; align-items: baseline; padding: .6rem .8rem; border: 1px solid var(--line);
  border-radius: var(--corner); background: var(--shade);
}
.request code { background: none; padding: 0; min-width: 0; overflow-wrap: anywhere; } .request .base { color: var(--quiet); }
.method {
  flex: none; align-self: start; white-space: nowrap; font: 650 .8rem/1.4 var(--mono, ui-monospace, monospace);
  padding: .1rem .5rem; border-radius: 5px; color: color-mix(in srgb, var(--tone, var(--text)) 45%, var(--text));
  background: color-mix(in srgb, var(--tone, var(--text)) var(--back), var(--paper));
}
.method.get { --tone: var(--info); } .method.post { --tone: var(--success); }
.method:is(.put, .patch) { --tone: var(--warning); } .method.delete { --tone: var(--danger); }
.operation details { border: 1px solid var(--line); border-radius: var(--corner); padding: 0 .9rem; margin: .3rem 0 .6rem; }
.operation summary { padding: .45rem 0; cursor: pointer; font-weight: 600; } .operation .members summary { font-size: .875rem; font-weight: 500; }
.operation details[open] > summary { border-bottom: 1px solid var(--line); margin-bottom: .6rem; }
.members { list-style: none; padding: 0 !important; margin: 0 0 1rem; border-block-start: 1px solid var(--line); }
.members > li { padding: .55rem 0; border-block-end: 1px solid var(--line); } .members p { margin: .15rem 0 0; font-size: .9375rem; }
.members .members, .members details { margin-bottom: .2rem; }
.members .name { overflow-wrap: anywhere; } .members .name > code { font-weight: 600; background: none; padding: 0; }
.kind { color: var(--quiet); font-size: .875rem; } .quiet { color: var(--quiet); font-size: .9375rem; }
.note-required, .note-deprecated, .note-read-only, .note-write-only {
  font-size: .8125rem; padding: .02rem .45rem; border-radius: 99px; color: var(--quiet); background: var(--code);
}
.note-required { color: color-mix(in srgb, var(--danger) 45%, var(--text)); background: color-mix(in srgb, var(--danger) var(--back), var(--paper)); }
.note-deprecated {
  color: color-mix(in srgb, var(--warning) 45%, var(--text));
  background: color-mix(in srgb, var(--warning) var(--back), var(--paper));
}
.operation .part { font-weight: 600; margin: .8rem 0 .3rem; } .operation .media { margin: .2rem 0 .5rem; }
.status { font: 650 .875rem/1.4 var(--mono, ui-monospace, monospace); color: color-mix(in srgb, var(--tone, var(--text)) 45%, var(--text)); }
.status:is(.s2) { --tone: var(--success); } .status:is(.s4, .s5) { --tone: var(--danger); }
.status.s3 { --tone: var(--info); }
.answer .short { font-weight: 400; }
p.answer { border: 1px solid var(--line); border-radius: var(--corner); padding: .45rem .9rem; margin: .3rem 0 .6rem; }
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
