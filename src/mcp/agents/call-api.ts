// Calls operations of the API as the sender of a request to a tool. Such a call takes the same path as every other request, so
// a tool can reach nothing that its caller cannot reach without it.

import { CallError } from "../../client/call-error";
import { buildPath, type ClientRoute, findRoute } from "../../client/route";
import { DocsError } from "../../errors";
import { parseJson } from "../../http/json-body";
import type { PlainRequest, PlainResponse } from "../../http/plain-request";
import type { OperationInput, OperationName, OperationOutput } from "../../operations";
import { omitUndefined } from "../../utils/objects";

export interface ApiResponse<Value> {
  readonly value: Value;
  /** The version of the resource, for `ifMatch` of a later call. */
  readonly etag: string | undefined;
}

/** Calls an operation by its name. Throws the refusal of the API as a `DocsError`. */
export type CallApi<Names extends OperationName> = <Name extends Names>(
  name: Name,
  input: OperationInput<Name>,
  ifMatch?: string,
) => Promise<ApiResponse<OperationOutput<Name>>>;

/** Headers that are about the request to the tool, and not about the calls that it makes. */
const OMITTED_HEADERS = new Set([
  ...["accept", "content-encoding", "content-length", "content-type", "transfer-encoding"],
  ...["idempotency-key", "if-match", "if-none-match", "range"],
]);

export function createApiCaller(
  handle: (request: PlainRequest) => Promise<PlainResponse>,
  basePath: string,
  { headers, address }: PlainRequest,
): CallApi<OperationName> {
  return async (name, input, ifMatch) => {
    let route: ClientRoute;
    let path: string;
    try {
      route = findRoute(name);
      path = buildPath(route, input);
    } catch (error) {
      // An id that cannot be part of a path is refused as the API refuses invalid input.
      if (error instanceof CallError) throw new DocsError("invalid_request", { issues: error.issues, cause: error });
      throw error;
    }

    const { body: json } = input as { readonly body?: unknown };
    const body = json === undefined ? undefined : new TextEncoder().encode(JSON.stringify(json));
    const ownHeaders = new Map<string, string>();
    if (ifMatch !== undefined) ownHeaders.set("if-match", ifMatch);
    if (body) ownHeaders.set("content-type", "application/json");
    const response = await handle({
      method: route.method,
      url: `${basePath}/v1${path}`,
      headers: {
        get(header) {
          const key = header.toLowerCase();
          return ownHeaders.get(key) ?? (OMITTED_HEADERS.has(key) ? null : headers.get(header));
        },
      },
      body: async () => body ?? new Uint8Array(),
      address,
    });

    const value = typeof response.body === "string" ? await parseJson(response.body) : undefined;
    if (response.status >= 400) {
      const { error } = value as { readonly error: Pick<DocsError, "reason" | "message" | "issues"> };
      throw new DocsError(error.reason, { message: error.message, ...omitUndefined({ issues: error.issues }) });
    }
    return { value: value as never, etag: response.headers.etag };
  };
}

/** Resolves to undefined if the caller may not do this, so that a tool can leave out what the caller may not read. */
export async function ignoreForbidden<Value>(call: Promise<Value>): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DocsError && error.status === 403) return undefined;
    throw error;
  }
}

const MAX_WRITE_ATTEMPTS = 5;

/** Runs work that reads a resource and then writes with `ifMatch`. Runs it again if another writer was faster. */
export async function retryOnConflict<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = error instanceof DocsError && error.reason === "precondition_failed";
      if (!isConflict || attempt === MAX_WRITE_ATTEMPTS) throw error;
    }
  }
}
