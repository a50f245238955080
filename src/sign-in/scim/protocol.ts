// An authenticated SCIM request (RFC 7644), and the responses to it: resources with the requested attributes, lists and errors.

import type { AuditedChange, RequestSource } from "../../audit/event";
import type { PlainResponse } from "../../http/plain-request";
import { recordAuditEvent } from "../../resources/people/audit/record-event";
import type { OrganizationRecord } from "../../resources/people/organizations/records";
import type { PartitionRef } from "../../storage/ids";
import type { Transaction } from "../../storage/transaction";
import { omitUndefined } from "../../utils/objects";
import type { SignInContext } from "../context";

export const CORE_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0";
export const MESSAGE_SCHEMA = "urn:ietf:params:scim:api:messages:2.0";

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
interface ListRange {
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

export interface ScimRequest {
  readonly context: SignInContext;
  readonly organization: OrganizationRecord;
  readonly place: PartitionRef;
  readonly tokenId: string;
  readonly source: RequestSource;
  /** The id in the path, or an empty text. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The body of a POST, PUT or PATCH. */
  readonly body: unknown;
}

export function getResourceUrl(
  { context, organization }: Pick<ScimRequest, "context" | "organization">,
  path: string,
): string {
  return context.getUrl(`/scim/v2/${organization.id}/${path}`);
}

const ALWAYS_RETURNED = ["schemas", "id", "meta"];

/** Reads a list of attributes from the query, in lower case: `name`, or a sub-attribute such as `name.givenname`. */
function readAttributeNames(query: URLSearchParams, parameter: "attributes" | "excludedAttributes"): string[] {
  return (query.get(parameter) ?? "")
    .split(/[\s,]+/)
    .filter((name) => name !== "")
    .map((name) => stripCoreSchema(name).toLowerCase());
}

/** Checks whether an attribute, or a sub-attribute of it, is requested. */
export function isRequestedAttribute({ query }: Pick<ScimRequest, "query">, attribute: string): boolean {
  if (ALWAYS_RETURNED.includes(attribute)) return true;
  const name = attribute.toLowerCase();
  const included = readAttributeNames(query, "attributes");
  const isIncluded = included.length === 0 || included.some((it) => it === name || it.startsWith(`${name}.`));
  return isIncluded && !readAttributeNames(query, "excludedAttributes").includes(name);
}

export function selectAttributes(request: Pick<ScimRequest, "query">, resource: object): object {
  const included = readAttributeNames(request.query, "attributes");
  const excluded = readAttributeNames(request.query, "excludedAttributes");
  const selected: Record<string, unknown> = {};
  for (const [attribute, value] of Object.entries(resource)) {
    if (!isRequestedAttribute(request, attribute)) continue;
    const name = attribute.toLowerCase();
    const isCompleteRequested = included.length === 0 || included.includes(name);
    const isRequestedSubAttribute = (subAttribute: string) => {
      const path = `${name}.${subAttribute.toLowerCase()}`;
      return (isCompleteRequested || included.includes(path)) && !excluded.includes(path);
    };
    const selectedValue = ALWAYS_RETURNED.includes(attribute)
      ? value
      : selectSubAttributes(value, isRequestedSubAttribute);
    if (selectedValue !== undefined) selected[attribute] = selectedValue;
  }
  return selected;
}

/** Returns the selected sub-attributes of a value, or of each value of a list. An object without any becomes undefined. */
function selectSubAttributes(value: unknown, isSelected: (subAttribute: string) => boolean): unknown {
  if (Array.isArray(value))
    return value.map((it) => selectSubAttributes(it, isSelected)).filter((it) => it !== undefined);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([subAttribute]) => isSelected(subAttribute));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Records in the audit log that the directory changed a member or a team, in the same commit. */
export function recordProvisioning(
  { context, place, tokenId, source }: ScimRequest,
  tx: Transaction,
  action: `${"member" | "team"}${"Provisioned" | "Deprovisioned"}`,
  thing: { readonly type: "user" | "team"; readonly id: string },
  changes: readonly AuditedChange[] = [],
): void {
  recordAuditEvent(context.kernel.jobs, tx, place, {
    action,
    actor: { type: "system" },
    credential: { type: "scim-token", id: tokenId },
    from: source,
    things: [thing],
    changes,
  });
}

/** Returns the name of an attribute without the URN of a core schema in front of it. */
export function stripCoreSchema(name: string): string {
  return name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(User|Group):/i, "");
}
