// Writes an operation or a schema of an API as Markdown: the address, authorization, parameters, bodies, responses and callbacks.

import { isJsonObject } from "../../utils/objects";
import {
  getRequestMessage,
  listExamples,
  listResponses,
  type Message,
  type MessageBody,
  type ResponseMessage,
} from "../model/bodies";
import { describeConstraints, formatValues } from "../model/constraints";
import { getListMember, getMemberEntries, getOwnMember, getTextMember, type Located } from "../model/document";
import { escapeInlineText, formatCode, formatCodeBlock, formatLink, joinBlocks } from "../model/format-markdown";
import { getSummaryTitle, listCallbacks, listParameters, type SpecificationOperation } from "../model/operations";
import { describeSchemaType, mergeSchema } from "../model/schema";
import { listSecurityRequirements, type RequiredScheme } from "../model/security";
import { fillServerUrl, listServers, MAX_ADDRESS } from "../model/servers";
import { writeMembers, writeParameterList, writeParameterLists } from "./members";
import { CUT, type PageWriter } from "./page-writer";

/** The most callbacks, servers and variables that are shown. */
const MAX_SHOWN = 20;
/** The most media types of a body, responses, and links of one, that are shown. */
const MAX_MESSAGE_PARTS = 30;

export function writeOperation(page: PageWriter, operation: SpecificationOperation): string {
  const { title, method, path, isWebhook, value, item } = operation;
  const servers = listServers(operation);
  const summary = getSummaryTitle(value) === undefined ? page.described(getTextMember(value, "summary"), 2) : "";
  // Parts are written in the order of the page, because they share the room that it has.
  const parts = [
    `# ${escapeInlineText(title)}`,
    isWebhook
      ? `The API sends this request to your URL, as ${formatCode(method.toUpperCase())}. The webhook is called ${formatCode(path)}.`
      : writeRequestLine(method, `${fillServerUrl(servers[0])}${path}`),
    getOwnMember(value, "deprecated") === true ? "**Deprecated.**" : "",
    summary,
    page.described(getTextMember(value, "description") ?? getTextMember(item, "description"), 2),
    writeExternalDocs(value),
    ...writeAuthorization(page, operation),
    ...(isWebhook ? [] : writeServers(page, servers)),
  ];
  const parameters = listParameters(operation);
  parts.push(...writeParameterLists(page, parameters, "##"));
  const request = writeRequestBody(page, getRequestMessage(operation, parameters));
  parts.push(...writeSection("## Request body", request));
  parts.push(...writeSection("## Responses", writeResponses(page, operation)));

  const callbacks = listCallbacks(operation);
  if (callbacks.length > 0)
    parts.push("## Callbacks", "The API sends these requests to a URL that you provide in the request.");
  for (const { name, address, method, call, item } of callbacks.slice(0, MAX_SHOWN)) {
    const callParameters = listParameters({ ...call, item });
    const answers = listResponses(call, MAX_SHOWN).flatMap(([status, response]) => {
      if (!response) return [];
      const { text, isParagraph } = page.describe(getTextMember(response.value, "description"), "item");
      const suffix = text === "" || !isParagraph ? "" : `: ${text.replaceAll("\n", "\n  ")}`;
      return [`* ${formatCode(status)}${suffix}`];
    });
    parts.push(
      `### ${escapeInlineText((getSummaryTitle(call.value) ?? name).slice(0, 200))}`,
      writeRequestLine(method, address),
      getOwnMember(call.value, "deprecated") === true ? "**Deprecated.**" : "",
      page.described(getTextMember(call.value, "description"), 3),
      ...writeParameterLists(page, callParameters, "####"),
      ...writeSection("#### Request body", writeRequestBody(page, getRequestMessage(call, callParameters))),
      ...writeSection("#### Expected answers", [answers.join("\n")]),
    );
  }
  const more = callbacks.length - MAX_SHOWN;
  return joinBlocks([...parts, more > 0 ? `${more} more callbacks are not shown here.` : "", page.hasRoom ? "" : CUT]);
}

