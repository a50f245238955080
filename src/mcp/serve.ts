// Serves the Model Context Protocol over streamable HTTP, without sessions and streams: each request is one POST, and its
// response is one JSON document. The server calls tools, and knows nothing of their subject.

import { toJsonSchema } from "@valibot/to-json-schema";
import { DocsError, type Issue } from "../errors";
import { toDocsError } from "../http/handler";
import { readJsonBody } from "../http/json-body";
import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { validate } from "../operation/validate";
import { isJsonObject, omitUndefined } from "../utils/objects";
import { suggestName } from "../utils/suggest";
import {
  DEFAULT_VERSION,
  HANDSHAKE_VERSIONS,
  isCurrentVersion,
  ProtocolError,
  parseRpcMessage,
  type RpcMessage,
  readMessageId,
  SERVER_INFO_KEY,
  SUPPORTED_VERSIONS,
} from "./protocol";
import type { Tool, ToolInputSchema, ToolResult } from "./tools";

export interface McpServer {
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  readonly version: string;
  /** Instructions that a model should read before it uses the first tool. */
  readonly instructions: string;
  /** The tools in the order of the list. */
  readonly tools: readonly Tool[];
  /** Returns true if a tool is listed. A tool that is not listed can still be called. Default: every tool is listed. */
  readonly isListed?: (tool: Tool) => boolean | Promise<boolean>;
  /** Receives every failure that is hidden from the client. */
  readonly onError: (error: unknown) => void;
}

/** The JSON of a page of one megabyte is not much longer than the page. */
const MAX_REQUEST_BYTES = 2 * 1024 * 1024;
const MAX_BATCH_LENGTH = 20;
/** The time for which a client may cache a list. */
const LIST_TTL_MS = 60_000;

/** Internal error of JSON-RPC. */
const INTERNAL_ERROR_CODE = -32603;

/** A reply to one message or to a batch. There is none to notifications. */
interface RpcReply {
  readonly status: number;
  readonly message?: object;
}

/** Answers a request. The caller has authenticated its sender. */
export async function serveMcp(request: PlainRequest, server: McpServer): Promise<PlainResponse> {
  let reply: RpcReply;
  try {
    if (request.method !== "POST")
      throw new ProtocolError(
        "invalidRequest",
        "This server answers POST only: there are no streams and no sessions.",
        405,
      );
    const accept = request.headers.get("accept");
    if (accept !== null && !/(?:application|\*)\/(?:json|\*)/i.test(accept))
      throw new ProtocolError("invalidRequest", "Answers are JSON: accept `application/json`.", 406);

    const body = await readJsonBody(request, MAX_REQUEST_BYTES).catch((error) => {
      if (!(error instanceof DocsError)) throw error;
      const kind = error.reason === "invalid_json" ? "parseError" : "invalidRequest";
      throw new ProtocolError(kind, formatError(error), error.status);
    });
    if (!Array.isArray(body)) reply = await replyToMessage(body, request, server);
    else {
      const version = request.headers.get("mcp-protocol-version") ?? DEFAULT_VERSION;
      if (!HANDSHAKE_VERSIONS.includes(version) || version > DEFAULT_VERSION)
        throw new ProtocolError(
          "invalidRequest",
          "Send one message a request: several at once are not part of this version.",
        );
      if (body.length === 0 || body.length > MAX_BATCH_LENGTH)
        throw new ProtocolError("invalidRequest", `Expected 1 to ${MAX_BATCH_LENGTH} messages`);
      // The messages of a batch run one after the other.
      const messages: object[] = [];
      for (const value of body) {
        const { message } = await replyToMessage(value, request, server);
        if (message) messages.push(message);
      }
      reply = messages.length === 0 ? { status: 202 } : { status: 200, message: messages };
    }
  } catch (error) {
    let failure: RpcError;
    if (error instanceof ProtocolError) failure = error;
    else {
      const { message, status } = exposeError(error, server);
      failure = { code: INTERNAL_ERROR_CODE, message, status };
    }
    reply = createErrorReply(undefined, failure);
  }

  const { status, message } = reply;
  if (!message) return { status, headers: {}, body: undefined };
  const headers: Record<string, string> = { "content-type": "application/json", "cache-control": "no-store" };
  if (status === 405) headers.allow = "POST";
  return { status, headers, body: JSON.stringify(message) };
}

type RpcError = Pick<ProtocolError, "code" | "message" | "status"> & { readonly data?: object | undefined };

/** Creates an error reply. JSON-RPC requires an `id` of null if the id of the request is not known. */
function createErrorReply(id: RpcMessage["id"], { code, message, status, data }: RpcError): RpcReply {
  const error = { code, message, ...omitUndefined({ data }) };
  return { status, message: { jsonrpc: "2.0", id: id ?? null, error } };
}

