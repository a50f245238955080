// An operation of an API, a webhook, or some schemas, as a part of a page.

import { oldTypes, requestOf } from "../../openapi/specifications/pages/bodies";
import { kindOf } from "../../openapi/specifications/pages/kinds";
import { callbacksOf, type Operation, parametersOf, titleIn } from "../../openapi/specifications/pages/operation";
import { listIn, member, membersIn, type Placed, textIn } from "../../openapi/specifications/pages/pointers";
import { baseOf, serversOf } from "../../openapi/specifications/pages/servers";
import { html, type Markup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import { buildApiCall } from "./api-call";
import { type ApiContext, renderDescription, renderTypeNotes } from "./api-context";
import { renderAuthorization } from "./authorization";
import { renderBodies, renderExamples, renderResponses } from "./bodies";
import { renderCodeSamples } from "./code-samples";
import { renderParameters } from "./parameters";
import { renderMembers } from "./schema-members";
import { renderTryItForm } from "./try-it";

/** The most callbacks, servers and schemas that are shown. */
const MOST_SHOWN = 40;

export function renderOperation(
  it: Operation,
  apiContext: ApiContext,
  { isTried, id }: { readonly isTried: boolean; readonly id: string },
): Markup {
  const { messages } = apiContext;
  const { value, item, root, isWebhook, path, method } = it;
  const given = parametersOf(apiContext.resolve, it);
  const servers = serversOf(value, item, root.value);
  const call = buildApiCall(it, given, apiContext);
  const summary = titleIn(value) === undefined ? renderDescription(textIn(value, "summary"), 2, apiContext) : undefined;
  const request = requestOf(apiContext.resolve, it, given, oldTypes(value, root.value, "consumes"));
  // Parts are drawn in their order: what is met again refers to what stands above.
  const parts = [
    summary,
    renderDescription(textIn(value, "description") ?? textIn(item, "description"), 2, apiContext),
    renderExternalDocs(value, apiContext),
    !isWebhook && renderServers(servers, apiContext),
    renderTitled(messages.authorization, renderAuthorization(value, root, !isWebhook, apiContext)),
    renderParameters(given, apiContext, renderTitle),
    request &&
      html`${renderTitle(messages.requestBody)}${renderDescription(textIn(request.value, "description"), 3, apiContext)}${renderBodies(request, apiContext)}`,
    !isWebhook && html`${renderTitle(messages.samples)}${renderCodeSamples(value, call, apiContext)}`,
    !isWebhook && isTried && renderTryItForm(call, apiContext),
    renderTitled(messages.answers, renderResponses(it, oldTypes(value, root.value, "produces"), apiContext)),
    renderCallbacks(it, apiContext),
  ];
  return html`<section class="operation"><h2 id="${id}">${it.title} <a class="anchor" href="#${id}" aria-label="${apiContext.blockContext.messages.linkToHeading}">#</a></h2>${renderRequestLine(method, path, isWebhook ? "" : baseOf(servers))}${member(value, "deprecated") === true && html`<p><span class="note-deprecated">${messages.deprecated}</span></p>`}${isWebhook && html`<p class="quiet">${messages.webhookHint}</p>`}${parts}</section>`;
}

/** The method and the address, which breaks at slashes where the line is too short. */
export function renderRequestLine(method: string, path: string, base: string): Markup {
  const pieces = path.slice(0, 2000).split(/(?<=\/)/);
  const shown = pieces.map((piece) => html`${piece}<wbr>`);
  const verb = method
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "")
    .slice(0, 12);
  return html`<p class="request"><span class="method ${verb}">${method.toUpperCase().slice(0, 12)}</span> <code>${base !== "" && html`<span class="base">${base}</span><wbr>`}${shown}</code></p>`;
}

/** A part below its heading, which is not there without it. */
function renderTitled(text: string, part: Markup | undefined): Markup | undefined {
  return part && html`${renderTitle(text)}${part}`;
}

function renderTitle(text: string): Markup {
  return html`<h3>${text}</h3>`;
}

