// Runs operations, with or without HTTP. Every call takes the same steps in the same order, and an operation can neither add nor
// skip one. So a rule that holds for one operation holds for all.
//
//   1. Admit the caller: the scopes of the token must include the operation.
//   2. Find the partition that the path leads to. If the target has moved to another one, the call runs again there.
//   3. Check the query.
//   4. Load the target: absent and hidden things get the same 404. Then check the right.
//   5. Check the body. Only callers with the right learn what is wrong with it.
//   6. Run the handler: on a snapshot for a GET, in a transaction for everything else.
//   7. Write the audit event and the result for an Idempotency-Key, in the commit of the handler.
//   8. Audit a refusal, in a commit of its own.
//
// A GET may be served from the response cache after step 2. The operation has declared that nothing after it would differ. `executeRead`
// has steps 3 to 6 of a GET, and `executeWrite` has steps 3 to 7 of everything else.

import { hasAuditLog } from "../audit/log";
import { createError, DocsError } from "../errors";
import { type Actor, ANONYMOUS } from "../operation/actor";
import { BinarySchema } from "../operation/binary-response";
import { followMoves } from "../operation/moved-error";
import { canCallOperation } from "../operation/roles";
import { DIRECTORY } from "../storage/ids";
import { TransactionTooLargeError } from "../storage/transaction";
import { type AuditedCall, describeCall } from "./audit-call";
import { type Call, checkQuery, createContext, enterTarget, TargetNotFoundError, toOperationResult } from "./call";
import { isIncompleteETag, matchesETag } from "./etag";
import { executeWrite } from "./execute-write";
import type { Caller, Kernel, OperationResult, RawInput, RegisteredOperation, RequestConditions } from "./kernel";
import { choosePartitionToCreate, findPartition, hasWellFormedIds } from "./partition";
import type { CachedResponse, ResponseSource } from "./response-cache";

/** Runs one operation. Throws a `DocsError` for everything that the caller has to know. */
export async function execute(
  kernel: Kernel,
  operation: RegisteredOperation,
  input: RawInput,
  caller: Caller,
  conditions: RequestConditions = {},
): Promise<OperationResult> {
  const { method, spec } = operation.definition;
  const actor = await admitCaller(kernel, operation, input, caller, conditions);
  const partition = spec.target.isVacant
    ? await choosePartitionToCreate(kernel, operation, input, actor, conditions)
    : (input.partition ?? findPartition(operation, input.params));

  try {
    const result = await followMoves(partition, async (currentPartition, forwardedFrom) => {
      const call: Call = {
        kernel,
        operation,
        input,
        caller: { ...caller, actor },
        conditions,
        partition: currentPartition,
        forwardedFrom,
        now: kernel.store.now(),
        checkedBody: undefined,
        hasPeeked: false,
      };
      try {
        return await (method === "GET" ? executeRead(call) : executeWrite(call));
      } catch (error) {
        await auditRefusal(kernel, call, currentPartition, error);
        throw error;
      }
    });
    if (result) return result;
  } catch (error) {
    if (error instanceof TransactionTooLargeError) throw new DocsError("too_much_at_once", { cause: error });
    if (!(error instanceof TargetNotFoundError)) throw error;
  }

  // The target is absent, hidden or being moved. A DELETE then has nothing to do and returns 204, if the caller sees everything above
  // the target. Every other operation fails.
  checkQuery(kernel, operation, input);
  const parents = kernel.findParents(operation);
  if (!parents) throw createError(spec.target.notFoundReason);
  for (const parent of parents) {
    const params = Object.fromEntries(parent.definition.params.map((name) => [name, input.params[name]!]));
    await execute(kernel, parent, { params, query: {}, body: undefined }, caller);
  }
  return { status: 204, value: undefined, isReplayed: false };
}

