// The page of one operation: who may use it, what goes in, what comes out, what can go wrong, and how to try it.

import { listErrorReasons } from "../../../errors";
import { html, type Markup, renderInlineCode, renderParagraphs } from "../../../utils/html";
import { examples } from "../examples";
import type { Described, DescribedParameter } from "../names";
import { constraints, exampleOf, fieldsOf, label } from "./fields";
import { badge, breakable, type Page } from "./layout";
import { type Entry, errorsPath, heading, operationPath, type Reference, tagPath } from "./places";
import { samplesOf } from "./samples";

const JSON_TYPE = "application/json";

/** The page of an operation; undefined when there is no such operation. */
export function operationPage(reference: Reference, id: string): Page | undefined {
  const entry = reference.entries.find((it) => it.id === id);
  if (!entry) return undefined;
  const { operation, method, path, tag } = entry;
  const main = html`<p class="crumbs"><a href="${reference.root}">Reference</a> / <a href="${tagPath(reference, tag)}">${heading(tag)}</a></p>
<h1>${operation.summary}</h1>
<p class="route">${badge(method)} <code class="path">${breakable(path)}</code></p>
${operation.deprecated === true ? html`<p class="note"><strong>Deprecated.</strong> It works for existing callers.</p>` : ""}
${description(operation.description)}
${accessOf(entry)}
${parametersOf(reference, entry)}
${bodyOf(reference, entry)}
${answersOf(reference, entry)}
${samplesOf(reference, entry)}
${tryIt(reference, entry)}
${reasonsOf(reference, entry)}
${neighbours(reference, entry)}`;
  return { title: operation.summary, main, tag, operation: id };
}

/** The description without the sentence of who may, which has a place of its own. */
function description(text = ""): Markup {
  const own = text.replace(/(^|\n\n)\*\*Who may:\*\*[\s\S]*$/, "");
  return own === "" ? html`` : renderParagraphs(own);
}

function accessOf({ operation, id }: Entry): Markup {
  const scope = operation["x-scope"] as string | undefined;
  return html`<section aria-labelledby="access"><h2 id="access">Who may</h2>
<dl class="terms"><div><dt>Person</dt><dd>${renderInlineCode(String(operation["x-access"] ?? ""))}</dd></div>
<div><dt>Token</dt><dd>${
    scope === undefined ? "None is needed." : html`Scope <code>${scope}</code>, or no scopes at all.`
  }</dd></div>
<div><dt>Name</dt><dd><code>${id}</code></dd></div></dl></section>`;
}

function parametersOf(reference: Reference, { parameters }: Entry): Markup {
  if (parameters.length === 0) return html``;
  const groups = (["path", "query", "header"] as const).map((place) => ({
    place,
    own: parameters.filter((it) => it.in === place),
  }));
  const titles = { path: "In the path", query: "In the query", header: "Headers" };
  return html`<section aria-labelledby="parameters"><h2 id="parameters">Parameters</h2>${groups
    .filter(({ own }) => own.length > 0)
    .map(
      ({ place, own }) =>
        html`<h3>${titles[place]}</h3><dl class="fields">${own.map((it) => parameterOf(reference, it))}</dl>`,
    )}</section>`;
}

function parameterOf(reference: Reference, { name, description, required, schema = {} }: DescribedParameter): Markup {
  return html`<div><dt><code>${name}</code> <span class="type">${label(reference, schema)}</span>${
    required === true ? html` <span class="required">required</span>` : ""
  }</dt><dd>${description && html`<p>${renderInlineCode(description)}</p>`}${constraints(schema)}</dd></div>`;
}

function bodyOf(reference: Reference, { operation }: Entry): Markup {
  const { content, required } = (operation.requestBody ?? {}) as {
    content?: Record<string, { schema?: Described; example?: unknown }>;
    required?: boolean;
  };
  const sent = content?.[JSON_TYPE];
  if (!sent?.schema) return html``;
  return html`<section aria-labelledby="body"><h2 id="body">Body</h2>
<p class="quiet">${label(reference, sent.schema)}, JSON. ${required ? "It is required." : "It may be left out."}</p>
${fieldsOf(reference, sent.schema, "sent")}${exampleOf(sent.example)}</section>`;
}

