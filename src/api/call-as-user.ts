// Runs operations on behalf of a user, without HTTP: for `api.call`, and for the library itself.

import { createValidationError, DocsError } from "../errors";
import { execute } from "../execution/execute";
import type { Kernel, RawInput, RegisteredOperation, RequestConditions } from "../execution/kernel";
import { toDocsError } from "../http/handler";
import type { ReportRequest, RequestTrace } from "../http/request-report";
import { getHostCredentials } from "../operation/actor";
import { checkJsonLimits } from "../operation/validate";
import { users } from "../resources/people/users/records";
import { DIRECTORY } from "../storage/ids";
import { suggestName } from "../utils/suggest";

/** Runs an operation and returns its value. Throws a `DocsError` of any kind of failure. */
export type CallAsUser = (
  operation: RegisteredOperation,
  input: RawInput,
  userId: string,
  conditions?: RequestConditions,
) => Promise<unknown>;

/** Creates the function that runs operations. Each call is reported to the host, as requests are. */
export function createCallAsUser(kernel: Kernel, reportRequest: ReportRequest | undefined): CallAsUser {
  return async (operation, input, userId, conditions = {}) => {
    const trace: RequestTrace | undefined = reportRequest && {
      since: performance.now(),
      operation,
      params: input.params,
    };
    let status = 500;
    try {
      const directory = await kernel.store.read(DIRECTORY);
      const user = await users.get(directory, userId);
      if (!user || user.erasedAt !== undefined) {
        const message = "There is no such user: `provision` makes one and says their id";
        throw new DocsError("user_not_found", { issues: [{ path: "as.user", message }] });
      }
      if (user.disabledAt !== undefined) throw new DocsError("user_disabled");

      const actor = { user, scopes: null, expiresAt: null, credentials: getHostCredentials(user.id, null) };
      if (trace) trace.actor = actor;
      const result = await execute(kernel, operation, input, { actor, directory }, conditions);
      if (trace) trace.result = result;
      status = result.status;
      return result.value;
    } catch (error) {
      const docsError = toDocsError(error);
      if (trace) trace.reason = docsError.reason;
      status = docsError.status;
      throw docsError;
    } finally {
      // A call has no request id and no bodies.
      const { method } = operation.definition;
      if (trace) reportRequest!(trace, { method, status, requestId: undefined, received: undefined, sent: undefined });
    }
  };
}

const INPUT_MEMBERS = ["params", "query", "body"];

/**
 * Checks the arguments of `api.call`. TypeScript finds most mistakes. In JavaScript each one is a `DocsError` that names the
 * argument.
 */
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
    if (params[param] === undefined) throw createValidationError(`params.${param}`, "This member is required.");
    if (typeof params[param] !== "string") throw createValidationError(`params.${param}`, "Expected text");
  }
  const query = checkMembers(members.query ?? {}, "query");
  checkJsonLimits(members.body, "body");

  const { user } = checkMembers(as ?? {}, "as", ["user"]);
  if (user === undefined) throw createValidationError("as.user", "This member is required: the id of a user");
  if (typeof user !== "string") throw createValidationError("as.user", "Expected the id of a user");
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
    `This member is not known here.${suggestName(unknown, known!)}`,
  );
}
