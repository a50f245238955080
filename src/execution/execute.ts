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
// A GET may be served from the response cache after step 2. The operation has declared that nothing after it would differ.

import { hasAuditLog } from "../audit/log";
import { createError, DocsError } from "../errors";
import { enqueueJob } from "../jobs/jobs";
import type { OutgoingEvent } from "../jobs/outbox";
import { type Actor, ANONYMOUS } from "../operation/actor";
import { BinarySchema } from "../operation/binary-response";
import { followMoves } from "../operation/moved-error";
import { OutdatedError, retryWhileOutdated } from "../operation/outdated-error";
import type { PageOfItems } from "../operation/pagination";
import { canCallOperation } from "../operation/roles";
import { DIRECTORY, type NewId } from "../storage/ids";
import { Conflict } from "../storage/storage";
import type { Store } from "../storage/store";
import { type Reader, type SnapshotCache, type Transaction, TransactionTooLargeError } from "../storage/transaction";
import { MAX_RETRY_MS } from "../storage/transaction-runner";
import { type AuditedCall, describeCall, describeCompletedCall } from "./audit-call";
import { type Call, type CallContext, createContext, enterTarget, loadTarget, TargetNotFoundError } from "./call";
import { type CheckedQuery, checkQuery } from "./check-input";
import { sealCursor } from "./cursor";
import { computeDigest, isIncompleteETag, matchesETag } from "./etag";
import { findStoredResult, type IdempotentRequest, storeResult } from "./idempotency";
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
    kernel.jobs.onError(new Error(`${operation.name} looks into another partition: its answer cannot be kept.`));
  return result;
}

const HOUR_MS = 60 * 60 * 1000;

/** A call that may write, with its query checked. */
interface WriteCall {
  readonly call: Call;
  readonly query: CheckedQuery;
  readonly idempotentRequest: IdempotentRequest | undefined;
}

/**
 * Runs an operation that may write: `gather`, then `prepare`, then the handler in a transaction. If the state has changed since
 * `prepare` read it, the handler throws `OutdatedError`, and both run again.
 */
async function executeWrite(call: Call): Promise<OperationResult> {
  const { kernel, operation, input, caller, conditions, partition } = call;
  const { method, spec } = operation.definition;
  const query = checkQuery(kernel, operation, input);

  // Callers without credentials share one actor, and so do visitors of whom the same is known. A result that is stored for it would
  // be shown to all of them.
  const { actor } = caller;
  const key = method === "POST" && !spec.isReadOnly ? conditions.idempotencyKey : undefined;
  const isShared = actor === ANONYMOUS || actor.visit !== undefined;
  const idempotentRequest =
    key === undefined || isShared ? undefined : { key, credentials: actor.credentials, operation, input };
  const write: WriteCall = { call, query, idempotentRequest };

  // `gather` waits for other hosts, so it runs before the call joins a queue.
  const gather = spec.shouldGather?.(input.body) === false ? undefined : spec.gather;
  const gathered = gather && (await runOnSnapshot(write, gather, { ifMatch: conditions.ifMatch }));
  if (gathered?.storedResult) return gathered.storedResult;

  const { clock } = kernel.store;
  const startedAt = clock();
  const mayRetry = () => clock() - startedAt < MAX_RETRY_MS;
  try {
    return await retryWhileOutdated(kernel.store, mayRetry, async () => {
      const { prepare, isReadOnly, serializeBy } = spec;
      if (prepare && serializeBy)
        return prepareInTransaction(write, prepare, { turn: input.params[serializeBy]!, gathered: gathered?.value });
      const prepared = prepare && (await runOnSnapshot(write, prepare, { gathered: gathered?.value }));
      if (prepared?.storedResult) return prepared.storedResult;
      const { value, seen } = prepared ?? {};
      return kernel.store.write(partition, (tx) => writeInTransaction(write, tx, value), {
        cache: seen,
        isReadOnly,
      });
    });
  } catch (error) {
    // An operation that never met the state it had prepared for gives way to the others.
    if (!(error instanceof OutdatedError)) throw error;
    throw new Conflict(`Others kept changing the same thing for ${MAX_RETRY_MS / 1000} seconds.`);
  }
}

/** The result of work before the handler, or the stored result of an earlier request with the same Idempotency-Key. */
type EarlyWork =
  | { readonly storedResult: OperationResult }
  | { readonly storedResult?: undefined; readonly value: unknown };

interface EarlyWorkOptions {
  readonly ifMatch?: string | undefined;
  readonly gathered?: unknown;
}

/** Runs `gather` or `prepare` on a snapshot. `seen` is everything that was read for it, which the transaction does not read again. */
async function runOnSnapshot(
  write: WriteCall,
  run: (context: never) => Promise<unknown>,
  options: EarlyWorkOptions,
): Promise<EarlyWork & { readonly seen?: SnapshotCache | undefined }> {
  const { kernel, caller, partition } = write.call;
  const snapshot = partition === DIRECTORY ? undefined : await kernel.store.readWithCache(partition);
  const work = await runBeforeHandler(write, run, snapshot ? snapshot.view : caller.directory, options);
  return { ...work, seen: snapshot?.cache };
}

/**
 * Runs `prepare` in the transaction, on the state that the calls before this one leave behind. Calls with the same `turn` follow each
 * other, so none of them prepares in vain.
 */