/** Returns the caller as the actor of the call. Throws if the caller's scopes do not include the operation, and audits that. */
async function admitCaller(
  kernel: Kernel,
  operation: RegisteredOperation,
  input: RawInput,
  caller: Caller,
  conditions: RequestConditions,
): Promise<Actor> {
  const { actor } = caller;
  const { name, scope, definition } = operation;
  if (actor && canCallOperation(actor.scopes, name, scope)) return actor;
  // Everybody may call an open operation. A caller whose scopes do not include it is treated as a caller without credentials.
  if (definition.spec.target.allowsAnonymous) return ANONYMOUS;
  if (!actor) throw createError("unauthorized");

  // The refusal goes to the log of the user, because the things that the path names may be somebody else's.
  const error = createError("scope_missing", { scope });
  if (!actor.visit && hasWellFormedIds(input.params))
    await auditRefusal(kernel, { operation, input, caller: { ...caller, actor }, conditions }, DIRECTORY, error);
  throw error;
}

/** Writes an audit event if the error says that a right was refused. The event has a commit of its own. */
async function auditRefusal(kernel: Kernel, call: AuditedCall, partition: string, error: unknown): Promise<void> {
  if (!(error instanceof DocsError && error.status === 403 && hasAuditLog(partition))) return;
  const refusal = { ...describeCall(call, error.status), action: "refused", operation: call.operation.name };
  if (!kernel.shouldAuditRefusal(refusal)) return;

  const { store, jobs } = kernel;
  const commit = store
    .write(partition, async (tx) => kernel.recordAuditEvent(tx, partition, refusal, call.caller.actor.user.id))
    .catch(jobs.onError);
  if (jobs.waitUntil) jobs.waitUntil(commit);
  else await commit;
}

const HOUR_MS = 60 * 60 * 1000;

/** Runs a GET: returns the cached response if nothing has changed, or else runs the handler on a snapshot. */
async function executeRead(call: Call): Promise<OperationResult> {
  const { kernel, operation, input, caller, conditions, partition } = call;
  const { spec } = operation.definition;
  const { prefetched, directory } = caller;
  const isPrefetched = prefetched?.partition === partition;
  const tx =
    partition === DIRECTORY ? directory : await (isPrefetched ? prefetched.view : kernel.store.read(partition));

  // A response is cached by everything that it is made from. The integration that vouched for a visitor lives in another partition, and
  // may have withdrawn.
  const { url } = conditions;
  const { credentials, visit } = caller.actor;
  const source: ResponseSource | undefined =
    url === undefined || visit?.vouchedBy === "integration"
      ? undefined
      : {
          url,
          credentials,
          directoryVersion: directory.version,
          partition,
          partitionVersion: tx.version,
          hour: Math.floor(call.now.getTime() / HOUR_MS),
        };
  const cachedResponse = source && kernel.responseCache.find(source);
  if (cachedResponse) return { status: 200, value: undefined, isReplayed: false, cachedResponse };

  const context = createContext(call, checkQuery(kernel, operation, input), tx);
  const loaded = await enterTarget(call, context);
  Object.assign(context, loaded);

  // A version is computed before the response, so the client's copy can be confirmed without running the handler. If the ETag is
  // incomplete, the HTTP handler compares it once it has the text.
  const etag = spec.version && `"${await spec.version(context)}"`;
  if (
    etag &&
    !isIncompleteETag(etag) &&
    conditions.ifNoneMatch !== undefined &&
    matchesETag(conditions.ifNoneMatch, etag)
  )
    return { status: 304, value: undefined, etag, isReplayed: false };

  const isCacheable =
    spec.cache !== false &&
    spec.returns !== BinarySchema &&
    (spec.target.isCacheable === undefined || (await spec.target.isCacheable(loaded, context)));
  const result = toOperationResult(kernel, operation, input, await spec.handle(context));

  if (etag) Object.assign(result, { etag });
  if (!isCacheable || call.hasPeeked) Object.assign(result, { isVolatile: true });
  if (!isCacheable || !source) return result;
  if (!call.hasPeeked) {
    const saveToCache = (response: CachedResponse) => kernel.responseCache.save(source, response);
    return Object.assign(result, { saveToCache });
  }
  // The version of another partition is not compared, so the response must not be cached. The operation should have declared it.
  if (spec.cache === undefined)
    kernel.jobs.onError(
      new Error(`${operation.name} reads another partition, so its response cannot be cached: declare \`cache\`.`),
    );
  return result;
}
