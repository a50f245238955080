// The components that many operations of the OpenAPI document share: parameters, headers, and one response for each status
// of a failure.

import { listErrorReasons } from "../errors";
import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT } from "../execution/call";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../execution/idempotency";
import type { Operation } from "../operation/operation";
import { omitUndefined } from "../utils/objects";

export type OpenApiNode = Readonly<Record<string, unknown>>;

/** Parameters that a caller may add to many operations. */
export const sharedParameters = {
  // The key is not `page`, because generated clients use one name for a parameter and for a type.
  cursor: {
    name: "page",
    in: "query",
    description: "The cursor of the page: `next.page` of the previous page. Omit it for the first page.",
    schema: { type: "string" },
  },
  limit: {
    name: "limit",
    in: "query",
    description: "The maximum number of items per page.",
    schema: { type: "integer", minimum: 1, maximum: MAX_PAGE_LIMIT, default: DEFAULT_PAGE_LIMIT },
  },
  idempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A unique key that you choose. Repeating a request with the same key within 24 hours returns the first response and changes nothing.",
    schema: { type: "string", minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
  },
  ifMatch: {
    name: "If-Match",
    in: "header",
    description:
      "The `ETag` of the resource in the path or of its parent. Returns 412 if the resource has changed since. For a " +
      "download, the `ETag` of the file.",
    schema: { type: "string" },
  },
  ifNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of your cached response. Returns 304 if it is still current.",
    schema: { type: "string" },
  },
  range: {
    name: "Range",
    in: "header",
    description: "A byte range, such as `bytes=0-1023`. A request for multiple ranges returns the full content.",
    schema: { type: "string" },
  },
  ifRange: {
    name: "If-Range",
    in: "header",
    description:
      "The `ETag` or `Last-Modified` value of the part that you have. Returns the full content if it has changed since.",
    schema: { type: "string" },
  },
} as const;

export const sharedHeaders = {
  etag: { description: "Identifies the current version of the resource.", schema: { type: "string" } },
  lastModified: {
    description: "The time of the last change, if known.",
    schema: { type: "string" },
  },
  acceptRanges: {
    description: "Indicates that byte range requests are supported.",
    schema: { type: "string", const: "bytes" },
  },
  contentRange: {
    description: "The returned byte range and the total number of bytes.",
    schema: { type: "string", pattern: "^bytes ([0-9]+-[0-9]+|[*])/[0-9]+$" },
  },
  location: { description: "The URL of the created resource.", schema: { type: "string", format: "uri" } },
  replayed: {
    description: "`true` if this is the response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
  },
  retryAfter: {
    description: "The number of seconds to wait before retrying.",
    schema: { type: "integer", minimum: 1 },
  },
  elsewhere: { description: "The URL to redirect to.", schema: { type: "string", format: "uri" } },
  wwwAuthenticate: {
    description:
      "The authentication scheme, with the error if a token was sent: it is invalid, or lacks a scope. On 403, sent only if a scope is missing.",
    schema: { type: "string", pattern: '^Bearer( error="(invalid_token|insufficient_scope)"(, scope="[a-z:-]+")?)?$' },
  },
} as const;

/** Named schemas that belong to no single resource. */
export const sharedSchemas = {
  Error: {
    title: "Error",
    type: "object",
    properties: {
      error: {
        type: "object",
        properties: {
          code: { type: "integer", description: "The HTTP status code of the response." },
          message: { type: "string", description: "A human-readable error message of one sentence." },
          reason: {
            type: "string",
            description: "A stable, machine-readable error code.",
            enum: listErrorReasons().map(({ reason }) => reason),
          },
          issues: {
            type: "array",
            description: "The validation errors, one for each invalid part of the request.",
            items: {
              type: "object",
              properties: {
                path: { type: "string", examples: ["body.title", "query.limit"] },
                message: { type: "string" },
              },
              required: ["path", "message"],
            },
          },
          requestId: {
            type: "string",
            description: "The ID of the request in the logs. Also sent in the `X-Request-Id` header.",
          },
        },
        required: ["code", "message", "reason", "requestId"],
      },
    },
    required: ["error"],
  },
  Next: {
    title: "Next",
    type: "object",
    properties: { page: { type: "string", description: "The value of the `page` query parameter for the next page." } },
    required: ["page"],
  },
} as const;