/** Writes the page of a schema: its description, its members, and an example. */
export function writeModel(page: PageWriter, title: string, schema: Located<unknown>): string {
  const found = schema.document.resolve(schema.value)?.value;
  const members = writeMembers(page, schema);
  return joinBlocks([
    `# ${escapeInlineText(title)}`,
    getOwnMember(found, "deprecated") === true ? "**Deprecated.**" : "",
    page.described(getTextMember(found, "description"), 1),
    writeExternalDocs(found),
    members === "" ? page.linkType(describeSchemaType(schema)) : "",
    describeConstraints(mergeSchema(schema)),
    members,
    ...writeExamples(page, { schema, types: [], use: "response" }),
  ]);
}

/** Returns a heading with its blocks; nothing if there are none. */
function writeSection(heading: string, parts: readonly string[]): string[] {
  return parts.some((part) => part !== "") ? [heading, ...parts] : [];
}

function writeRequestLine(method: string, address: string): string {
  return formatCodeBlock("http", `${method.toUpperCase()} ${address}`.slice(0, 4000).replaceAll(/\s+/g, " "));
}

/** Writes the link to the external documentation of something. */
export function writeExternalDocs(value: unknown): string {
  const docs = getOwnMember(value, "externalDocs");
  const url = getTextMember(docs, "url");
  if (url === undefined) return "";
  return `See ${formatLink((getTextMember(docs, "description") ?? "further documentation").slice(0, 200), url)}.`;
}

function writeAuthorization(page: PageWriter, operation: SpecificationOperation): string[] {
  const requirements = listSecurityRequirements(operation, !operation.isWebhook);
  if (!requirements) return [];
  if (requirements.every((schemes) => schemes.length === 0)) return ["## Authorization", "No authorization required."];
  const writeScheme = ({ name, kind, isDeprecated, description, limits }: RequiredScheme, depth: number) => {
    const words = kind === "" ? "" : `, ${kind}${isDeprecated ? ", deprecated" : ""}`;
    const label = `${formatCode(name)}${words}`;
    return page.writeEntry({ label, kind: "", notes: [], description, limits }, depth, false);
  };
  const lines = requirements.flatMap((schemes) => {
    if (schemes.length === 0) return ["* No authorization"];
    if (schemes.length === 1) return [writeScheme(schemes[0]!, 0)];
    return ["* All of the following are required:", ...schemes.map((scheme) => writeScheme(scheme, 1))];
  });
  return ["## Authorization", requirements.length > 1 ? "One of the following is required:" : "", lines.join("\n")];
}

/** Writes the servers; nothing if there is only one, without variables. */
function writeServers(page: PageWriter, servers: readonly unknown[]): string[] {
  if (servers.length <= 1 && getMemberEntries(servers[0], "variables").length === 0) return [];
  const lines = servers.slice(0, MAX_SHOWN).flatMap((server) => {
    const variables = getMemberEntries(server, "variables").slice(0, MAX_SHOWN);
    const label = formatCode((getTextMember(server, "url") ?? "").slice(0, MAX_ADDRESS));
    const about = { kind: "", notes: [], description: getTextMember(server, "description"), limits: "" };
    return [
      page.writeEntry({ ...about, label }, 0, variables.length > 0),
      ...variables.map(([name, variable]) => {
        const [values, standard] = [getListMember(variable, "enum"), getOwnMember(variable, "default")];
        const limits: string[] = [];
        if (values.length > 0) limits.push(`One of ${formatValues(values)}.`);
        if (standard !== undefined) limits.push(`Default ${formatValues([standard])}.`);
        const description = getTextMember(variable, "description");
        const entry = { label: formatCode(name), kind: "", notes: [], description, limits: limits.join(" ") };
        return page.writeEntry(entry, 1, false);
      }),
    ];
  });
  return ["## Servers", lines.join("\n")];
}

/** Writes the body of a request, without a heading; nothing if there is none. */
function writeRequestBody(page: PageWriter, request: Message | undefined): string[] {
  if (!request) return [];
  return [
    page.described(getTextMember(request.value, "description"), 3),
    getOwnMember(request.value, "required") === true ? "Required." : "",
    ...request.bodies.flatMap((body) => writeBody(page, body)),
  ];
}

