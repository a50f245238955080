// The pages of types, of errors, and of what is not there.

import { listErrorReasons } from "../../../errors";
import { html, renderInlineCode, renderJsonBlock } from "../../../utils/html";
import { fieldsOf } from "./fields";
import { operationList, type Page } from "./layout";
import type { Reference } from "./places";

/** The page of a type; undefined when there is no such type. */
export function typePage(reference: Reference, name: string): Page | undefined {
  const { schemas } = reference.document.components;
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (!schema) return undefined;
  const ref = { $ref: `#/components/schemas/${name}` };
  const users = reference.entries.filter(({ operation }) => typesIn(operation).has(name));
  const main = html`<p class="crumbs"><a href="${reference.root}">Reference</a> / Types</p><h1>${name}</h1>
${schema.description && html`<p class="lead">${renderInlineCode(schema.description)}</p>`}
${fieldsOf(reference, ref, /Body/.test(name) ? "sent" : "answered")}
${users.length > 0 && html`<h2>Used by</h2>${operationList(reference, users)}`}`;
  return { title: name, main };
}

const found = new WeakMap<object, ReadonlySet<string>>();

/** The names of the types that an operation uses. To look for them in all operations takes a hundred times as long as the
 * rest of a page, so it is done once. */
function typesIn(operation: object): ReadonlySet<string> {
  const known = found.get(operation);
  if (known) return known;
  const names = JSON.stringify(operation).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  const types = new Set(Array.from(names, ([, name]) => name!));
  found.set(operation, types);
  return types;
}

/** Every reason that there is. */
export function errorsPage(): Page {
  const sample = listErrorReasons().find(({ reason }) => reason === "space_not_found")!;
  const main = html`<h1>Errors</h1>
<p class="lead">Every failure has one shape. <code>reason</code> is the stable word for a program to act on; <code>message</code> is one sentence that a person can act on. <code>issues</code> says which part of the request is wrong.</p>
${renderJsonBlock({ error: { code: sample.status, message: sample.sentence, reason: sample.reason, requestId: "k3v9x2-17" } })}
<div class="scroll" role="region" tabindex="0" aria-label="Reasons"><table><thead><tr><th scope="col">Status</th><th scope="col">Reason</th><th scope="col">What it says</th></tr></thead><tbody>${listErrorReasons().map(
    ({ reason, status, sentence: words }) =>
      html`<tr id="${reason}"><td><span class="status">${status}</span></td><td><code>${reason}</code></td><td>${renderInlineCode(words)}</td></tr>`,
  )}</tbody></table></div>`;
  return { title: "Errors", main };
}

/** The page for a path that leads nowhere. */
export function missingPage({ root }: Reference): Page {
  return {
    title: "Not found",
    main: html`<h1>There is no such page</h1><p>The reference has no page at this path. <a href="${root}">All operations</a>.</p>`,
  };
}
