// A server of the Model Context Protocol over streamable HTTP, without sessions and without streams: each request is one
// POST, and its answer is one piece of JSON. It knows tools, and not what they are about.

import { DocsError, type Issue } from "../errors";
import { toDocsError } from "../http/edge";
import { readBody } from "../http/json-body";
import type { PlainRequest, PlainResponse } from "../http/plain";
import { validate } from "../operation/check";
import { omitUndefined } from "../utils/objects";
import { suggestName } from "../utils/suggest";
import {
  checkVersion,
  EARLIER,
  isMembers,
  type Members,
  type Message,
  messageIn,
  ProtocolError,
  readId,
  SERVER_KEY,
  takesBatch,
  VERSIONS,
} from "./protocol";
import { describeTool, type Tool, type ToolResult } from "./tools";

export interface McpServer {
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  readonly version: string;
  /** What a model should know before it uses the first tool. */
  readonly instructions: string;
  /** In the order in which they are listed. */
  readonly tools: readonly Tool[];
  /** Whether a tool is listed. Default: every one is. A call of one that is not listed is carried out as any other. */
  readonly isListed?: (tool: Tool) => boolean | Promise<boolean>;
  /** Hears of every failure that the client is not told about. */
  readonly onError: (error: unknown) => void;
}

/** The largest body. A page of a megabyte, as JSON, is not much longer. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_BATCH = 20;
/** How long a client may keep a list, in milliseconds. */
const TTL_MS = 60_000;

/** Answers a request. Who sent it has been found out before. */
export async function serveMcp(request: PlainRequest, server: McpServer): Promise<PlainResponse> {
  try {
    if (request.method !== "POST")
      throw new ProtocolError("request", "This server answers POST only: there are no streams and no sessions.", 405);
    if (!takesJson(request.headers.get("accept")))
      throw new ProtocolError("request", "Answers are JSON: accept `application/json`.", 406);
    const body = await bodyOf(request);
    if (Array.isArray(body)) return sent(await answerBatch(body, request, server));
    return sent(await answer(body, request, server));
  } catch (error) {
    const answered = sent(failed(undefined, error instanceof ProtocolError ? error : internal(error, server)));
    return answered.status === 405 ? { ...answered, headers: { ...answered.headers, allow: "POST" } } : answered;
  }
}

function takesJson(accept: string | null): boolean {
  return accept === null || /(?:application|\*)\/(?:json|\*)/i.test(accept);
}

