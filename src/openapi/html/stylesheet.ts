// The styles of operations and schemas. The colors are variables of the page.

export const operationStylesheet = `.operation { margin: 0 0 2.5rem; padding: 0; }
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
p.answer { border: 1px solid var(--line); border-radius: var(--corner); padding: .45rem .9rem; margin: .3rem 0 .6rem; }`;
