// Runs an operation that may write. See `execute` for the steps that come before.

import { hasAuditLog } from "../audit/log";
import { createError, DocsError } from "../errors";
import { enqueueJob } from "../jobs/jobs";
import type { OutgoingEvent } from "../jobs/outbox";
import { ANONYMOUS } from "../operation/actor";
import { OutdatedError, retryWhileOutdated } from "../operation/outdated-error";
import { DIRECTORY, type NewId } from "../storage/ids";
import { Conflict } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader, SnapshotCache, Transaction } from "../storage/transaction";
import { MAX_RETRY_MS } from "../storage/transaction-runner";
import { describeCompletedCall } from "./audit-call";
import {
  type Call,
  type CallContext,
  type CheckedQuery,
  checkQuery,
  createContext,
  enterTarget,
  loadTarget,
  TargetNotFoundError,
  toOperationResult,
} from "./call";
import { computeDigest, matchesETag } from "./etag";
import { findStoredResult, type IdempotentRequest, storeResult } from "./idempotency";
import type { OperationResult } from "./kernel";

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
export async function executeWrite(call: Call): Promise<OperationResult> {
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
