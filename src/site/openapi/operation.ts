// An operation of an API, a webhook, or some schemas, as a part of a page.

import { oldTypes, requestOf } from "../../openapi/specifications/pages/bodies";
import { kindOf } from "../../openapi/specifications/pages/kinds";
import { callbacksOf, type Operation, parametersOf, titleIn } from "../../openapi/specifications/pages/operation";
import { listIn, member, membersIn, type Placed, textIn } from "../../openapi/specifications/pages/pointers";
import { baseOf, serversOf } from "../../openapi/specifications/pages/servers";
import { html, type Markup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import { authorization } from "./authorization";
import { callOf } from "./call";
import { type Drawing, described, remarks } from "./drawing";
import { members } from "./members";
import { answers, bodies, examples } from "./messages";
import { parameters } from "./parameters";
import { samples } from "./samples";
import { tryIt } from "./try-it";

/** The most callbacks, servers and schemas that are shown. */
const MOST_SHOWN = 40;

export function operation(
  it: Operation,
  drawing: Drawing,
  { isTried, id }: { readonly isTried: boolean; readonly id: string },
): Markup {
  const { words } = drawing;
  const { value, item, root, isWebhook, path, method } = it;
  const given = parametersOf(drawing.resolve, it);
  const servers = serversOf(value, item, root.value);
  const call = callOf(it, given, drawing);
  const summary = titleIn(value) === undefined ? described(textIn(value, "summary"), 2, drawing) : undefined;
  const request = requestOf(drawing.resolve, it, given, oldTypes(value, root.value, "consumes"));
  // Parts are drawn in their order: what is met again refers to what stands above.
  const parts = [
    summary,
    described(textIn(value, "description") ?? textIn(item, "description"), 2, drawing),
    moreAt(value, drawing),
    !isWebhook && serverList(servers, drawing),
    titled(words.authorization, authorization(value, root, !isWebhook, drawing)),
    parameters(given, drawing, title),
    request &&
      html`${title(words.requestBody)}${described(textIn(request.value, "description"), 3, drawing)}${bodies(request, drawing)}`,
    !isWebhook && html`${title(words.samples)}${samples(value, call, drawing)}`,
    !isWebhook && isTried && tryIt(call, drawing),
    titled(words.answers, answers(it, oldTypes(value, root.value, "produces"), drawing)),
    callbacks(it, drawing),
  ];
  return html`<section class="operation"><h2 id="${id}">${it.title} <a class="anchor" href="#${id}" aria-label="${drawing.scene.words.linkToHeading}">#</a></h2>${requestLine(method, path, isWebhook ? "" : baseOf(servers))}${member(value, "deprecated") === true && html`<p><span class="note-deprecated">${words.deprecated}</span></p>`}${isWebhook && html`<p class="quiet">${words.webhookHint}</p>`}${parts}</section>`;
}

/** The method and the address, which breaks at slashes where the line is too short. */
export function requestLine(method: string, path: string, base: string): Markup {
  const pieces = path.slice(0, 2000).split(/(?<=\/)/);
  const shown = pieces.map((piece) => html`${piece}<wbr>`);
  const verb = method
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "")
    .slice(0, 12);
  return html`<p class="request"><span class="method ${verb}">${method.toUpperCase().slice(0, 12)}</span> <code>${base !== "" && html`<span class="base">${base}</span><wbr>`}${shown}</code></p>`;
}

/** A part below its heading, which is not there without it. */
function titled(text: string, part: Markup | undefined): Markup | undefined {
  return part && html`${title(text)}${part}`;
}

function title(text: string): Markup {
  return html`<h3>${text}</h3>`;
}

/** Where there is more about something. */
function moreAt(value: unknown, { words }: Drawing): Markup | undefined {
  const docs = member(value, "externalDocs");
  const url = tryParseUrl(textIn(docs, "url") ?? "");
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  const name = textIn(docs, "description")?.trim().slice(0, 200) || words.furtherReading;
  return html`<p><a href="${url.href}">${name}</a></p>`;
}

/** The servers, if there are several, or one with variables. */
function serverList(servers: readonly unknown[], drawing: Drawing): Markup | undefined {
  if (servers.length <= 1 && membersIn(servers[0], "variables").length === 0) return undefined;
  const shown = servers.slice(0, MOST_SHOWN).map((server) => {
    const variables = membersIn(server, "variables").slice(0, MOST_SHOWN);
    const list = variables.map(([name, it]) => {
      const values = listIn(it, "enum")
        .slice(0, 50)
        .map((value) => html`<code>${String(value).slice(0, 200)}</code> `);
      const standard = member(it, "default");
      return html`<li><div class="name"><code>${name}</code></div>${described(textIn(it, "description"), "item", drawing)}<p>${values}${standard !== undefined && html`<span class="quiet">${drawing.words.standard}</span> <code>${String(standard).slice(0, 200)}</code>`}</p></li>`;
    });
    return html`<li><div class="name"><code>${(textIn(server, "url") ?? "").slice(0, 500)}</code></div>${described(textIn(server, "description"), "item", drawing)}${list.length > 0 && html`<ul class="members">${list}</ul>`}</li>`;
  });
  return html`${title(drawing.words.servers)}<ul class="members">${shown}</ul>`;
}

/** What the API sends to an address that the request gives. */
function callbacks(it: Operation, drawing: Drawing): Markup | undefined {
  const calls = callbacksOf(drawing.resolve, it).slice(0, MOST_SHOWN);
  if (calls.length === 0) return undefined;
  const shown = calls.map(({ name, address, method, call, item }) => {
    const placed: Placed = { value: call, document: item.document };
    const given = parametersOf(drawing.resolve, { ...placed, item: item.value });
    const request = requestOf(drawing.resolve, placed, given, []);
    const part = (text: string) => html`<p class="part">${text}</p>`;
    return html`<details><summary>${titleIn(call) ?? name}</summary>${requestLine(method, address, "")}${described(textIn(call, "description"), 3, drawing)}${parameters(given, drawing, part)}${request && html`${part(drawing.words.requestBody)}${bodies(request, drawing)}`}${answers(placed, [], drawing)}</details>`;
  });
  return html`${title(drawing.words.callbacks)}<p class="quiet">${drawing.words.callbacksHint}</p>${shown}`;
}

/** Schemas by their names. Together, each is folded. */
export function schemas(names: readonly string[], root: Placed<unknown>, isGrouped: boolean, drawing: Drawing): Markup {
  const all = member(member(root.value, "components"), "schemas") ?? member(root.value, "definitions");
  const shown = names.slice(0, MOST_SHOWN).flatMap((name) => {
    const schema = member(all, name);
    const found = drawing.resolve(schema, root.document)?.value;
    if (!found) return [];
    const { document } = root;
    const kind = kindOf(drawing.resolve, schema, document);
    const notes = member(found, "deprecated") === true ? ["deprecated"] : [];
    const inner = html`${described(textIn(found, "description"), 3, drawing)}${members(schema, document, drawing)}${examples({ schema, document, types: [], use: "response" }, drawing)}`;
    const remark = remarks(kind === name ? "" : kind, notes, drawing);
    if (isGrouped) return [html`<details><summary>${name}${remark}</summary>${inner}</details>`];
    return [html`<h2>${name}${remark}</h2>${inner}`];
  });
  return html`<section class="operation">${shown}</section>`;
}
