// Asks the API for an operation, as whoever sent a request. It takes the road of every other request, so that a tool can
// reach nothing that its caller cannot reach without it.

import { CallError } from "../../client/call-error";
import { locationOf, routeOf } from "../../client/route";
import { DocsError, type Issue } from "../../errors";
import type { Reason } from "../../generated/reasons";
import { parseJson } from "../../http/json-body";
import type { PlainRequest, PlainResponse } from "../../http/plain";
import type { OperationInput, OperationName, OperationOutput } from "../../operations";
import { omitUndefined } from "../../utils/objects";

/** What the API answered. */
export interface Answer<Value> {
  readonly value: Value;
  /** The version of what was read, for a later `ifMatch`. */
  readonly etag: string | undefined;
}

/** Asks for an operation by its name. Throws what the API refuses with, as a `DocsError`. */
export type Ask<Names extends OperationName> = <Name extends Names>(
  name: Name,
  input: OperationInput<Name>,
  ifMatch?: string,
) => Promise<Answer<OperationOutput<Name>>>;

/** What was said of the request to the tool, and not of the question. */
const OWN = new Set([
  ...["accept", "content-encoding", "content-length", "content-type", "transfer-encoding"],
  ...["idempotency-key", "if-match", "if-none-match", "range"],
]);

export function createAsk(
  handle: (request: PlainRequest) => Promise<PlainResponse>,
  basePath: string,
  { headers, address }: PlainRequest,
): Ask<OperationName> {
  return async (name, input, ifMatch) => {
    const { method, location, body } = written(name, input);
    const own = new Map(ifMatch === undefined ? [] : [["if-match", ifMatch]]);
    if (body) own.set("content-type", "application/json");
    const response = await handle({
      method,
      url: `${basePath}/v1${location}`,
      headers: {
        get: (name) => own.get(name.toLowerCase()) ?? (OWN.has(name.toLowerCase()) ? null : headers.get(name)),
      },
      body: async () => body ?? new Uint8Array(),
      address,
    });
    const value = typeof response.body === "string" ? await parseJson(response.body) : undefined;
    if (response.status >= 400) throw refusalIn(value);
    return { value: value as never, etag: response.headers.etag };
  };
}

/** A question as a request. An id that can be part of no path is refused as the API refuses input. */
function written(name: OperationName, input: object) {
  try {
    const route = routeOf(name);
    const { body } = input as { readonly body?: unknown };
    return {
      method: route.method,
      location: locationOf(route, input),
      body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
    };
  } catch (error) {
    if (error instanceof CallError) throw new DocsError("invalid_request", { issues: error.issues, cause: error });
    throw error;
  }
}

function refusalIn(value: unknown): DocsError {
  const { reason, message, issues } = (value as { readonly error: Told }).error;
  return new DocsError(reason, { message, ...omitUndefined({ issues }) });
}

/** The one error shape of the API. */
interface Told {
  readonly reason: Reason;
  readonly message: string;
  readonly issues?: readonly Issue[];
}
