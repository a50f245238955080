// The pages of one thing: of an operation, with its parameters, responses and a form to try it, and of a type, with its fields.

import { listErrorReasons } from "../../../errors";
import { html, type Markup, renderInlineMarkup, renderParagraphs } from "../../../utils/html";
import { recordedExamples } from "../add-examples";
import { getReferenceName, JSON_MEDIA_TYPE, type ResponseObject } from "../model";
import { renderConstraints, renderExample, renderFields, renderTypeLabel } from "./fields";
import { type ReferencePage, renderMethod, renderOperationList, renderPath, renderReasonTable } from "./layout";
import { type ApiReference, formatTagTitle, type ReferenceOperation } from "./reference";
import { renderSamples } from "./samples";

/** Renders the page of an operation; undefined if there is no such operation. */
export function renderOperationPage(reference: ApiReference, id: string): ReferencePage | undefined {
  const { root, operations, tags } = reference;
  const index = operations.findIndex((it) => it.id === id);
  const entry = operations[index];
  if (!entry) return undefined;
  const { operation, method, path, tag, parameters } = entry;
  const tagHref = tags.find(({ name }) => name === tag)!.href;
  const scope = operation["x-scope"] as string | undefined;

  // The sentence about access has its own section.
  const description = operation.description?.replace(/(^|\n\n)\*\*Who may:\*\*[\s\S]*$/, "");
  const ownReasons = new Set(operation["x-reasons"] as readonly string[] | undefined);
  const reasons = listErrorReasons().filter(({ reason }) => ownReasons.has(reason));
  const linkTo = (neighbor: ReferenceOperation | undefined, label: string) =>
    neighbor && html`<a href="${neighbor.href}">${label}: ${neighbor.operation.summary}</a>`;

  const { content, required } = operation.requestBody ?? {};
  const { schema, example } = content?.[JSON_MEDIA_TYPE] ?? {};
  const body =
    schema &&
    html`<section aria-labelledby="body"><h2 id="body">Body</h2>
<p class="quiet">${renderTypeLabel(reference, schema)}, JSON. ${required ? "It is required." : "It may be left out."}</p>
${renderFields({ reference, direction: "request" }, schema)}${renderExample(example)}</section>`;

  const parameterGroups = [
    ["path", "In the path"],
    ["query", "In the query"],
    ["header", "Headers"],
  ].flatMap(([place, title]) => {
    const fields = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, description, required, schema = {} }) => {
        const type = html`<span class="type">${renderTypeLabel(reference, schema)}</span>`;
        const presence = required === true && html` <span class="required">required</span>`;
        const text = description && html`<p>${renderInlineMarkup(description)}</p>`;
        return html`<div><dt><code>${name}</code> ${type}${presence}</dt><dd>${text}${renderConstraints(schema)}</dd></div>`;
      });
    return fields.length > 0 ? [html`<h3>${title}</h3><dl class="fields">${fields}</dl>`] : [];
  });

  const sharedResponses = reference.document.components.responses as Record<string, ResponseObject>;
  const renderNames = (names: readonly string[]) =>
    names.map((name, i) => html`${i === 0 ? "" : ", "}<code>${name}</code>`);
  const responses = Object.entries(operation.responses)
    .filter(([status]) => /^[23]|default/.test(status))
    .map(([status, response]) => {
      const { description, headers = {}, content = {} } = sharedResponses[getReferenceName(response) ?? ""] ?? response;
      const { schema, example } = content[JSON_MEDIA_TYPE] ?? {};
      const headerNames = Object.keys(headers);
      const types = Object.keys(content);
      const fields =
        schema &&
        html`<p class="quiet">${renderTypeLabel(reference, schema)}</p>${renderFields({ reference, direction: "response" }, schema)}`;
      return html`<h3><span class="status">${status}</span> ${description}</h3>
${headerNames.length > 0 && html`<p class="quiet">Headers: ${renderNames(headerNames)}</p>`}
${!schema && types.length > 0 && html`<p class="quiet">Type: ${renderNames(types)}</p>`}
${fields}${schema && renderExample(example)}`;
    });

  const main = html`<p class="crumbs"><a href="${root}">Reference</a> / <a href="${tagHref}">${formatTagTitle(tag)}</a></p>
<h1>${operation.summary}</h1>
<p class="route">${renderMethod(method)} <code class="path">${renderPath(path)}</code></p>
${operation.deprecated === true && html`<p class="note"><strong>Deprecated.</strong> It works for existing callers.</p>`}
${description && renderParagraphs(description)}
<section aria-labelledby="access"><h2 id="access">Who may</h2>
<dl class="terms"><div><dt>Person</dt><dd>${renderInlineMarkup(String(operation["x-access"] ?? ""))}</dd></div>
<div><dt>Token</dt><dd>${scope === undefined ? "None is needed." : html`Scope <code>${scope}</code>, or no scopes at all.`}</dd></div>
<div><dt>Name</dt><dd><code>${id}</code></dd></div></dl></section>
${parameters.length > 0 && html`<section aria-labelledby="parameters"><h2 id="parameters">Parameters</h2>${parameterGroups}</section>`}
${body}
<section aria-labelledby="answer"><h2 id="answer">Answer</h2>${responses}</section>
${renderSamples(reference, entry)}
${renderTryIt(reference, entry)}
<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p class="quiet">Every failure has <a href="${root}/errors">one shape</a>. This operation can refuse with:</p>
${renderReasonTable(reasons)}</section>
<p class="neighbours">${linkTo(operations[index - 1], "Before")} ${linkTo(operations[index + 1], "Next")}</p>`;
  return { title: operation.summary, main, tag, operationId: id };
}