async function replyToMessage(value: unknown, { headers }: PlainRequest, server: McpServer): Promise<RpcReply> {
  const id = readMessageId(value);
  try {
    const message = parseRpcMessage(value);
    if (message.id === undefined || id === undefined) return { status: 202 };
    const result = await callRpcMethod(message, isCurrentVersion(message, headers), server);
    return { status: 200, message: { jsonrpc: "2.0", id, result } };
  } catch (error) {
    if (error instanceof ProtocolError) return createErrorReply(id, error);
    throw error;
  }
}

/** The input of each tool as JSON Schema. Input schemas are constants, so each is converted once. */
const jsonSchemas = new WeakMap<ToolInputSchema, object>();

/** Calls a method. Versions differ in the methods for the handshake, and the current one adds members to every result. */
async function callRpcMethod({ method, params }: RpcMessage, isCurrent: boolean, server: McpServer): Promise<object> {
  const { name, title, version, instructions, tools, isListed } = server;
  const serverInfo = { name, title, version };
  const about = { capabilities: { tools: {} }, instructions };
  const envelope = isCurrent ? { resultType: "complete", _meta: { [SERVER_INFO_KEY]: serverInfo } } : {};
  const caching = isCurrent ? { ttlMs: LIST_TTL_MS, cacheScope: "private" } : {};

  if (method === "tools/list") {
    if (params.cursor !== undefined)
      throw new ProtocolError("invalidParams", "The list is whole: it has no `cursor`.", 200);
    const listed: object[] = [];
    for (const tool of tools) {
      if (isListed && !(await isListed(tool))) continue;
      let inputSchema = jsonSchemas.get(tool.input);
      if (!inputSchema) {
        const { $schema: _, ...schema } = toJsonSchema(tool.input, { target: "draft-2020-12", typeMode: "input" });
        inputSchema = schema;
        jsonSchemas.set(tool.input, inputSchema);
      }
      const annotations = { title: tool.title, ...tool.annotations };
      listed.push({ name: tool.name, title: tool.title, description: tool.description, inputSchema, annotations });
    }
    return { ...envelope, ...caching, tools: listed };
  }

  if (method === "tools/call") {
    const { name: toolName, arguments: args = {} } = params;
    const tool = tools.find((it) => it.name === toolName);
    if (!tool) {
      if (typeof toolName !== "string")
        throw new ProtocolError("invalidParams", "Expected `name`, the name of a tool.", 200);
      const unknownName = toolName.slice(0, 100);
      const names = tools.map((it) => it.name);
      const message = `There is no tool \`${unknownName}\` here.${suggestName(unknownName, names)}`;
      throw new ProtocolError("invalidParams", message, 200);
    }
    if (!isJsonObject(args)) throw new ProtocolError("invalidParams", "Expected `arguments` to be an object.", 200);

    let result: ToolResult;
    try {
      const issues: Issue[] = [];
      const input = validate(tool.input, args, "arguments", issues);
      if (issues.length > 0) throw new DocsError("invalid_request", { issues });
      result = await tool.call(input as never);
    } catch (error) {
      // A failure of a tool is a result, because the model may be able to correct it.
      const failure = exposeError(error, server);
      const { reason, message, issues } = failure;
      result = { text: formatError(failure), structured: { error: { reason, message, issues } }, isError: true };
    }
    return {
      ...envelope,
      content: [{ type: "text", text: result.text }],
      ...omitUndefined({ structuredContent: result.structured }),
      isError: result.isError === true,
    };
  }

  if (isCurrent && method === "server/discover")
    return { ...envelope, ...caching, supportedVersions: SUPPORTED_VERSIONS, ...about };
  if (!isCurrent && method === "initialize") {
    const { protocolVersion } = params;
    if (typeof protocolVersion !== "string")
      throw new ProtocolError("invalidParams", "Expected `protocolVersion`, the version that you speak.", 200);
    // An unknown version is answered with the newest one that has a handshake.
    const agreedVersion = HANDSHAKE_VERSIONS.includes(protocolVersion) ? protocolVersion : HANDSHAKE_VERSIONS[0]!;
    return { protocolVersion: agreedVersion, serverInfo, ...about };
  }
  if (!isCurrent && method === "ping") return {};

  const message = `There is no method \`${method.slice(0, 100)}\` here: this server has tools.`;
  throw new ProtocolError("methodNotFound", message, isCurrent ? 404 : 200);
}

/** Converts an error to one that the client may see. Reports it if that hides what happened. */
function exposeError(error: unknown, { onError }: McpServer): DocsError {
  const failure = toDocsError(error);
  if (failure !== error) onError(error);
  return failure;
}

/** Formats a failure with all its issues, one per line. */
function formatError({ message, issues = [] }: DocsError): string {
  return [message, ...issues.map(({ path, message }) => `- ${path}: ${message}`)].join("\n");
}
