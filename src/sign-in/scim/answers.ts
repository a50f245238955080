// Answers of SCIM (RFC 7644): its media type, its lists and its errors.

import type { PlainResponse } from "../../http/plain-request";
import { omitUndefined } from "../../utils/objects";

export const CORE = "urn:ietf:params:scim:schemas:core:2.0";
export const MESSAGE = "urn:ietf:params:scim:api:messages:2.0";

/** The words of RFC 7644 for what is wrong. */
type ScimType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "tooMany"
  | "uniqueness";

/** A request that is refused. */
export class ScimError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly scimType?: ScimType,
  ) {
    super(message);
  }
}

/** Something that is absent, or belongs to another organization. */
export function absent(): ScimError {
  return new ScimError(404, "There is no such resource in this organization.");
}

export function answer(status: number, value?: unknown, headers: Record<string, string> = {}): PlainResponse {
  const told = { "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers };
  if (value === undefined) return { status, headers: told, body: undefined };
  const type = { "content-type": "application/scim+json; charset=utf-8" };
  return { status, headers: { ...type, ...told }, body: JSON.stringify(value) };
}

export function errorAnswer({ status, message, scimType }: ScimError, headers?: Record<string, string>): PlainResponse {
  const told = { schemas: [`${MESSAGE}:Error`], status: String(status), detail: message };
  return answer(status, { ...told, ...omitUndefined({ scimType: scimType ? scimType : undefined }) }, headers);
}

/** A part of a list. Places in a list are counted from 1. */
export interface Window {
  readonly startIndex: number;
  readonly count: number;
}

/** The most resources of one answer, and how many there are where nothing is said. */
export const MAX_COUNT = 200;
const DEFAULT_COUNT = 100;

/** Returns the window that a query asks for. Numbers out of range are read as RFC 7644 says. */
export function windowIn(query: URLSearchParams): Window {
  const number = (name: string, otherwise: number) => {
    const given = query.get(name);
    if (given === null) return otherwise;
    if (!/^-?\d+$/.test(given)) throw new ScimError(400, `\`${name}\` must be a whole number.`, "invalidValue");
    return Math.min(Number(given), Number.MAX_SAFE_INTEGER);
  };
  return {
    startIndex: Math.max(1, number("startIndex", 1)),
    count: Math.min(MAX_COUNT, Math.max(0, number("count", DEFAULT_COUNT))),
  };
}

export function listAnswer(resources: readonly object[], totalResults: number, { startIndex }: Window): PlainResponse {
  return answer(200, {
    schemas: [`${MESSAGE}:ListResponse`],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  });
}
