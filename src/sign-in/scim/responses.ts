// SCIM responses (RFC 7644): resources, lists and errors.

import type { PlainResponse } from "../../http/plain-request";
import { omitUndefined } from "../../utils/objects";

export const CORE_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0";
export const MESSAGE_SCHEMA = "urn:ietf:params:scim:api:messages:2.0";

/** The `scimType` of an error. */
type ScimErrorType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "tooMany"
  | "uniqueness";

export class ScimError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly scimType?: ScimErrorType,
  ) {
    super(message);
  }
}

/** Returns the error of a resource that doesn't exist or belongs to another organization. */
export function createNotFoundError(): ScimError {
  return new ScimError(404, "There is no such resource in this organization.");
}

export function createScimResponse(
  status: number,
  value?: unknown,
  headers: Record<string, string> = {},
): PlainResponse {
  const allHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers };
  if (value === undefined) return { status, headers: allHeaders, body: undefined };
  const contentType = { "content-type": "application/scim+json; charset=utf-8" };
  return { status, headers: { ...contentType, ...allHeaders }, body: JSON.stringify(value) };
}

export function createScimErrorResponse(
  { status, message, scimType }: ScimError,
  headers?: Record<string, string>,
): PlainResponse {
  const body = {
    schemas: [`${MESSAGE_SCHEMA}:Error`],
    status: String(status),
    detail: message,
    ...omitUndefined({ scimType }),
  };
  return createScimResponse(status, body, headers);
}

/** A section of a list. `startIndex` counts from 1. */
export interface ListRange {
  readonly startIndex: number;
  readonly count: number;
}

/** The limit of resources in a response, and their number if the request names none. */
export const MAX_COUNT = 200;
const DEFAULT_COUNT = 100;

/** Reads `startIndex` and `count` from a query. Numbers out of range are adjusted as RFC 7644 requires. */
export function parseListRange(query: URLSearchParams): ListRange {
  const readInteger = (name: string, defaultValue: number) => {
    const text = query.get(name);
    if (text === null) return defaultValue;
    if (!/^-?\d+$/.test(text)) throw new ScimError(400, `\`${name}\` must be a whole number.`, "invalidValue");
    return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  };
  return {
    startIndex: Math.max(1, readInteger("startIndex", 1)),
    count: Math.min(MAX_COUNT, Math.max(0, readInteger("count", DEFAULT_COUNT))),
  };
}

/** Responds with a list of resources. Default: a complete list. */
export function createListResponse(
  resources: readonly object[],
  totalResults = resources.length,
  startIndex = 1,
): PlainResponse {
  return createScimResponse(200, {
    schemas: [`${MESSAGE_SCHEMA}:ListResponse`],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  });
}
