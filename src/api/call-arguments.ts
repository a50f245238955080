// Validates the arguments of `api.call`, because not every host uses TypeScript.

import { createValidationError, DocsError } from "../errors";
import type { RawInput, RegisteredOperation } from "../execution/kernel";
import { checkJsonLimits } from "../operation/validate";
import { suggestName } from "../utils/suggest";

const INPUT_MEMBERS = ["params", "query", "body"];

/** Checks the arguments of `api.call`. TypeScript finds most mistakes; JavaScript gets a `DocsError`. */
export function checkCallArguments(
  operations: ReadonlyMap<string, RegisteredOperation>,
  name: unknown,
  input: unknown,
  as: unknown,
): { readonly operation: RegisteredOperation; readonly input: RawInput; readonly userId: string } {
  const operation = operations.get(String(name));
  if (!operation) {
    const message = `There is no operation \`${String(name)}\`.${suggestName(String(name), operations.keys())}`;
    throw new DocsError("route_not_found", { issues: [{ path: "name", message }] });
  }

  const members = checkMembers(input ?? {}, "input", INPUT_MEMBERS);
  const params = checkMembers(members.params ?? {}, "params", operation.definition.params);
  for (const param of operation.definition.params) {
    if (params[param] === undefined) throw createValidationError(`params.${param}`, "This field is required.");
    if (typeof params[param] !== "string") throw createValidationError(`params.${param}`, "Expected text");
  }
  const query = checkMembers(members.query ?? {}, "query");
  checkJsonLimits(members.body, "body");

  const { user } = checkMembers(as ?? {}, "as", ["user"]);
  if (user === undefined) throw createValidationError("as.user", "This field is required: a user ID");
  if (typeof user !== "string") throw createValidationError("as.user", "Expected a user ID");
  return {
    operation,
    input: { params: params as Record<string, string>, query, body: members.body },
    userId: user,
  };
}

/** Returns the value if it is an object that has no other members than the known ones. */
function checkMembers(value: unknown, path: string, known?: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw createValidationError(path, "Expected an object");
  const unknown = known && Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return value as Readonly<Record<string, unknown>>;
  throw createValidationError(
    path === "input" ? unknown : `${path}.${unknown}`,
    `Unknown field.${suggestName(unknown, known!)}`,
  );
}
