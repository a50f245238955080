// An operation of an API as Markdown: where it is, who may call it, what it takes, what it answers, and what it calls back.

import { authorizationBlocks, type Root } from "./authorization";
import { oldTypes, requestBlocks, responseBlocks } from "./bodies";
import type { ModelLinks } from "./models";
import { parameterBlocks } from "./parameters";
import { isValues, listIn, member, membersIn, type Placed, type Resolve, textIn, type Values } from "./pointers";
import { baseOf, serverBlocks, serversOf } from "./servers";
import { blocks, code, fenced, inLine, linked } from "./words";
import { CUT, type Source, Writing } from "./writing";

/** An operation with what it stands in. */
export interface Operation {
  readonly title: string;
  readonly method: string;
  /** The path; of a webhook its name. */
  readonly path: string;
  readonly isWebhook: boolean;
  readonly value: Values;
  readonly document: string | null;
  /** What the operations of its path have in common. */
  readonly item: Values;
  readonly root: Root;
}

/** The methods that a path may have. */
export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** The most callbacks that are shown. */
const MAX_CALLBACKS = 20;

/** The longest summary that is a title. What is longer, or has several lines, is a text. */
const MAX_TITLE = 150;

/** The title that a summary gives; undefined when it is none. */
export function titleIn(operation: unknown): string | undefined {
  const summary = textIn(operation, "summary")?.trim();
  return summary && summary.length <= MAX_TITLE && !summary.includes("\n") ? summary : undefined;
}

export function operationMarkdown(source: Source, operation: Operation, models: ModelLinks): string {
  const { title, method, path, isWebhook, value, item, root } = operation;
  const writing = new Writing(source, models);
  const servers = serversOf(value, item, root.value);
  const summary = titleIn(value) === undefined ? writing.described(textIn(value, "summary"), 2) : "";
  return blocks([
    `# ${inLine(title)}`,
    isWebhook
      ? `The API sends this to an address of yours, as ${code(method.toUpperCase())}. The webhook is called ${code(path)}.`
      : requestLine(method, `${baseOf(servers)}${path}`),
    member(value, "deprecated") === true ? "**Deprecated.**" : "",
    summary,
    writing.described(textIn(value, "description") ?? textIn(item, "description"), 2),
    moreAt(value),
    ...authorizationBlocks(writing, value, root, !isWebhook),
    ...(isWebhook ? [] : serverBlocks(writing, servers)),
    ...messageBlocks(writing, operation),
    ...callbackBlocks(writing, operation),
    writing.hasRoom ? "" : CUT,
  ]);
}

/** What an operation takes and answers. */
function messageBlocks(writing: Writing, operation: Operation): string[] {
  const { value, root } = operation;
  const parameters = parametersOf(writing.resolve, operation);
  const known = parameterBlocks(writing, parameters, "##");
  const request = requestBlocks(writing, operation, parameters, oldTypes(value, root.value, "consumes"));
  const responses = responseBlocks(writing, operation, oldTypes(value, root.value, "produces"));
  return [...known, ...below("## Request body", request), ...below("## Responses", responses)];
}

/** Blocks below a heading, which is not there without them. */
function below(heading: string, parts: readonly string[]): string[] {
  return parts.some((part) => part !== "") ? [heading, ...parts] : [];
}

function requestLine(method: string, address: string): string {
  return fenced("http", `${method.toUpperCase()} ${address}`.slice(0, 4000).replaceAll(/\s+/g, " "));
}

/** Where there is more about something. */
export function moreAt(value: unknown): string {
  const docs = member(value, "externalDocs");
  const url = textIn(docs, "url");
  if (url === undefined) return "";
  return `See ${linked((textIn(docs, "description") ?? "further documentation").slice(0, 200), url)}.`;
}

/** The parameters of an operation: its own, and those of its path that it does not state again. */
export function parametersOf(
  resolve: Resolve,
  { value, document, item }: Pick<Operation, "value" | "document" | "item">,
): Placed[] {
  const found = new Map<string, Placed>();
  for (const it of [...listIn(item, "parameters"), ...listIn(value, "parameters")]) {
    const parameter = resolve(it, document);
    if (parameter) found.set(`${textIn(parameter.value, "in")} ${textIn(parameter.value, "name")}`, parameter);
  }
  return [...found.values()];
}

/** A request that the API sends to an address that another request named. */
export interface Callback {
  readonly name: string;
  readonly address: string;
  readonly method: string;
  readonly call: Values;
  /** What the calls of its address have in common. */
  readonly item: Placed;
}

/** What the API sends to an address that the request named. */
export function callbacksOf(resolve: Resolve, { value, document }: Placed): Callback[] {
  return membersIn(value, "callbacks").flatMap(([name, given]) => {
    const callback = resolve(given, document);
    if (!callback) return [];
    return Object.entries(callback.value).flatMap(([address, path]) => {
      const item = resolve(path, callback.document);
      if (!item) return [];
      return METHODS.flatMap((method) => {
        const call = member(item.value, method);
        return isValues(call) ? [{ name, address, method, call, item }] : [];
      });
    });
  });
}

function callbackBlocks(writing: Writing, operation: Operation): string[] {
  const calls = callbacksOf(writing.resolve, operation);
  if (calls.length === 0) return [];
  const more = calls.length - MAX_CALLBACKS;
  return [
    "## Callbacks",
    "The API sends these to an address that the request gives.",
    ...calls.slice(0, MAX_CALLBACKS).flatMap(({ name, address, method, call, item }) => {
      const placed = { value: call, document: item.document };
      const parameters = parametersOf(writing.resolve, { ...placed, item: item.value });
      const answers = membersIn(call, "responses").flatMap(([status, it]) => {
        const about = writing.resolve(it, item.document)?.value;
        return about ? [`* ${code(status)}${behind(writing, textIn(about, "description"))}`] : [];
      });
      return [
        `### ${inLine((titleIn(call) ?? name).slice(0, 200))}`,
        requestLine(method, address),
        member(call, "deprecated") === true ? "**Deprecated.**" : "",
        writing.described(textIn(call, "description"), 3),
        ...parameterBlocks(writing, parameters, "####"),
        ...below("#### Request body", requestBlocks(writing, placed, parameters, [])),
        ...below("#### Expected answers", [answers.slice(0, MAX_CALLBACKS).join("\n")]),
      ];
    }),
    more > 0 ? `${more} more callbacks are not shown here.` : "",
  ];
}

function behind(writing: Writing, description: string | undefined): string {
  const { text, isParagraph } = writing.describe(description, "item");
  return text === "" || !isParagraph ? "" : `: ${text.replaceAll("\n", "\n  ")}`;
}
