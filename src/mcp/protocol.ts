// What the Model Context Protocol says of messages over HTTP: JSON-RPC, the versions that are spoken here, and what each of
// them demands of a request. Nothing is remembered between two requests, in any version.

/** The version in which every request says for itself what it speaks. */
export const PRESENT = "2026-07-28";

/** The versions that begin with `initialize`, the newest first. They work without a session, too. */
export const EARLIER: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

export const VERSIONS: readonly string[] = [PRESENT, ...EARLIER];

/** What a request that names no version speaks. Several messages at once were part of it, and of those before. */
const UNNAMED = "2025-03-26";

const CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  headers: -32020,
  version: -32022,
} as const;

/** What is wrong with a message, as JSON-RPC tells it, with the status of HTTP. */
export class ProtocolError extends Error {
  readonly code: number;

  constructor(
    kind: keyof typeof CODES,
    message: string,
    readonly status = 400,
    readonly data?: object,
  ) {
    super(message);
    this.code = CODES[kind];
  }
}

export type Members = Readonly<Record<string, unknown>>;

/** A message of a client. Without an id nobody waits for an answer. */
export interface Message {
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Members;
}

export interface Headers {
  get(name: string): string | null;
}

/** A message, if the value is one. Answers of a client, which asks for nothing, have no method. */
export function messageIn(value: unknown): Message {
  if (!isMembers(value) || value.jsonrpc !== "2.0")
    throw new ProtocolError("request", "Expected a JSON-RPC message with `jsonrpc`: `2.0`.");
  const { id, method = "", params = {} } = value;
  const isAnswer = method === "" && ("result" in value || "error" in value);
  if (isAnswer) return { id: undefined, method: "", params: {} };
  if (typeof method !== "string" || method === "")
    throw new ProtocolError("request", "Expected `method`, the name of a method.");
  if (id !== undefined && readId(value) === undefined)
    throw new ProtocolError("request", "Expected `id` to be a text or a whole number.");
  if (!isMembers(params)) throw new ProtocolError("params", "Expected `params` to be an object.");
  return { id: readId(value), method, params };
}

/** Returns the id of a message, even of one that is otherwise invalid; undefined if it has none that is valid. */
export function readId(value: unknown): Message["id"] {
  const id = isMembers(value) ? value.id : undefined;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as Message["id"]) : undefined;
}

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether several messages may come at once. */
export function takesBatch(headers: Headers): boolean {
  const named = headers.get("mcp-protocol-version") ?? UNNAMED;
  return EARLIER.includes(named) && named <= UNNAMED;
}

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
export const SERVER_KEY = "io.modelcontextprotocol/serverInfo";

/** Checks what a request says of its version, and gives whether it speaks the present one. */
export function checkVersion(message: Message, headers: Headers): boolean {
  const named = headers.get("mcp-protocol-version");
  const meta = isMembers(message.params._meta) ? message.params._meta : {};
  const claimed = meta[VERSION_KEY];
  if (claimed === undefined) {
    if (named === PRESENT && message.method === "initialize")
      throw new ProtocolError("headers", `\`initialize\` is not part of ${PRESENT}: see \`server/discover\`.`);
    if (named === PRESENT) throw new ProtocolError("params", `Expected \`_meta\` with \`${VERSION_KEY}\`.`);
    // A version that is asked for is negotiated, whatever the header says.
    if (named !== null && message.method !== "initialize") checkSpoken(named);
    return false;
  }
  if (typeof claimed !== "string" || !isMembers(meta[CAPABILITIES_KEY]))
    throw new ProtocolError("params", `Expected \`_meta\` with \`${VERSION_KEY}\` and \`${CAPABILITIES_KEY}\`.`);
  checkHeader("MCP-Protocol-Version", named, claimed);
  checkSpoken(claimed);
  if (claimed !== PRESENT) return false;
  checkHeader("Mcp-Method", headers.get("mcp-method"), message.method);
  const { name } = message.params;
  if (message.method === "tools/call" && typeof name === "string")
    checkHeader("Mcp-Name", decodedHeader(headers.get("mcp-name")), name);
  return true;
}

function checkSpoken(requested: string): void {
  if (VERSIONS.includes(requested)) return;
  throw new ProtocolError("version", "This version of the protocol is not spoken here: see `supported`.", 400, {
    supported: VERSIONS,
    requested,
  });
}

/** What stands before the server may look at the headers alone, so they say what the body says. */
function checkHeader(header: string, sent: string | null, body: string): void {
  if (sent?.trim() !== body)
    throw new ProtocolError("headers", `The header ${header} does not say what the body says.`);
}

/** The value of a header that may be sent as Base64 of UTF-8. */
function decodedHeader(sent: string | null): string | null {
  const encoded = sent?.trim().match(/^=\?base64\?([A-Za-z0-9+/=]*)\?=$/)?.[1];
  if (encoded === undefined) return sent;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(encoded), (sign) => sign.charCodeAt(0)));
  } catch {
    return null;
  }
}