/** Where there is more about something. */
function renderExternalDocs(value: unknown, { messages }: ApiContext): Markup | undefined {
  const docs = member(value, "externalDocs");
  const url = tryParseUrl(textIn(docs, "url") ?? "");
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  const name = textIn(docs, "description")?.trim().slice(0, 200) || messages.furtherReading;
  return html`<p><a href="${url.href}">${name}</a></p>`;
}

/** The servers, if there are several, or one with variables. */
function renderServers(servers: readonly unknown[], apiContext: ApiContext): Markup | undefined {
  if (servers.length <= 1 && membersIn(servers[0], "variables").length === 0) return undefined;
  const shown = servers.slice(0, MOST_SHOWN).map((server) => {
    const variables = membersIn(server, "variables").slice(0, MOST_SHOWN);
    const list = variables.map(([name, it]) => {
      const values = listIn(it, "enum")
        .slice(0, 50)
        .map((value) => html`<code>${String(value).slice(0, 200)}</code> `);
      const standard = member(it, "default");
      return html`<li><div class="name"><code>${name}</code></div>${renderDescription(textIn(it, "description"), "item", apiContext)}<p>${values}${standard !== undefined && html`<span class="quiet">${apiContext.messages.standard}</span> <code>${String(standard).slice(0, 200)}</code>`}</p></li>`;
    });
    return html`<li><div class="name"><code>${(textIn(server, "url") ?? "").slice(0, 500)}</code></div>${renderDescription(textIn(server, "description"), "item", apiContext)}${list.length > 0 && html`<ul class="members">${list}</ul>`}</li>`;
  });
  return html`${renderTitle(apiContext.messages.servers)}<ul class="members">${shown}</ul>`;
}

/** What the API sends to an address that the request gives. */
function renderCallbacks(it: Operation, apiContext: ApiContext): Markup | undefined {
  const calls = callbacksOf(apiContext.resolve, it).slice(0, MOST_SHOWN);
  if (calls.length === 0) return undefined;
  const shown = calls.map(({ name, address, method, call, item }) => {
    const placed: Placed = { value: call, document: item.document };
    const given = parametersOf(apiContext.resolve, { ...placed, item: item.value });
    const request = requestOf(apiContext.resolve, placed, given, []);
    const part = (text: string) => html`<p class="part">${text}</p>`;
    return html`<details><summary>${titleIn(call) ?? name}</summary>${renderRequestLine(method, address, "")}${renderDescription(textIn(call, "description"), 3, apiContext)}${renderParameters(given, apiContext, part)}${request && html`${part(apiContext.messages.requestBody)}${renderBodies(request, apiContext)}`}${renderResponses(placed, [], apiContext)}</details>`;
  });
  return html`${renderTitle(apiContext.messages.callbacks)}<p class="quiet">${apiContext.messages.callbacksHint}</p>${shown}`;
}

/** Schemas by their names. Together, each is folded. */
export function renderSchemas(
  names: readonly string[],
  root: Placed<unknown>,
  isGrouped: boolean,
  apiContext: ApiContext,
): Markup {
  const all = member(member(root.value, "components"), "schemas") ?? member(root.value, "definitions");
  const shown = names.slice(0, MOST_SHOWN).flatMap((name) => {
    const schema = member(all, name);
    const found = apiContext.resolve(schema, root.document)?.value;
    if (!found) return [];
    const { document } = root;
    const kind = kindOf(apiContext.resolve, schema, document);
    const notes = member(found, "deprecated") === true ? ["deprecated"] : [];
    const inner = html`${renderDescription(textIn(found, "description"), 3, apiContext)}${renderMembers(schema, document, apiContext)}${renderExamples({ schema, document, types: [], use: "response" }, apiContext)}`;
    const remark = renderTypeNotes(kind === name ? "" : kind, notes, apiContext);
    if (isGrouped) return [html`<details><summary>${name}${remark}</summary>${inner}</details>`];
    return [html`<h2>${name}${remark}</h2>${inner}`];
  });
  return html`<section class="operation">${shown}</section>`;
}
