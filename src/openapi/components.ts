// What many operations of the OpenAPI document share: parameters, headers, and one response for each status of a failure.

import { listErrorReasons } from "../errors";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../execution/execute";
import { MAX_KEY_LENGTH } from "../execution/idempotency";
import type { Operation } from "../operation/operation";
import { omitUndefined } from "../utils/objects";

/** Part of a document. */
export type Part = Readonly<Record<string, unknown>>;

/** Parameters that a caller may add to many operations. */
export const parameters = {
  // Not `page`: generated clients have one name for a parameter and for a type.
  cursor: {
    name: "page",
    in: "query",
    description: "Where the page begins: `next.page` of the page before. Left out, it is the first one.",
    schema: { type: "string" },
  },
  limit: {
    name: "limit",
    in: "query",
    description: "How many items a page has at most.",
    schema: { type: "integer", minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  },
  idempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A word of your choice. The same request with the same key within 24 hours gets the first answer again and changes nothing.",
    schema: { type: "string", minLength: 1, maxLength: MAX_KEY_LENGTH },
  },
  ifMatch: {
    name: "If-Match",
    in: "header",
    description:
      "An `ETag` of the resource that the path names or stands under. When that has changed since, the answer is 412.",
    schema: { type: "string" },
  },
  ifNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The `ETag` of the answer that you have. While it is still the same, the answer is 304.",
    schema: { type: "string" },
  },
  range: {
    name: "Range",
    in: "header",
    description: "A part of the bytes, such as `bytes=0-1023`. Several ranges at once get all bytes.",
    schema: { type: "string" },
  },
  ifRange: {
    name: "If-Range",
    in: "header",
    description:
      "The `ETag` or the `Last-Modified` of the part that you have. When that has changed since, you get all bytes.",
    schema: { type: "string" },
  },
} as const;

/** Headers of answers. */
export const headers = {
  etag: { description: "Names this version of the resource.", schema: { type: "string" } },
  lastModified: {
    description: "When the bytes were last changed, as far as that is known.",
    schema: { type: "string" },
  },
  acceptRanges: { description: "Parts can be asked for.", schema: { type: "string", const: "bytes" } },
  contentRange: {
    description: "Which bytes these are, and how many there are in all.",
    schema: { type: "string", pattern: "^bytes ([0-9]+-[0-9]+|[*])/[0-9]+$" },
  },
  location: { description: "The URL of what was created.", schema: { type: "string", format: "uri" } },
  replayed: {
    description: "`true` when this is the answer to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
  },
  retryAfter: { description: "Seconds to wait before trying again.", schema: { type: "integer", minimum: 1 } },
  elsewhere: { description: "Where to go.", schema: { type: "string", format: "uri" } },
  wwwAuthenticate: {
    description:
      "How to say who you are; with what is wrong with the token that was sent: it is not known, or lacks a scope. On 403 only for the latter.",
    schema: { type: "string", pattern: '^Bearer( error="(invalid_token|insufficient_scope)"(, scope="[a-z:-]+")?)?$' },
  },
} as const;

/** Named schemas that belong to no resource. */
export const sharedSchemas = {
  Error: {
    title: "Error",
    type: "object",
    properties: {
      error: {
        type: "object",
        properties: {
          code: { type: "integer", description: "The status of the response." },
          message: { type: "string", description: "One sentence that a person can act on." },
          reason: {
            type: "string",
            description: "The stable word for a program to act on.",
            enum: listErrorReasons().map(({ reason }) => reason),
          },
          issues: {
            type: "array",
            description: "What is wrong with which part of the request.",
            items: {
              type: "object",
              properties: {
                path: { type: "string", examples: ["body.title", "query.limit"] },
                message: { type: "string" },
              },
              required: ["path", "message"],
            },
          },
          requestId: { type: "string", description: "Finds the request in the logs; the header `X-Request-Id` too." },
        },
        required: ["code", "message", "reason", "requestId"],
      },
    },
    required: ["error"],
  },
  Next: {
    title: "Next",
    type: "object",
    properties: { page: { type: "string", description: "The query parameter `page` of the next page." } },
    required: ["page"],
  },
} as const;

interface Failure {
  readonly name: string;
  readonly meaning: string;
  readonly headers?: Part;
  /** Whether an operation can fail in this way. */
  readonly happensTo: (operation: Operation) => boolean;
}

