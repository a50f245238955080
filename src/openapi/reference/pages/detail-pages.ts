// The pages of one thing: of an operation, and of a type with its fields. Both are rendered as on sites.

import { listErrorReasons } from "../../../errors";
import { openapi as messages } from "../../../locales/en.json";
import { html, renderInlineMarkup, renderParagraphs } from "../../../utils/html";
import type { ApiRenderContext } from "../../html/context";
import { renderMembers, renderTypeNotes } from "../../html/members";
import { renderOperation } from "../../html/operation";
import { getListMember, getMemberEntries, getOwnMember, getTextMember } from "../../model/document";
import { getSchemaFacts, splitType } from "../../model/members";
import { recordedExamples } from "../add-examples";
import { type ReferencePage, renderOperationList, renderReasonTable } from "./layout";
import { type ApiReference, formatTagTitle, type ReferenceOperation } from "./reference";

/** The deepest level of nested members. A deeper type has its own page. */
const MAX_DEPTH = 2;

/** Creates the context that operations and types are rendered in. Descriptions are ours, and have only paragraphs, code and bold words. */
function createRenderContext({ root, schemas }: ApiReference): ApiRenderContext {
  const findLink = (name: string) =>
    getOwnMember(schemas, name) === undefined ? undefined : `${root}/types/${encodeURIComponent(name)}`;
  let elementCount = 0;
  return {
    messages: {
      ...messages,
      requestBody: "Body",
      answers: "Response",
      tryItHint: "Requests are sent to this server only, and can change its data.",
    },
    maxDepth: MAX_DEPTH,
    listedSchemas: new Map(),
    remainingMembers: 1500,
    renderTitle: (text) => html`<h2 id="${text.toLowerCase().replaceAll(" ", "-")}">${text}</h2>`,
    renderDescription(description, place) {
      // The limits of values are Markdown, in which characters with a meaning are escaped.
      const text = (description ?? "").replaceAll(/(`[^`\n]+`)|\\([^\w\s])/g, "$1$2");
      if (text === "") return undefined;
      return place === "item" ? html`<p>${renderInlineMarkup(text)}</p>` : renderParagraphs(text);
    },
    renderKind: (kind) =>
      splitType(kind, findLink).map(({ text, href }) =>
        href === undefined ? text : html`<a href="${href}">${text}</a>`,
      ),
    renderCode: (text, _, title) =>
      html`<figure class="code">${title !== undefined && html`<figcaption>${title}</figcaption>`}<pre tabindex="0"><code>${text}</code></pre></figure>`,
    renderAlternatives: (alternatives) =>
      html`${alternatives.map(({ label, content }) => html`<p class="part">${label}</p>${content}`)}`,
    takeRoom: () => true,
    createElementNumber: () => ++elementCount,
  };
}

export function renderOperationPage(reference: ApiReference, id: string): ReferencePage | undefined {
  const { root, operations, tags } = reference;
  const index = operations.findIndex((it) => it.id === id);
  const entry = operations[index];
  if (!entry) return undefined;
  const { title, tag, value } = entry;
  const tagHref = tags.find(({ name }) => name === tag)!.href;
  const scope = getTextMember(value, "x-scope");
  const ownReasons = new Set(getListMember(value, "x-reasons"));
  const reasons = listErrorReasons().filter(({ reason }) => ownReasons.has(reason));
  const linkTo = (neighbor: ReferenceOperation | undefined, label: string) =>
    neighbor && html`<a href="${neighbor.href}">${label}: ${neighbor.title}</a>`;

  // Errors are listed by their reasons, below.
  const responses = getMemberEntries(value, "responses").filter(([status]) => /^[23]|default/.test(status));
  const clientSample = { lang: "typescript", label: "Typed client", source: writeClientSample(entry) };
  const operation = { ...value, responses: Object.fromEntries(responses), "x-codeSamples": [clientSample] };
  const crumbs = html`<p class="crumbs"><a href="${root}">Reference</a> / <a href="${tagHref}">${formatTagTitle(tag)}</a></p>`;
  const rendered = renderOperation({ ...entry, value: operation }, createRenderContext(reference), {
    heading: html`${crumbs}<h1>${title}</h1>`,
    hasTryIt: true,
    ownServer: root.replace(/\/docs$/, ""),
  });
  const token =
    scope === undefined
      ? "Not required"
      : html`Requires the scope <code>${scope}</code>, unless the token has no scopes.`;
  const main = html`${rendered}
<section aria-labelledby="access"><h2 id="access">Access</h2>
<dl class="terms"><div><dt>Token</dt><dd>${token}</dd></div>
<div><dt>Name</dt><dd><code>${id}</code></dd></div></dl></section>
<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p class="quiet">All errors have <a href="${root}/errors">the same format</a>. This operation can return the following errors:</p>
${renderReasonTable(reasons)}</section>
<p class="neighbours">${linkTo(operations[index - 1], "Previous")} ${linkTo(operations[index + 1], "Next")}</p>`;
  return { title, main, tag, operationId: id };
}

/** Writes the recorded request of an operation for the typed client. */
function writeClientSample({ id, value }: ReferenceOperation): string {
  const { params, query, body } = recordedExamples[id] ?? {};
  const input = JSON.stringify({ params, query, body }, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");
  const line = input.replace(/\n\s*/g, " ");
  const values = line.length <= 72 ? line : input;
  const callArguments = input === "{}" ? `"${id}"` : `"${id}", ${values}`;
  const isList = JSON.stringify(getOwnMember(getOwnMember(value, "responses"), "200") ?? {}).includes('List"');
  const call = isList
    ? `for await (const item of docs.each(${callArguments})) console.log(item);`
    : `const { value, error } = await docs.call(${callArguments});`;
  return `import { createClient } from "octavo/client";\n\nconst docs = createClient({ url, token });\n${call}`;
}

/** The names of the types that an operation uses. Finding them takes a hundred times as long as the rest of a page. */
const usedTypes = new WeakMap<ReferenceOperation, ReadonlySet<string>>();

export function renderTypePage(reference: ApiReference, name: string): ReferencePage | undefined {
  const value = getOwnMember(reference.schemas, name);
  if (value === undefined) return undefined;
  const users = reference.operations.filter((entry) => {
    let types = usedTypes.get(entry);
    if (!types) {
      const references = JSON.stringify(entry.value).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
      types = new Set(Array.from(references, ([, type]) => type!));
      usedTypes.set(entry, types);
    }
    return types.has(name);
  });
  const context = createRenderContext(reference);
  const schema = { value, document: reference.specification.document };
  const { kind, notes, description, limits } = getSchemaFacts(schema);
  const main = html`<p class="crumbs"><a href="${reference.root}">Reference</a> / Types</p><h1>${name}</h1>
${context.renderDescription(description, 1)}
<section class="operation"><p>${renderTypeNotes(kind, notes, context)}</p>${context.renderDescription(limits, "item")}
${renderMembers(schema, context)}</section>
${users.length > 0 && html`<h2>Used by</h2>${renderOperationList(users)}`}`;
  return { title: name, main };
}
