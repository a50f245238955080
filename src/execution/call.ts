// A call of an operation in one partition: the context that its handler gets, the checks that every call passes before its handler
// runs, and the result that it returns.

import * as v from "valibot";
import { createError, createValidationError, DocsError, type Issue } from "../errors";
import type { Actor } from "../operation/actor";
import { truncateForMessage } from "../operation/json-limits";
import type { Operation, Schema } from "../operation/operation";
import type { PageOfItems, PageRequest } from "../operation/pagination";
import type { Target, TargetContext } from "../operation/target";
import { MAX_ISSUES, validate } from "../operation/validate";
import { CODE_LENGTH, DIRECTORY } from "../storage/ids";
import { openObjects } from "../storage/objects";
import type { Reader } from "../storage/transaction";
import { openCursor, sealCursor } from "./cursor";
import type { Caller, Kernel, OperationResult, RawInput, RegisteredOperation, RequestConditions } from "./kernel";

/** One call, in the partition where its target may live. */
export interface Call {
  readonly kernel: Kernel;
  readonly operation: RegisteredOperation;
  readonly input: RawInput;
  readonly caller: Caller & { readonly actor: Actor };
  readonly conditions: RequestConditions;
  readonly partition: string;
  /** The partition that forwarded the call here, because the target has moved. */
  readonly forwardedFrom: string | undefined;
  readonly now: Date;
  /** The body, once it was checked. */
  checkedBody: { readonly value: unknown } | undefined;
  /** True once the call has read another partition. */
  hasPeeked: boolean;
}

/** Thrown if the thing that the path names is absent, or hidden from the caller. The two cannot be told apart. */
export class TargetNotFoundError extends Error {}

/**
 * Creates the context of a call before its target is loaded. The members that the target loads are assigned to it in place, because
 * spreading both into a new object costs a tenth of a small request. `readPartition` reads another partition.
 */
export function createContext(
  call: Call,
  { query, pageRequest }: CheckedQuery,
  tx: Reader,
  readPartition: (partition: string) => Promise<Reader> = call.kernel.store.read,
) {
  const { kernel, operation, input, caller, conditions, partition, forwardedFrom, now } = call;
  const { urls, secrets, apiInfo, jobs } = kernel;
  const { method, spec } = operation.definition;
  return {
    tx,
    directory: partition === DIRECTORY ? tx : caller.directory,
    actor: caller.actor,
    params: input.params,
    query,
    // The body is checked when it is first used: by a target whose ids are in it, otherwise after the right was checked.
    get body() {
      call.checkedBody ??= { value: checkBody(operation, input) };
      return call.checkedBody.value;
    },
    forwardedRequest: input.forwardedRequest,
    originalRequest: conditions.originalRequest,
    pageRequest,
    now,
    // The ids of the directory begin with no code.
    partitionCode: partition === DIRECTORY ? "" : partition.slice(-CODE_LENGTH),
    forwardedFrom,
    isWriting: method !== "GET" && !spec.isReadOnly,
    async peek(otherPartition: string) {
      call.hasPeeked = true;
      const view = await readPartition(otherPartition);
      return caller.actor.samlProviderIds && otherPartition !== DIRECTORY
        ? kernel.restrictView(view, caller.actor)
        : view;
    },
    get objects() {
      return openObjects(kernel.store, jobs.objects, tx);
    },
    urls,
    secrets,
    apiInfo,
    ports: jobs.ports,
    jobContext: jobs,
  } satisfies TargetContext & HandlerContext;
}

/** The members of a context that every handler gets. */
type HandlerContext = Parameters<Operation["spec"]["handle"]>[0];

export type CallContext = ReturnType<typeof createContext>;

/**
 * Checks the caller's sign-in method, loads the target, checks the right and then the body, and returns the members that the target
 * loaded. The body comes last, so that only callers with the right learn what is wrong with it.
 */
export async function enterTarget({ kernel, operation, partition }: Call, context: TargetContext): Promise<object> {
  if (context.actor.samlProviderIds && partition !== DIRECTORY)
    await kernel.checkSignInMethod(context.tx, context.actor);
  const { target, right } = operation.definition.spec;
  const loaded = await loadTarget(target, right, context);
  // Reading the body checks it.
  void context.body;
  return loaded;
}

/** Loads a target. Throws `TargetNotFoundError` if it is absent or hidden, and 403 if it is visible and the caller lacks the right. */
export async function loadTarget(target: Target, right: string, context: TargetContext): Promise<object> {
  const loaded = await target.load(context);
  const rights = target.rights as Record<string, (loaded: object) => boolean>;
  if (!loaded || !rights.view!(loaded)) throw new TargetNotFoundError();
  if (!rights[right]!(loaded)) throw createError("forbidden");
  return loaded;
}

/** Returns the result of a call by the value that its handler returned. A list gets the cursor of its next page. */
export function toOperationResult(
  kernel: Kernel,
  operation: RegisteredOperation,
  input: RawInput,
  value: unknown,
): OperationResult {
  const { spec } = operation.definition;
  const status = spec.status ?? (spec.returns || spec.list ? 200 : 204);
  if (!spec.list) return { status, value: status === 204 ? undefined : value, isReplayed: false };

  const { items, lastPosition, count, extraFields } = value as PageOfItems<unknown>;
  const next =
    lastPosition === undefined ? {} : { next: { page: sealCursor(kernel.secrets, operation, input, lastPosition) } };
  return { status, value: { ...next, count, ...extraFields, items }, isReplayed: false };
}

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
      issues.push({ path: truncateForMessage(`query.${name}`), message: "Unknown parameter." });
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
    if (!isEmpty) throw createValidationError("body", "This operation doesn't accept a body.");
    return undefined;
  }

  const issues: Issue[] = [];
  const checkedBody = validate(spec.body, body === undefined ? {} : body, "body", issues);
  if (issues.length > 0) throw new DocsError("invalid_request", { issues });
  return checkedBody;
}