function prepareInTransaction(
  write: WriteCall,
  prepare: (context: never) => Promise<unknown>,
  { turn, gathered }: { readonly turn: string; readonly gathered: unknown },
): Promise<OperationResult> {
  const { kernel, partition } = write.call;
  /** The work that was prepared for the next run of the transaction. */
  let preparedEarlier: EarlyWork | undefined;
  const run = async (tx: Transaction) => {
    let prepared = preparedEarlier;
    preparedEarlier = undefined;
    if (!prepared) {
      let hasWritten = false;
      const watchedWrite: Store["write"] = (name, body, running) => {
        hasWritten ||= name === partition;
        return kernel.store.write(name, body, running);
      };
      const store = { ...kernel.store, write: watchedWrite };
      prepared = await runBeforeHandler(write, prepare, tx.unchecked, { gathered, store });
      // The snapshot of this transaction does not show what `prepare` has written to the partition.
      if (hasWritten) {
        preparedEarlier = prepared;
        tx.restart();
      }
    }
    return prepared.storedResult ?? writeInTransaction(write, tx, prepared.value);
  };
  return kernel.store.write(partition, run, { lane: turn });
}

/** Runs `gather` or `prepare`, after the right was checked. */
async function runBeforeHandler(
  write: WriteCall,
  run: (context: never) => Promise<unknown>,
  view: Reader,
  { ifMatch, gathered, store = write.call.kernel.store }: EarlyWorkOptions & { readonly store?: Store },
): Promise<EarlyWork> {
  const { partition } = write.call;
  const { storedResult, context } = await enterWrite(write, view, ifMatch);
  if (storedResult) return { storedResult };

  const newId = (kind: Parameters<NewId>[0]) => store.newId(kind, context.partitionCode);
  return { value: await run(Object.assign(context, { store, partition, newId, gathered }) as never) };
}

/** Runs the handler in a transaction, and adds the audit event and the result for an Idempotency-Key to its commit. */
async function writeInTransaction(write: WriteCall, tx: Transaction, prepared: unknown): Promise<OperationResult> {
  const { call, idempotentRequest } = write;
  const { kernel, operation, input, caller, conditions, partition, now } = call;
  const { spec } = operation.definition;
  const readPartition = (otherPartition: string) => tx.readPartition(otherPartition, kernel.store.read);
  const { storedResult, context } = await enterWrite(write, tx, conditions.ifMatch, readPartition);
  if (storedResult) return storedResult;

  const place = { partition, code: context.partitionCode };
  const newIds: string[] = [];
  Object.assign(context, {
    prepared,
    random: kernel.store.random,
    newId(kind: Parameters<NewId>[0]) {
      const id = kernel.store.newId(kind, place.code);
      tx.markNew(id);
      newIds.push(id);
      return id;
    },
    enqueueJob: (jobType: Parameters<typeof enqueueJob>[3], payload: never, when?: Date) =>
      enqueueJob(kernel.jobs, place, tx, jobType, payload, when),
    emit: (event: OutgoingEvent) => kernel.jobs.outbox.emit(place, tx, event),
  });
  const result = toOperationResult(kernel, operation, input, await spec.handle(context));

  if (tx.hasWritten && !spec.isReadOnly && hasAuditLog(partition)) {
    const happening = describeCompletedCall(call, result.status, newIds);
    kernel.recordAuditEvent(tx, partition, happening, caller.actor.user.id);
  }
  if (idempotentRequest) await storeResult(kernel, tx, idempotentRequest, result, now);
  return result;
}

/**
 * Takes the steps that come before the handler, on a snapshot or in the transaction. Returns the context with the loaded target, or
 * the stored result of an earlier request with the same Idempotency-Key.
 */
async function enterWrite(
  { call, query, idempotentRequest }: WriteCall,
  tx: Reader,
  ifMatch: string | undefined,
  readPartition?: (partition: string) => Promise<Reader>,
): Promise<
  | { readonly storedResult: OperationResult; readonly context?: undefined }
  | { readonly storedResult?: undefined; readonly context: CallContext }
> {
  const { kernel, operation, now } = call;
  const context = createContext(call, query, tx, readPartition);
  const loaded = await enterTarget(call, context);

  const stored = idempotentRequest && (await findStoredResult(kernel, tx, idempotentRequest, now));
  if (stored) return { storedResult: { ...stored, isReplayed: true } };
  // A repeated request leads to the partition that the first one created. Only the stored result gives access to it.
  if (operation.definition.spec.target.isVacant?.(loaded) === false) throw createError("idempotency_key_spent");

  // `If-Match` has to name the current ETag of the resource at or above the path.
  const read = ifMatch === undefined ? undefined : kernel.findETagSource(operation);
  if (read) {
    const { spec } = read.definition;
    const seen = await loadTarget(spec.target, spec.right, context).catch((error: unknown) => {
      throw error instanceof TargetNotFoundError ? createError(spec.target.notFoundReason) : error;
    });
    const version = spec.version
      ? await spec.version({ ...seen, now: context.now, actor: context.actor })
      : computeDigest(JSON.stringify(await spec.handle({ ...context, ...seen, query: {}, body: undefined } as never)));
    const etag = `"${version}"`;
    if (!matchesETag(ifMatch!, etag, { ignoreCaching: true }))
      throw new DocsError("precondition_failed", { headers: { etag } });
  }
  return { context: Object.assign(context, loaded) };
}

/** Returns the result of a call by the value that its handler returned. A list gets the cursor of its next page. */
function toOperationResult(
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