function writeBody(page: PageWriter, body: MessageBody): string[] {
  const { schema, types, media } = body;
  const kind = page.linkType(describeSchemaType(schema));
  const named = types.slice(0, MAX_MESSAGE_PARTS).map(formatCode).join(", ");
  const head = [named, kind].filter((it) => it !== "").join(": ");
  const isReference = getTextMember(schema.value, "$ref") !== undefined;
  const about = isReference ? "" : page.described(getTextMember(schema.value, "description"), 3);
  if (!page.hasRoom) return [head, CUT];
  const encodings = getMemberEntries(media, "encoding")
    .slice(0, MAX_MESSAGE_PARTS)
    .flatMap(([name, encoding]) => {
      const type = getTextMember(encoding, "contentType");
      return type === undefined ? [] : [`${formatCode(name)} is sent as ${formatCode(type)}.`];
    });
  const members = writeMembers(page, schema);
  return [head, about, describeConstraints(mergeSchema(schema)), members, ...encodings, ...writeExamples(page, body)];
}

function writeExamples(page: PageWriter, body: MessageBody): string[] {
  if (!page.hasRoom) return [];
  const { examples, isGenerated, more } = listExamples(body, page.exemplified);
  const blocks = examples.flatMap(({ name, description, external, type, text, language, isWhole }) => {
    if (isGenerated) return ["**Example**, made from the schema", page.take(formatCodeBlock(language, text!))];
    const title = `**Example${name === undefined ? "" : `: ${escapeInlineText(name.slice(0, 200))}`}**`;
    const head = type === undefined ? title : `${title} (${formatCode(type)})`;
    const about = page.described(description, "item");
    if (text === undefined) return [`${head}: ${formatLink("the value is at another address", external ?? "")}`, about];
    const note = isWhole ? "" : "The example is longer than what is shown here.";
    return [head, about, page.take(formatCodeBlock(language, text)), note];
  });
  return [...blocks, more > 0 ? `${more} more ${more === 1 ? "example is" : "examples are"} not shown here.` : ""];
}

/** Writes the responses with their bodies, each below its status. */
function writeResponses(page: PageWriter, operation: SpecificationOperation): string[] {
  const more = getMemberEntries(operation.value, "responses").length - MAX_MESSAGE_PARTS;
  return [
    ...listResponses(operation, MAX_MESSAGE_PARTS).flatMap(([status, response]) => {
      const heading = `### ${status === "default" ? "All other responses" : escapeInlineText(status.slice(0, 100))}`;
      if (!response) return [heading];
      const { description, headers, bodies } = response;
      const blocks = [heading, page.described(description, 3)];
      if (headers.length > 0) blocks.push("Headers:", writeParameterList(page, headers));
      for (const body of bodies) blocks.push(...writeBody(page, body));
      const links = writeResponseLinks(page, response);
      if (links.length > 0) blocks.push("Links:", links.join("\n"));
      return blocks;
    }),
    more > 0 ? `${more} more ${more === 1 ? "answer is" : "answers are"} not shown here.` : "",
  ];
}

/** Writes the operations that a response links to, as entries of a list. */
function writeResponseLinks(page: PageWriter, { value, document }: ResponseMessage): string[] {
  return getMemberEntries(value, "links")
    .slice(0, MAX_MESSAGE_PARTS)
    .flatMap(([name, it]) => {
      const link = document.resolve(it)?.value;
      if (!link) return [];
      const to = getTextMember(link, "operationId") ?? getTextMember(link, "operationRef") ?? "";
      const passed = getMemberEntries(link, "parameters")
        .slice(0, MAX_MESSAGE_PARTS)
        .map(([key, from]) => `${formatCode(key)} from ${formatCode(String(isJsonObject(from) ? "…" : from))}`);
      const { text, isParagraph } = page.describe(getTextMember(link, "description"), "item");
      const words: string[] = [];
      if (to !== "") words.push(`leads to ${formatCode(to)}`);
      if (passed.length > 0) words.push(`with ${passed.join(", ")}`);
      const head = `* ${formatCode(name)}: ${words.join(" ")}`;
      return [isParagraph && text !== "" ? `${head}. ${text}` : head];
    });
}