/** The JSON of a body. What is wrong with it is told as JSON-RPC tells it. */
async function bodyOf(request: PlainRequest): Promise<unknown> {
  try {
    return await readBody(request, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    const { reason, status } = error;
    throw new ProtocolError(reason === "invalid_json" ? "parse" : "request", sentenceOf(error), status);
  }
}

/** An answer to one message, or to several; without a message there is nothing to say. */
interface Answer {
  readonly status: number;
  readonly message?: object;
}

function sent({ status, message }: Answer): PlainResponse {
  if (!message) return { status, headers: {}, body: undefined };
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { status, headers, body: JSON.stringify(message) };
}

/** What failed beside the tools. */
function internal(error: unknown, { onError }: McpServer): Failed {
  const told = toDocsError(error);
  if (told !== error) onError(error);
  return { code: -32603, message: told.message, status: told.status };
}

type Failed = Pick<ProtocolError, "code" | "message" | "status"> & { readonly data?: object | undefined };

/** An error. JSON-RPC demands an `id` of null where the id of the request is not known. */
function failed(id: Message["id"], { code, message, status, data }: Failed): Answer {
  const error = { code, message, ...omitUndefined({ data }) };
  return { status, message: { jsonrpc: "2.0", id: id ?? null, error } };
}

/** Several messages are carried out one after the other. */
async function answerBatch(values: readonly unknown[], request: PlainRequest, server: McpServer): Promise<Answer> {
  if (!takesBatch(request.headers))
    throw new ProtocolError("request", "Send one message a request: several at once are not part of this version.");
  if (values.length === 0 || values.length > MAX_BATCH)
    throw new ProtocolError("request", `Expected 1 to ${MAX_BATCH} messages`);
  const messages: object[] = [];
  for (const value of values) {
    const { message } = await answer(value, request, server);
    if (message) messages.push(message);
  }
  return messages.length === 0 ? { status: 202 } : { status: 200, message: messages };
}

async function answer(value: unknown, { headers }: PlainRequest, server: McpServer): Promise<Answer> {
  const id = readId(value);
  try {
    const message = messageIn(value);
    if (message.id === undefined || id === undefined) return { status: 202 };
    const isPresent = checkVersion(message, headers);
    const result = await (isPresent ? present : earlier)(message, server);
    return { status: 200, message: { jsonrpc: "2.0", id, result } };
  } catch (error) {
    if (error instanceof ProtocolError) return failed(id, error);
    throw error;
  }
}

/** The result of a request in the present version. */
async function present({ method, params }: Message, server: McpServer): Promise<object> {
  const shared = { resultType: "complete", _meta: { [SERVER_KEY]: infoOf(server) } };
  const kept = { ttlMs: TTL_MS, cacheScope: "private" };
  switch (method) {
    case "server/discover":
      return { ...shared, ...kept, supportedVersions: VERSIONS, ...described(server) };
    case "tools/list":
      return { ...shared, ...kept, ...(await listTools(params, server)) };
    case "tools/call":
      return { ...shared, ...(await callTool(params, server)) };
    default:
      throw new ProtocolError("method", unknownMethod(method), 404);
  }
}

/** The result of a request in an earlier version. */
async function earlier({ method, params }: Message, server: McpServer): Promise<object> {
  switch (method) {
    case "initialize":
      return { protocolVersion: agreed(params), serverInfo: infoOf(server), ...described(server) };
    case "ping":
      return {};
    case "tools/list":
      return listTools(params, server);
    case "tools/call":
      return callTool(params, server);
    default:
      throw new ProtocolError("method", unknownMethod(method), 200);
  }
}

const unknownMethod = (method: string) => `There is no method \`${method.slice(0, 100)}\` here: this server has tools.`;

/** The version that is spoken: the one that was asked for, or the newest with a handshake. */
function agreed({ protocolVersion }: Members): string {
  if (typeof protocolVersion !== "string")
    throw new ProtocolError("params", "Expected `protocolVersion`, the version that you speak.", 200);
  return EARLIER.includes(protocolVersion) ? protocolVersion : EARLIER[0]!;
}

function infoOf({ name, title, version }: McpServer): object {
  return { name, title, version };
}

function described({ instructions }: McpServer): object {
  return { capabilities: { tools: {} }, instructions };
}

async function listTools({ cursor }: Members, { tools, isListed }: McpServer): Promise<object> {
  if (cursor !== undefined) throw new ProtocolError("params", "The list is whole: it has no `cursor`.", 200);
  const listed: object[] = [];
  for (const tool of tools) if (!isListed || (await isListed(tool))) listed.push(describeTool(tool));
  return { tools: listed };
}

async function callTool(params: Members, server: McpServer): Promise<object> {
  const { name, arguments: given = {} } = params;
  const found = server.tools.find((tool) => tool.name === name);
  if (!found) throw new ProtocolError("params", unknownTool(name, server), 200);
  if (!isMembers(given)) throw new ProtocolError("params", "Expected `arguments` to be an object.", 200);
  const { text, structured, isError } = await carriedOut(found, given, server);
  return {
    content: [{ type: "text", text }],
    ...omitUndefined({ structuredContent: structured }),
    isError: isError === true,
  };
}

function unknownTool(name: unknown, { tools }: McpServer): string {
  if (typeof name !== "string") return "Expected `name`, the name of a tool.";
  const names = tools.map((tool) => tool.name);
  return `There is no tool \`${name.slice(0, 100)}\` here.${suggestName(name.slice(0, 100), names)}`;
}

/** What a tool answers. Everything that goes wrong in it is told to the model, which may do something about it. */
async function carriedOut({ input, call }: Tool, given: Members, { onError }: McpServer): Promise<ToolResult> {
  try {
    const issues: Issue[] = [];
    const checked = validate(input, given, "arguments", issues);
    if (issues.length > 0) throw new DocsError("invalid_request", { issues });
    return await call(checked as never);
  } catch (error) {
    const told = toDocsError(error);
    if (told !== error) onError(error);
    const { reason, message, issues } = told;
    return { text: sentenceOf(told), structured: { error: { reason, message, issues } }, isError: true };
  }
}

/** A failure with everything that is wrong, one line each. */
function sentenceOf({ message, issues = [] }: DocsError): string {
  return [message, ...issues.map(({ path, message }) => `- ${path}: ${message}`)].join("\n");
}
