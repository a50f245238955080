// Checks what `call` is given. TypeScript finds most mistakes; in JavaScript each one is a DocsError that names the field.

import { createValidationError, DocsError } from "../errors";
import type { RawInput, RegisteredOperation } from "../execution/kernel";
import { checkJsonLimits } from "../operation/validate";
import { suggestName } from "../utils/suggest";

const PARTS = ["params", "query", "body"];

/** The input of an operation, and the user on whose behalf it runs. */
export function checkCall(
  table: ReadonlyMap<string, RegisteredOperation>,
  name: unknown,
  input: unknown,
  as: unknown,
): { readonly raw: RawInput; readonly user: string } {
  const named = table.get(String(name));
  if (!named) {
    const message = `There is no operation \`${String(name)}\`.${suggestName(String(name), table.keys())}`;
    throw new DocsError("route_not_found", { issues: [{ path: "name", message }] });
  }
  const given = members(input ?? {}, "input", PARTS);
  const params = members(given.params ?? {}, "params", named.operation.params);
  for (const param of named.operation.params) {
    if (params[param] === undefined) throw createValidationError(`params.${param}`, "This member is required.");
    if (typeof params[param] !== "string") throw createValidationError(`params.${param}`, "Expected text");
  }
  const query = members(given.query ?? {}, "query");
  checkJsonLimits(given.body, "body");
  const { user } = members(as ?? {}, "as", ["user"]);
  if (user === undefined) throw createValidationError("as.user", "This member is required: the id of a user");
  if (typeof user !== "string") throw createValidationError("as.user", "Expected the id of a user");
  return { raw: { params: params as Record<string, string>, query, body: given.body }, user };
}

/** An object, if it has no others than the members that are known. */
function members(value: unknown, at: string, known?: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw createValidationError(at, "Expected an object");
  const unknown = known && Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return value as Readonly<Record<string, unknown>>;
  throw createValidationError(
    at === "input" ? unknown : `${at}.${unknown}`,
    `This member is not known here.${suggestName(unknown, known!)}`,
  );
}