/** Renders the form to try an operation. It is hidden until the script shows it, because it needs the script. */
function renderTryIt(reference: ApiReference, { id, method, path, parameters, operation }: ReferenceOperation): Markup {
  const api = reference.root.replace(/\/docs$/, "");
  const needsToken = operation["x-scope"] !== undefined;
  const body = operation.requestBody && JSON.stringify(recordedExamples[id]?.body ?? {}, null, 2);
  const inputs = parameters
    .filter((parameter) => parameter.in !== "header")
    .map(({ name, in: place, required }) => {
      const isRequired = required === true;
      const label = html`${name}${!isRequired && html` <span class="quiet">optional</span>`}`;
      const attributes = html`data-in="${place}" data-name="${name}"${isRequired && html` required`}`;
      return html`<p><label for="try-${name}">${label}</label><input id="try-${name}" autocomplete="off" spellcheck="false" ${attributes}></p>`;
    });
  return html`<section aria-labelledby="try" class="try" hidden data-method="${method}" data-path="${path}" data-api="${api}">
<h2 id="try">Try it</h2>
${method !== "GET" && html`<p class="note">This sends a real request to this server, and may change what is stored.</p>`}
<form novalidate>
${
  needsToken &&
  html`<p><label for="try-token">Token</label><input id="try-token" type="password" autocomplete="off" spellcheck="false" data-token></p>
<p class="check"><input id="try-keep" type="checkbox" data-keep><label for="try-keep">Keep it until this tab is closed.
Otherwise it is forgotten with the page.</label></p>`
}
${inputs}
${body && html`<p><label for="try-body">Body</label><textarea id="try-body" rows="8" spellcheck="false" data-body>${body}</textarea></p>`}
<p><button>Send</button></p>
</form>
<div class="result" role="status" aria-live="polite" data-result></div>
</section>`;
}

/** The names of the types that an operation uses. Finding them takes a hundred times as long as the rest of a page. */
const usedTypes = new WeakMap<ReferenceOperation, ReadonlySet<string>>();

/** Renders the page of a type; undefined if there is no such type. */
export function renderTypePage(reference: ApiReference, name: string): ReferencePage | undefined {
  const { schemas } = reference.document.components;
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (!schema) return undefined;

  const users = reference.operations.filter((entry) => {
    let types = usedTypes.get(entry);
    if (!types) {
      const references = JSON.stringify(entry.operation).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
      types = new Set(Array.from(references, ([, type]) => type!));
      usedTypes.set(entry, types);
    }
    return types.has(name);
  });
  const direction = name.includes("Body") ? "request" : "response";
  const main = html`<p class="crumbs"><a href="${reference.root}">Reference</a> / Types</p><h1>${name}</h1>
${schema.description && html`<p class="lead">${renderInlineMarkup(schema.description)}</p>`}
${renderFields({ reference, direction }, { $ref: `#/components/schemas/${name}` })}
${users.length > 0 && html`<h2>Used by</h2>${renderOperationList(users)}`}`;
  return { title: name, main };
}
