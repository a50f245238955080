// Calls the API with the credentials of a page's request, so that access is decided in one place.

import type { PlainRequest, PlainResponse } from "../http/plain-request";
import { omitUndefined } from "../utils/objects";

export interface ApiCallResult {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each page knows the schema of the response that it requests.
  readonly body: any;
}

/** Calls an operation without a body. `route` is a method and a path below the version, such as `GET /user`. */
export type AuthenticatedApiCall = (request: PlainRequest, route: string) => Promise<ApiCallResult>;

/** Headers that describe the page's request and don't apply to the call of the API. */
const PAGE_HEADERS = new Set([
  "content-length",
  "content-type",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "range",
]);

export function createCallApi(
  handle: (request: PlainRequest) => Promise<PlainResponse>,
  basePath: string,
): AuthenticatedApiCall {
  return async ({ headers, headerPairs, address }, route) => {
    const [method = "", path = ""] = route.split(" ");
    const response = await handle({
      method,
      url: `${basePath}/v1${path}`,
      headers: { get: (name) => (PAGE_HEADERS.has(name.toLowerCase()) ? null : headers.get(name)) },
      ...omitUndefined({ headerPairs }),
      body: async () => new Uint8Array(),
      address,
    });
    const { status, body } = response;
    return { status, body: typeof body === "string" && body !== "" ? JSON.parse(body) : undefined };
  };
}

export interface CurrentUser {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
}

/** Returns the user whom the API authenticates by a request, or undefined if it's anonymous. */
export async function findCurrentUser(
  callApi: AuthenticatedApiCall,
  request: PlainRequest,
): Promise<CurrentUser | undefined> {
  const { status, body } = await callApi(request, "GET /user");
  return status === 200 ? body : undefined;
}
