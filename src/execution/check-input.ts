// Checks the query and the body of a call. Silence would hide a mistake, so what an operation does not know is refused.

import * as v from "valibot";
import { createValidationError, DocsError, type Issue } from "../errors";
import { truncateForMessage } from "../operation/json-limits";
import type { Schema } from "../operation/operation";
import type { PageRequest } from "../operation/pagination";
import { MAX_ISSUES, validate } from "../operation/validate";
import { openCursor } from "./cursor";
import type { Kernel, RawInput, RegisteredOperation } from "./kernel";

/** The number of rows in a page of a list if the query does not say it, and the most that it may say. */
export const DEFAULT_PAGE_LIMIT = 50;
export const MAX_PAGE_LIMIT = 1000;

const limitSchema = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,6}$/), v.transform(Number))], "Expected a whole number"),
  v.integer(),
  v.minValue(1, "At least 1"),
  v.maxValue(MAX_PAGE_LIMIT, `At most ${MAX_PAGE_LIMIT}`),
);

/** The schema of each operation's query, which is created when it is first needed. */
const querySchemas = new WeakMap<v.ObjectEntries, Schema>();

export interface CheckedQuery {
  readonly query: Readonly<Record<string, unknown>>;
  readonly pageRequest: PageRequest;
}

/** Checks the query of a call. Throws `invalid_request` with all issues, or `invalid_cursor`. */
export function checkQuery(kernel: Kernel, operation: RegisteredOperation, input: RawInput): CheckedQuery {
  const { spec } = operation.definition;
  const issues: Issue[] = [];

  let query: unknown = {};
  if (spec.query) {
    const schema = querySchemas.get(spec.query) ?? v.object(spec.query);
    querySchemas.set(spec.query, schema);
    query = validate(schema, input.query, "query", issues);
  }

  if (!spec.forwardsRequest && !spec.allowsUnknownQuery) {
    for (const name of Object.keys(input.query)) {
      const isKnown =
        (spec.query !== undefined && Object.hasOwn(spec.query, name)) ||
        (spec.list !== undefined && (name === "page" || name === "limit"));
      if (isKnown) continue;
      if (issues.length === MAX_ISSUES) break;
      issues.push({ path: truncateForMessage(`query.${name}`), message: "This parameter is not known here." });
    }
  }

  let limit = DEFAULT_PAGE_LIMIT;
  if (spec.list && input.query.limit !== undefined)
    limit = validate(limitSchema, input.query.limit, "query.limit", issues) as number;
  if (issues.length > 0) throw new DocsError("invalid_request", { issues });

  const after = spec.list && input.query.page !== undefined ? openCursor(kernel.secrets, operation, input) : undefined;
  return { query: query as CheckedQuery["query"], pageRequest: { after, limit } };
}

/** Checks the body of a call and returns it as its schema transforms it. Throws `invalid_request` with all issues. */
export function checkBody({ definition: { spec } }: RegisteredOperation, { body }: RawInput): unknown {
  if (!spec.body) {
    const isEmpty = body === undefined || (typeof body === "object" && body !== null && Object.keys(body).length === 0);
    if (!isEmpty) throw createValidationError("body", "This operation takes no body.");
    return undefined;
  }

  const issues: Issue[] = [];
  const checkedBody = validate(spec.body, body === undefined ? {} : body, "body", issues);
  if (issues.length > 0) throw new DocsError("invalid_request", { issues });
  return checkedBody;
}
