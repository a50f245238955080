// Renders an operation, a webhook or several schemas of a specification as a section of a page.

import { html, type Markup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import { getRequestMessage } from "../model/bodies";
import {
  getListMember,
  getMemberEntries,
  getNamedSchemas,
  getOwnMember,
  getTextMember,
  type SpecificationRoot,
} from "../model/document";
import { formatCode } from "../model/format-markdown";
import { getSummaryTitle, listCallbacks, listParameters, type SpecificationOperation } from "../model/operations";
import { describeSchemaType } from "../model/schema";
import { listSecurityRequirements } from "../model/security";
import { fillServerUrl, listServers } from "../model/servers";
import { renderBodies, renderExamples, renderResponses } from "./bodies";
import { buildApiCall } from "./call";
import { renderCodeSamples } from "./code-samples";
import type { ApiRenderContext } from "./context";
import { renderMembers, renderParameters, renderTypeNotes } from "./members";
import { renderTryItForm } from "./try-it";

/** The most callbacks, servers and schemas that are shown. */
const MAX_SHOWN = 40;
const MAX_SERVER_VALUES = 50;
/** The most credentials of one alternative. */
const MAX_CREDENTIALS = 20;

/** The parts of an operation that its place decides. */
export interface OperationOptions {
  readonly heading: Markup;
  readonly hasTryIt: boolean;
  /** The path of the API, if it is on the server of the page. */
  readonly ownServer?: string;
}

export function renderOperation(
  operation: SpecificationOperation,
  context: ApiRenderContext,
  { heading, hasTryIt, ownServer }: OperationOptions,
): Markup {
  const { messages } = context;
  const { value, item, isWebhook, path, method } = operation;
  const parameters = listParameters(operation);
  const servers = listServers(operation);
  const call = buildApiCall(operation, parameters);
  const renderTitled = (text: string, part: Markup | undefined) => part && html`${context.renderTitle(text)}${part}`;
  const summary =
    getSummaryTitle(value) === undefined ? context.renderDescription(getTextMember(value, "summary"), 2) : undefined;
  const request = getRequestMessage(operation, parameters);

  const externalDocs = getOwnMember(value, "externalDocs");
  const docsUrl = tryParseUrl(getTextMember(externalDocs, "url") ?? "");
  const docsTitle = getTextMember(externalDocs, "description")?.trim().slice(0, 200) || messages.furtherReading;

  // Parts are rendered in the order of the page: a schema that occurs again refers to its list above.
  const parts = [
    summary,
    context.renderDescription(getTextMember(value, "description") ?? getTextMember(item, "description"), 2),
    (docsUrl?.protocol === "https:" || docsUrl?.protocol === "http:") &&
      html`<p><a href="${docsUrl.href}">${docsTitle}</a></p>`,
    !isWebhook && renderTitled(messages.servers, renderServers(servers, context)),
    renderTitled(messages.authorization, renderAuthorization(operation, context)),
    renderParameters(parameters, context, context.renderTitle),
    request && [
      context.renderTitle(messages.requestBody),
      context.renderDescription(getTextMember(request.value, "description"), 3),
      renderBodies(request, context),
    ],
    !isWebhook && renderTitled(messages.samples, renderCodeSamples(value, call, context)),
    !isWebhook && hasTryIt && renderTryItForm(call, context, ownServer),
    renderTitled(messages.answers, renderResponses(operation, context)),
    renderTitled(messages.callbacks, renderCallbacks(operation, context)),
  ];

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
function renderServers(servers: readonly unknown[], context: ApiRenderContext): Markup | undefined {
  if (servers.length <= 1 && getMemberEntries(servers[0], "variables").length === 0) return undefined;
  const renderItem = (name: string, object: unknown, rest: Markup | false) => {
    const description = context.renderDescription(getTextMember(object, "description"), "item");
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
          html`<span class="quiet">${context.messages.standard}</span> <code>${String(given).slice(0, 200)}</code>`;
        return renderItem(name, variable, html`<p>${values}${standard}</p>`);
      });
    const list = variables.length > 0 && html`<ul class="members">${variables}</ul>`;
    return renderItem((getTextMember(server, "url") ?? "").slice(0, 500), server, list);
  });
  return html`<ul class="members">${items}</ul>`;
}