function answersOf(reference: Reference, { operation }: Entry): Markup {
  const good = Object.entries(operation.responses).filter(([status]) => /^[23]|default/.test(status));
  const responses = reference.document.components.responses as Record<string, Answer>;
  return html`<section aria-labelledby="answer"><h2 id="answer">Answer</h2>${good.map(([status, given]) =>
    answerOf(reference, status, responses[given.$ref?.split("/").at(-1) ?? ""] ?? (given as Answer)),
  )}</section>`;
}

interface Answer {
  readonly description?: string;
  readonly headers?: Record<string, { $ref?: string }>;
  readonly content?: Record<string, { schema?: Described; example?: unknown }>;
}

function answerOf(reference: Reference, status: string, { description: words = "", headers, content }: Answer): Markup {
  const { schema, example } = content?.[JSON_TYPE] ?? {};
  const types = Object.keys(content ?? {});
  const carried = Object.keys(headers ?? {});
  return html`<h3><span class="status">${status}</span> ${words}</h3>
${carried.length > 0 && html`<p class="quiet">Headers: ${carried.map((it, i) => html`${i === 0 ? "" : ", "}<code>${it}</code>`)}</p>`}
${!schema && types.length > 0 && html`<p class="quiet">Type: ${types.map((it, i) => html`${i === 0 ? "" : ", "}<code>${it}</code>`)}</p>`}
${schema && html`<p class="quiet">${label(reference, schema)}</p>${fieldsOf(reference, schema, "answered")}${exampleOf(example)}`}`;
}

function reasonsOf(reference: Reference, { operation }: Entry): Markup {
  const own = new Set(operation["x-reasons"] as readonly string[] | undefined);
  const told = listErrorReasons().filter(({ reason }) => own.has(reason));
  return html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p class="quiet">Every failure has <a href="${errorsPath(reference)}">one shape</a>. This operation can refuse with:</p>
<div class="scroll" role="region" tabindex="0" aria-label="Reasons"><table><thead><tr><th scope="col">Status</th><th scope="col">Reason</th><th scope="col">What it says</th></tr></thead><tbody>${told.map(
    ({ reason, status, sentence: words }) =>
      html`<tr><td><span class="status">${status}</span></td><td><code>${reason}</code></td><td>${renderInlineCode(words)}</td></tr>`,
  )}</tbody></table></div></section>`;
}

/** The form to try an operation. It needs the script, which shows it. */
function tryIt(reference: Reference, { id, method, path, parameters, operation }: Entry): Markup {
  const asked = parameters.filter((it) => it.in !== "header");
  const isOpen = operation["x-scope"] === undefined;
  const body = operation.requestBody && JSON.stringify(examples[id]?.body ?? {}, null, 2);
  return html`<section aria-labelledby="try" class="try" hidden data-method="${method}" data-path="${path}" data-api="${reference.root.replace(/\/docs$/, "")}">
<h2 id="try">Try it</h2>
${method !== "GET" && html`<p class="note">This sends a real request to this server, and may change what is stored.</p>`}
<form novalidate>
${
  !isOpen &&
  html`<p><label for="try-token">Token</label><input id="try-token" type="password" autocomplete="off" spellcheck="false" data-token></p>
<p class="check"><input id="try-keep" type="checkbox" data-keep><label for="try-keep">Keep it until this tab is closed. Otherwise it is forgotten with the page.</label></p>`
}
${asked.map(
  ({ name, in: place, required }) =>
    html`<p><label for="try-${name}">${name}${required === true ? "" : html` <span class="quiet">optional</span>`}</label><input id="try-${name}" autocomplete="off" spellcheck="false" data-in="${place}" data-name="${name}"${required === true ? html` required` : ""}></p>`,
)}
${body && html`<p><label for="try-body">Body</label><textarea id="try-body" rows="8" spellcheck="false" data-body>${body}</textarea></p>`}
<p><button>Send</button></p>
</form>
<div class="result" role="status" aria-live="polite" data-result></div>
</section>`;
}

/** The operations before and after this one. */
function neighbours(reference: Reference, { id }: Entry): Markup {
  const at = reference.entries.findIndex((it) => it.id === id);
  const link = (entry: Entry | undefined, word: string) =>
    entry && html`<a href="${operationPath(reference, entry.id)}">${word}: ${entry.operation.summary}</a>`;
  return html`<p class="neighbours">${link(reference.entries[at - 1], "Before")} ${link(reference.entries[at + 1], "Next")}</p>`;
}