interface FailureResponse {
  readonly name: string;
  readonly description: string;
  readonly headers?: OpenApiNode;
  /** Returns true if an operation can fail in this way. Default: every operation can. */
  readonly appliesTo?: (operation: Operation) => boolean;
}

const retryAfterHeaders = { "Retry-After": { $ref: "#/components/headers/retryAfter" } };
const wwwAuthenticateHeaders = { "WWW-Authenticate": { $ref: "#/components/headers/wwwAuthenticate" } };

/** The failures that an operation can answer with, by status. 405 is missing: it belongs to no operation. */
export const failuresByStatus: Readonly<Record<number, FailureResponse>> = {
  400: { name: "badRequest", description: "The request is invalid." },
  401: {
    name: "unauthorized",
    description: "The request has no valid credentials.",
    headers: wwwAuthenticateHeaders,
    appliesTo: ({ spec }) => spec.target.allowsAnonymous !== true,
  },
  403: {
    name: "forbidden",
    description: "The caller doesn't have the required role or scope.",
    headers: wwwAuthenticateHeaders,
    appliesTo: ({ spec }) => spec.target.allowsAnonymous !== true,
  },
  404: {
    name: "notFound",
    description: "The resource doesn't exist, or the caller can't view it.",
    // A target that neither the path nor the body names always exists, so it has no reason for a 404.
    appliesTo: ({ params, spec }) => params.length > 0 || spec.target.notFoundReason !== "route_not_found",
  },
  408: {
    name: "bodyTooSlow",
    description: "The body took too long to arrive.",
    appliesTo: ({ method }) => method !== "GET",
  },
  409: { name: "conflict", description: "The request conflicts with the current state of another resource." },
  412: {
    name: "preconditionFailed",
    description: "The current state of the resource doesn't allow this action.",
    appliesTo: ({ method, spec }) => method !== "GET" || spec.supportsRanges === true,
  },
  413: {
    name: "bodyTooLarge",
    description: "The body exceeds the size limit.",
    appliesTo: ({ method }) => method !== "GET",
  },
  415: {
    name: "bodyNotJson",
    description: "The body is not JSON.",
    appliesTo: ({ method }) => method !== "GET" && method !== "DELETE",
  },
  416: {
    name: "rangeNotSatisfiable",
    description: "The file has no bytes in this range.",
    headers: { "Content-Range": { $ref: "#/components/headers/contentRange" } },
    appliesTo: ({ spec }) => spec.supportsRanges === true,
  },
  422: {
    name: "unprocessable",
    description: "The request is too large for a single step, or a remote host returned unusable content.",
    appliesTo: ({ method, spec }) => method !== "GET" || spec.gather !== undefined || spec.callsIntegration === true,
  },
  429: {
    name: "rateLimited",
    description: "Too many requests.",
    headers: retryAfterHeaders,
    appliesTo: ({ spec }) => spec.isProbe !== true,
  },
  500: { name: "internal", description: "Internal error." },
  501: {
    name: "noModel",
    description: "This server has no language model.",
    appliesTo: ({ spec }) => spec.callsModel === true,
  },
  502: {
    name: "badGateway",
    description: "A remote host couldn't be reached or returned an invalid response.",
    appliesTo: ({ method, spec }) => (method !== "GET" && method !== "DELETE") || spec.callsIntegration === true,
  },
  503: {
    name: "unavailable",
    description: "The storage is unavailable, or the server is overloaded.",
    headers: retryAfterHeaders,
  },
};

export const sharedResponses: OpenApiNode = {
  notModified: {
    description: "Not modified. Your cached copy is current.",
    headers: { ETag: { $ref: "#/components/headers/etag" } },
  },
  ...Object.fromEntries(
    Object.values(failuresByStatus).map(({ name, description, headers }) => [
      name,
      {
        description,
        ...omitUndefined({ headers }),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  ),
};
