// An operation, a webhook, or some schemas of a specification, as a section of a page.

import { getRequestMessage, listSwaggerTypes } from "../../openapi/specifications/pages/bodies";
import { describeSchemaType } from "../../openapi/specifications/pages/describe-type";
import {
  getSummaryTitle,
  listCallbacks,
  listParameters,
  type SpecificationOperation,
} from "../../openapi/specifications/pages/operation";
import {
  getListMember,
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type Located,
} from "../../openapi/specifications/pages/resolve-references";
import { fillServerUrl, listServers } from "../../openapi/specifications/pages/servers";
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
const MAX_SHOWN = 40;
const MAX_SERVER_VALUES = 50;

export function renderOperation(
  operation: SpecificationOperation,
  apiContext: ApiContext,
  { hasTryIt, id }: { readonly hasTryIt: boolean; readonly id: string },
): Markup {
  const { messages, resolve } = apiContext;
  const { value, item, root, isWebhook, path, method } = operation;
  const parameters = listParameters(resolve, operation);
  const servers = listServers(value, item, root.value);
  const call = buildApiCall(operation, parameters, apiContext);
  const renderTitle = (text: string) => html`<h3>${text}</h3>`;
  const renderTitled = (text: string, part: Markup | undefined) => part && html`${renderTitle(text)}${part}`;
  const summary =
    getSummaryTitle(value) === undefined
      ? renderDescription(getTextMember(value, "summary"), 2, apiContext)
      : undefined;
  const request = getRequestMessage(resolve, operation, parameters, listSwaggerTypes(value, root.value, "consumes"));

  const externalDocs = getOwnMember(value, "externalDocs");
  const docsUrl = tryParseUrl(getTextMember(externalDocs, "url") ?? "");
  const docsTitle = getTextMember(externalDocs, "description")?.trim().slice(0, 200) || messages.furtherReading;

  // Parts are rendered in the order of the page: a schema that occurs again refers to its list above.
  const parts = [
    summary,
    renderDescription(getTextMember(value, "description") ?? getTextMember(item, "description"), 2, apiContext),
    (docsUrl?.protocol === "https:" || docsUrl?.protocol === "http:") &&
      html`<p><a href="${docsUrl.href}">${docsTitle}</a></p>`,
    !isWebhook && renderTitled(messages.servers, renderServers(servers, apiContext)),
    renderTitled(messages.authorization, renderAuthorization(value, root, !isWebhook, apiContext)),
    renderParameters(parameters, apiContext, renderTitle),
    request && [
      renderTitle(messages.requestBody),
      renderDescription(getTextMember(request.value, "description"), 3, apiContext),
      renderBodies(request, apiContext),
    ],
    !isWebhook && renderTitled(messages.samples, renderCodeSamples(value, call, apiContext)),
    !isWebhook && hasTryIt && renderTryItForm(call, apiContext),
    renderTitled(
      messages.answers,
      renderResponses(operation, listSwaggerTypes(value, root.value, "produces"), apiContext),
    ),
    renderTitled(messages.callbacks, renderCallbacks(operation, apiContext)),
  ];

  const { linkToHeading } = apiContext.blockContext.messages;
  const anchor = html`<a class="anchor" href="#${id}" aria-label="${linkToHeading}">#</a>`;
  const heading = html`<h2 id="${id}">${operation.title} ${anchor}</h2>`;
  const deprecated =
    getOwnMember(value, "deprecated") === true &&
    html`<p><span class="note-deprecated">${messages.deprecated}</span></p>`;
  const hint = isWebhook && html`<p class="quiet">${messages.webhookHint}</p>`;
  const requestLine = renderRequestLine(method, path, isWebhook ? "" : fillServerUrl(servers[0]));
  return html`<section class="operation">${heading}${requestLine}${deprecated}${hint}${parts}</section>`;
}

/** Renders the method and the URL of an operation. A URL that is too long for its line breaks at slashes. */
export function renderRequestLine(method: string, path: string, base: string): Markup {
  const segments = path.slice(0, 2000).split(/(?<=\/)/);
  const methodClass = method
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "")
    .slice(0, 12);
  const verb = html`<span class="method ${methodClass}">${method.toUpperCase().slice(0, 12)}</span>`;
  const server = base !== "" && html`<span class="base">${base}</span><wbr>`;
  return html`<p class="request">${verb} <code>${server}${segments.map((segment) => html`${segment}<wbr>`)}</code></p>`;
}

