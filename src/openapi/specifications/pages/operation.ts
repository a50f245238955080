// Writes an operation of an API as Markdown: its address, authorization, parameters, bodies, responses and callbacks.

import { isJsonObject } from "../../../utils/objects";
import { type SpecificationRoot, writeAuthorization } from "./authorization";
import { listSwaggerTypes, writeRequestBody, writeResponses } from "./bodies";
import { escapeInlineText, formatCode, formatCodeBlock, formatLink, joinBlocks } from "./format-markdown";
import type { ModelLinks } from "./models";
import { CUT, PageWriter, type SpecificationContext } from "./page-writer";
import { writeParameterLists } from "./parameters";
import {
  getListMember,
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type Located,
  type ResolveReference,
  type SpecificationObject,
} from "./resolve-references";
import { fillServerUrl, listServers, writeServers } from "./servers";

/** An operation with the path item and the specification that contain it. */
export interface SpecificationOperation {
  readonly title: string;
  readonly method: string;
  /** The path; of a webhook its name. */
  readonly path: string;
  readonly isWebhook: boolean;
  readonly value: SpecificationObject;
  readonly document: string | null;
  /** The path item, with the things that its operations share. */
  readonly item: SpecificationObject;
  readonly root: SpecificationRoot;
}

/** The methods that a path may have. */
export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** The most callbacks that are shown. */
const MAX_CALLBACKS = 20;

/** The longest summary that is a title. A longer one, or one of several lines, is a text. */
const MAX_TITLE = 150;

/** Returns the summary of an operation if it is short enough for a title. */
export function getSummaryTitle(operation: unknown): string | undefined {
  const summary = getTextMember(operation, "summary")?.trim();
  return summary && summary.length <= MAX_TITLE && !summary.includes("\n") ? summary : undefined;
}

/** Writes the page of an operation. */
export function writeOperation(
  source: SpecificationContext,
  operation: SpecificationOperation,
  models?: ModelLinks,
): string {
  const { title, method, path, isWebhook, value, item, root } = operation;
  const writing = new PageWriter(source, models);
  const { resolve } = writing;
  const servers = listServers(value, item, root.value);
  const summary = getSummaryTitle(value) === undefined ? writing.described(getTextMember(value, "summary"), 2) : "";
  // Parts are written in the order of the page, because they share the room that it has.
  const parts = [
    `# ${escapeInlineText(title)}`,
    isWebhook
      ? `The API sends this to an address of yours, as ${formatCode(method.toUpperCase())}. The webhook is called ${formatCode(path)}.`
      : writeRequestLine(method, `${fillServerUrl(servers[0])}${path}`),
    getOwnMember(value, "deprecated") === true ? "**Deprecated.**" : "",
    summary,
    writing.described(getTextMember(value, "description") ?? getTextMember(item, "description"), 2),
    writeExternalDocs(value),
    ...writeAuthorization(writing, value, root, !isWebhook),
    ...(isWebhook ? [] : writeServers(writing, servers)),
  ];
  const parameters = listParameters(resolve, operation);
  parts.push(...writeParameterLists(writing, parameters, "##"));
  const request = writeRequestBody(writing, operation, parameters, listSwaggerTypes(value, root.value, "consumes"));
  const responses = writeResponses(writing, operation, listSwaggerTypes(value, root.value, "produces"));
  parts.push(...writeSection("## Request body", request), ...writeSection("## Responses", responses));

  const calls = listCallbacks(resolve, operation);
  if (calls.length > 0) parts.push("## Callbacks", "The API sends these to an address that the request gives.");
  for (const { name, address, method, call, item } of calls.slice(0, MAX_CALLBACKS)) {
    const placed = { value: call, document: item.document };
    const callParameters = listParameters(resolve, { ...placed, item: item.value });
    const answers = getMemberEntries(call, "responses").flatMap(([status, it]) => {
      const about = resolve(it, item.document)?.value;
      if (!about) return [];
      const { text, isParagraph } = writing.describe(getTextMember(about, "description"), "item");
      const suffix = text === "" || !isParagraph ? "" : `: ${text.replaceAll("\n", "\n  ")}`;
      return [`* ${formatCode(status)}${suffix}`];
    });
    parts.push(
      `### ${escapeInlineText((getSummaryTitle(call) ?? name).slice(0, 200))}`,
      writeRequestLine(method, address),
      getOwnMember(call, "deprecated") === true ? "**Deprecated.**" : "",
      writing.described(getTextMember(call, "description"), 3),
      ...writeParameterLists(writing, callParameters, "####"),
      ...writeSection("#### Request body", writeRequestBody(writing, placed, callParameters, [])),
      ...writeSection("#### Expected answers", [answers.slice(0, MAX_CALLBACKS).join("\n")]),
    );
  }
  const more = calls.length - MAX_CALLBACKS;
  return joinBlocks([
    ...parts,
    more > 0 ? `${more} more callbacks are not shown here.` : "",
    writing.hasRoom ? "" : CUT,
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

/** Lists the parameters of an operation: its own, and those of its path that it does not repeat. */
export function listParameters(
  resolve: ResolveReference,
  { value, document, item }: Pick<SpecificationOperation, "value" | "document" | "item">,
): Located[] {
  const found = new Map<string, Located>();
  for (const it of [...getListMember(item, "parameters"), ...getListMember(value, "parameters")]) {
    const parameter = resolve(it, document);
    if (parameter)
      found.set(`${getTextMember(parameter.value, "in")} ${getTextMember(parameter.value, "name")}`, parameter);
  }
  return [...found.values()];
}

/** A request that the API sends to an address from another request. */
export interface SpecificationCallback {
  readonly name: string;
  readonly address: string;
  readonly method: string;
  readonly call: SpecificationObject;
  /** The path item of the callback. */
  readonly item: Located;
}

/** Lists the callbacks of an operation. */
export function listCallbacks(resolve: ResolveReference, { value, document }: Located): SpecificationCallback[] {
  return getMemberEntries(value, "callbacks").flatMap(([name, given]) => {
    const callback = resolve(given, document);
    if (!callback) return [];
    return Object.entries(callback.value).flatMap(([address, path]) => {
      const item = resolve(path, callback.document);
      if (!item) return [];
      return METHODS.flatMap((method) => {
        const call = getOwnMember(item.value, method);
        return isJsonObject(call) ? [{ name, address, method, call, item }] : [];
      });
    });
  });
}