/** Renders the alternatives to authorize. Returns undefined if the specification does not say any. */
function renderAuthorization(operation: SpecificationOperation, context: ApiRenderContext): Markup | undefined {
  const { messages } = context;
  const alternatives = listSecurityRequirements(operation, !operation.isWebhook);
  if (!alternatives) return undefined;
  if (alternatives.every((schemes) => schemes.length === 0)) return html`<p>${messages.noneNeeded}</p>`;
  const items = alternatives.map((schemes) => {
    const credentials = schemes.slice(0, MAX_CREDENTIALS).map(({ name, kind, isDeprecated, description, limits }) => {
      return html`${[
        context.renderDescription(`${formatCode(name)}${kind === "" ? "" : `: ${kind}`}`, "item"),
        isDeprecated && html` <span class="note-deprecated">${messages.deprecated}</span>`,
        context.renderDescription(description, "item"),
        context.renderDescription(limits, "item"),
      ]}`;
    });
    if (credentials.length === 0) return html`<li>${messages.noneNeeded}</li>`;
    if (credentials.length === 1) return html`<li>${credentials}</li>`;
    return html`<li>${messages.allOfThese}<ul>${credentials.map((it) => html`<li>${it}</li>`)}</ul></li>`;
  });
  return html`${alternatives.length > 1 && html`<p>${messages.oneOfThese}</p>`}<ul class="ways">${items}</ul>`;
}

/** Renders the requests that the API sends to URLs of the caller. */
function renderCallbacks(operation: SpecificationOperation, context: ApiRenderContext): Markup | undefined {
  const { messages } = context;
  const callbacks = listCallbacks(operation).slice(0, MAX_SHOWN);
  if (callbacks.length === 0) return undefined;
  const renderPartTitle = (text: string) => html`<p class="part">${text}</p>`;
  const items = callbacks.map(({ name, address, method, call, item }) => {
    const parameters = listParameters({ ...call, item });
    const request = getRequestMessage(call, parameters);
    const parts = [
      renderRequestLine(method, address, ""),
      context.renderDescription(getTextMember(call.value, "description"), 3),
      renderParameters(parameters, context, renderPartTitle),
      request && [renderPartTitle(messages.requestBody), renderBodies(request, context)],
      renderResponses(call, context),
    ];
    return html`<details><summary>${getSummaryTitle(call.value) ?? name}</summary>${parts}</details>`;
  });
  return html`<p class="quiet">${messages.callbacksHint}</p>${items}`;
}

/** Renders schemas by name, as headings or as folded groups. Names that the specification does not have are left out. */
export function renderSchemas(
  names: readonly string[],
  root: SpecificationRoot,
  isGrouped: boolean,
  context: ApiRenderContext,
): Markup {
  const sections = names.slice(0, MAX_SHOWN).map((name) => {
    const schema = { value: getOwnMember(getNamedSchemas(root), name), document: root.document };
    const found = root.document.resolve(schema.value)?.value;
    if (!found) return undefined;
    const kind = describeSchemaType(schema);
    const notes = getOwnMember(found, "deprecated") === true ? ["deprecated"] : [];
    const content = [
      context.renderDescription(getTextMember(found, "description"), 3),
      renderMembers(schema, context),
      renderExamples({ schema, types: [], use: "response" }, context),
    ];
    const title = html`${name}${renderTypeNotes(kind === name ? "" : kind, notes, context)}`;
    return isGrouped
      ? html`<details><summary>${title}</summary>${content}</details>`
      : html`<h2>${title}</h2>${content}`;
  });
  return html`<section class="operation">${sections}</section>`;
}