const writes = ({ method }: Operation) => method !== "GET";
const readsBody = ({ method }: Operation) => method !== "GET" && method !== "DELETE";
const needsCaller = ({ spec }: Operation) => spec.on.open !== true;
/** Whether the target may be absent: when the path or the body names it. Other targets always exist, and have no reason
 * of their own. */
const mayBeAbsent = ({ params, spec }: Operation) => params.length > 0 || spec.on.absent !== "route_not_found";
const asksOthers = (operation: Operation) => readsBody(operation) || operation.spec.asksIntegration === true;
const usesOthers = ({ spec }: Operation) => spec.gather !== undefined || spec.asksIntegration === true;
const isCounted = ({ spec }: Operation) => spec.isProbe !== true;
const always = () => true;

const retryAfter = { "Retry-After": { $ref: "#/components/headers/retryAfter" } };
const wwwAuthenticate = { "WWW-Authenticate": { $ref: "#/components/headers/wwwAuthenticate" } };

/** The failures that an operation can answer with, by status. 405 is missing: it belongs to no operation. */
export const failures: Readonly<Record<number, Failure>> = {
  400: { name: "badRequest", meaning: "The request is malformed.", happensTo: always },
  401: {
    name: "unauthorized",
    meaning: "The caller is not known.",
    headers: wwwAuthenticate,
    happensTo: needsCaller,
  },
  403: {
    name: "forbidden",
    meaning: "The caller may not do this.",
    headers: wwwAuthenticate,
    happensTo: needsCaller,
  },
  404: { name: "notFound", meaning: "It is absent, or hidden from the caller.", happensTo: mayBeAbsent },
  408: { name: "bodyTooSlow", meaning: "The body took too long to arrive.", happensTo: writes },
  409: { name: "conflict", meaning: "Something else is in the way.", happensTo: always },
  412: { name: "preconditionFailed", meaning: "The state does not allow this.", happensTo: writes },
  413: { name: "bodyTooLarge", meaning: "The body is too large.", happensTo: writes },
  415: { name: "bodyNotJson", meaning: "The body is not JSON.", happensTo: readsBody },
  416: {
    name: "rangeNotSatisfiable",
    meaning: "The file has no bytes in this range.",
    headers: { "Content-Range": { $ref: "#/components/headers/contentRange" } },
    happensTo: ({ spec }) => spec.hasRanges === true,
  },
  422: {
    name: "unprocessable",
    meaning: "It is more than one step takes, or what another host has is of no use here.",
    happensTo: (operation) => writes(operation) || usesOthers(operation),
  },
  429: { name: "rateLimited", meaning: "Too many requests.", headers: retryAfter, happensTo: isCounted },
  502: { name: "badGateway", meaning: "Another host did not do its part.", happensTo: asksOthers },
  501: {
    name: "noModel",
    meaning: "This server has no model to ask.",
    happensTo: ({ spec }) => spec.asksModel === true,
  },
  500: { name: "internal", meaning: "Something went wrong here.", happensTo: always },
  503: {
    name: "unavailable",
    meaning: "The storage does not answer, or there is too much to do.",
    headers: retryAfter,
    happensTo: always,
  },
};

/** The responses that operations refer to. */
export function responses(): Part {
  const told = Object.values(failures).map(({ name, meaning, headers }) => {
    return [
      name,
      { description: meaning, ...omitUndefined({ headers }), content: json({ $ref: "#/components/schemas/Error" }) },
    ];
  });
  return {
    notModified: {
      description: "You have the current version.",
      headers: { ETag: { $ref: "#/components/headers/etag" } },
    },
    ...Object.fromEntries(told),
  };
}

/** A part of a list of such items, and what stands beside them. */
export function envelope(item: object, beside: readonly (readonly [name: string, schema: object])[]): Part {
  return {
    type: "object",
    properties: {
      next: { $ref: "#/components/schemas/Next" },
      count: { type: "integer", minimum: 0, description: "How many items the whole list has." },
      ...Object.fromEntries(beside),
      items: { type: "array", items: item },
    },
    required: ["count", ...beside.map(([name]) => name), "items"],
  };
}

/** Content that is bytes of these types. */
export function bytes(types: readonly string[] = ["*/*"]): Part {
  // In OpenAPI 3.1, raw bytes have a media type and no schema.
  return Object.fromEntries(types.map((type) => [type, {}]));
}

/** Content that is JSON of a schema. */
export function json(schema: object): Part {
  return { "application/json": { schema } };
}
