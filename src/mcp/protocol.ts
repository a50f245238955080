// The messages of the Model Context Protocol over HTTP: JSON-RPC, the supported versions, and what each version requires of a
// request. No version keeps state between two requests.

import type { PlainRequest } from "../http/plain-request";
import { isJsonObject } from "../utils/objects";

/** The version in which every request states its version. */
export const CURRENT_VERSION = "2026-07-28";

/** The versions that begin with `initialize`, the newest first. They work without a session as well. */
export const HANDSHAKE_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

export const SUPPORTED_VERSIONS: readonly string[] = [CURRENT_VERSION, ...HANDSHAKE_VERSIONS];

/** The version of a request that names none. It is the last version with batches. */
export const DEFAULT_VERSION = "2025-03-26";

const ERROR_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** An error of JSON-RPC with its HTTP status. */
export class ProtocolError extends Error {
  readonly code: number;

  constructor(
    kind: keyof typeof ERROR_CODES,
    message: string,
    readonly status = 400,
    readonly data?: object,
  ) {
    super(message);
    this.code = ERROR_CODES[kind];
  }
}

/** A message of a client. A message without an id gets no reply. */
export interface RpcMessage {
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Parses a message. A client's reply to a request becomes a message without a method, because this server requests nothing. */
export function parseRpcMessage(value: unknown): RpcMessage {
  if (!isJsonObject(value) || value.jsonrpc !== "2.0")
    throw new ProtocolError("invalidRequest", "Expected a JSON-RPC message with `jsonrpc`: `2.0`.");
  const { id, method = "", params = {} } = value;
  const isReply = method === "" && ("result" in value || "error" in value);
  if (isReply) return { id: undefined, method: "", params: {} };
  if (typeof method !== "string" || method === "")
    throw new ProtocolError("invalidRequest", "Expected `method`, the name of a method.");
  if (id !== undefined && readMessageId(value) === undefined)
    throw new ProtocolError("invalidRequest", "Expected `id` to be a text or a whole number.");
  if (!isJsonObject(params)) throw new ProtocolError("invalidParams", "Expected `params` to be an object.");
  return { id: readMessageId(value), method, params };
}

/** Returns the id of a message, even of an invalid one; undefined if the message has no valid id. */
export function readMessageId(value: unknown): RpcMessage["id"] {
  const id = isJsonObject(value) ? value.id : undefined;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as RpcMessage["id"]) : undefined;
}

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
export const SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";

/**
 * Returns true if a request is of the current version, false if it is of one with a handshake. Throws a `ProtocolError` if
 * its version is not supported, or if its headers contradict its body.
 */
export function isCurrentVersion(message: RpcMessage, headers: PlainRequest["headers"]): boolean {
  const headerVersion = headers.get("mcp-protocol-version");
  const meta = isJsonObject(message.params._meta) ? message.params._meta : {};
  const bodyVersion = meta[VERSION_KEY];
  let requested: string | null;
  if (bodyVersion === undefined) {
    if (headerVersion === CURRENT_VERSION && message.method === "initialize")
      throw new ProtocolError(
        "headerMismatch",
        `\`initialize\` is not part of ${CURRENT_VERSION}: see \`server/discover\`.`,
      );
    if (headerVersion === CURRENT_VERSION)
      throw new ProtocolError("invalidParams", `Expected \`_meta\` with \`${VERSION_KEY}\`.`);
    // `initialize` negotiates the version, whatever its header says.
    requested = message.method === "initialize" ? null : headerVersion;
  } else {
    if (typeof bodyVersion !== "string" || !isJsonObject(meta[CAPABILITIES_KEY])) {
      const expected = `\`_meta\` with \`${VERSION_KEY}\` and \`${CAPABILITIES_KEY}\``;
      throw new ProtocolError("invalidParams", `Expected ${expected}.`);
    }
    checkHeader("MCP-Protocol-Version", headerVersion, bodyVersion);
    requested = bodyVersion;
  }
  if (requested !== null && !SUPPORTED_VERSIONS.includes(requested)) {
    const message = "This version of the protocol is not spoken here: see `supported`.";
    throw new ProtocolError("unsupportedVersion", message, 400, { supported: SUPPORTED_VERSIONS, requested });
  }
  if (bodyVersion !== CURRENT_VERSION) return false;

  checkHeader("Mcp-Method", headers.get("mcp-method"), message.method);
  const { name } = message.params;
  if (message.method === "tools/call" && typeof name === "string") {
    // The header may be sent as Base64 of UTF-8.
    let nameHeader = headers.get("mcp-name");
    const encoded = nameHeader?.trim().match(/^=\?base64\?([A-Za-z0-9+/=]*)\?=$/)?.[1];
    try {
      if (encoded !== undefined)
        nameHeader = new TextDecoder().decode(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
    } catch {
      nameHeader = null;
    }
    checkHeader("Mcp-Name", nameHeader, name);
  }
  return true;
}

/** Checks that a header equals the body. A gateway may route by the headers alone. */
function checkHeader(header: string, headerValue: string | null, bodyValue: string): void {
  if (headerValue?.trim() !== bodyValue)
    throw new ProtocolError("headerMismatch", `The header ${header} does not say what the body says.`);
}