/** Renders the servers, if there are several or if one has variables. */
function renderServers(servers: readonly unknown[], apiContext: ApiContext): Markup | undefined {
  if (servers.length <= 1 && getMemberEntries(servers[0], "variables").length === 0) return undefined;
  const renderItem = (name: string, object: unknown, rest: Markup | false) => {
    const description = renderDescription(getTextMember(object, "description"), "item", apiContext);
    return html`<li><div class="name"><code>${name}</code></div>${description}${rest}</li>`;
  };
  const items = servers.slice(0, MAX_SHOWN).map((server) => {
    const variables = getMemberEntries(server, "variables")
      .slice(0, MAX_SHOWN)
      .map(([name, variable]) => {
        const values = getListMember(variable, "enum")
          .slice(0, MAX_SERVER_VALUES)
          .map((value) => html`<code>${String(value).slice(0, 200)}</code> `);
        const given = getOwnMember(variable, "default");
        const standard =
          given !== undefined &&
          html`<span class="quiet">${apiContext.messages.standard}</span> <code>${String(given).slice(0, 200)}</code>`;
        return renderItem(name, variable, html`<p>${values}${standard}</p>`);
      });
    const list = variables.length > 0 && html`<ul class="members">${variables}</ul>`;
    return renderItem((getTextMember(server, "url") ?? "").slice(0, 500), server, list);
  });
  return html`<ul class="members">${items}</ul>`;
}

/** Renders the requests that the API sends to URLs of the caller. */
function renderCallbacks(operation: SpecificationOperation, apiContext: ApiContext): Markup | undefined {
  const { resolve, messages } = apiContext;
  const callbacks = listCallbacks(resolve, operation).slice(0, MAX_SHOWN);
  if (callbacks.length === 0) return undefined;
  const renderPartTitle = (text: string) => html`<p class="part">${text}</p>`;
  const items = callbacks.map(({ name, address, method, call, item }) => {
    const placed: Located = { value: call, document: item.document };
    const parameters = listParameters(resolve, { ...placed, item: item.value });
    const request = getRequestMessage(resolve, placed, parameters, []);
    const parts = [
      renderRequestLine(method, address, ""),
      renderDescription(getTextMember(call, "description"), 3, apiContext),
      renderParameters(parameters, apiContext, renderPartTitle),
      request && [renderPartTitle(messages.requestBody), renderBodies(request, apiContext)],
      renderResponses(placed, [], apiContext),
    ];
    return html`<details><summary>${getSummaryTitle(call) ?? name}</summary>${parts}</details>`;
  });
  return html`<p class="quiet">${messages.callbacksHint}</p>${items}`;
}

/** Renders schemas by name, as headings or as folded groups. Names that the specification does not have are left out. */
export function renderSchemas(
  names: readonly string[],
  { value: specification, document }: Located<unknown>,
  isGrouped: boolean,
  apiContext: ApiContext,
): Markup {
  const schemas =
    getOwnMember(getOwnMember(specification, "components"), "schemas") ?? getOwnMember(specification, "definitions");
  const sections = names.slice(0, MAX_SHOWN).map((name) => {
    const schema = getOwnMember(schemas, name);
    const found = apiContext.resolve(schema, document)?.value;
    if (!found) return undefined;
    const kind = describeSchemaType(apiContext.resolve, schema, document);
    const notes = getOwnMember(found, "deprecated") === true ? ["deprecated"] : [];
    const content = [
      renderDescription(getTextMember(found, "description"), 3, apiContext),
      renderMembers(schema, document, apiContext),
      renderExamples({ schema, document, types: [], use: "response" }, apiContext),
    ];
    const title = html`${name}${renderTypeNotes(kind === name ? "" : kind, notes, apiContext)}`;
    return isGrouped
      ? html`<details><summary>${title}</summary>${content}</details>`
      : html`<h2>${title}</h2>${content}`;
  });
  return html`<section class="operation">${sections}</section>`;
}
