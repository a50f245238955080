// The road of every call, with or without HTTP: scope, input, target, right, handler, commit. An operation can neither
// add to it nor skip a part, so what holds for one operation holds for all.

import * as v from "valibot";
import { hasLog } from "../audit/log";
import { createError, createValidationError, DocsError, type Issue } from "../errors";
import type { OutgoingEvent } from "../jobs/events";
import { enqueueJob } from "../jobs/jobs";
import { type Actor, ANONYMOUS } from "../operation/actor";
import { BinarySchema } from "../operation/binary-response";
import { truncateForMessage } from "../operation/json-limits";
import { followMoves } from "../operation/moved-error";
import type { Schema } from "../operation/operation";
import { OutdatedError, retryWhileOutdated } from "../operation/outdated-error";
import type { PageOfItems } from "../operation/pagination";
import { canCallOperation } from "../operation/roles";
import type { Target, TargetContext } from "../operation/target";
import { MAX_ISSUES, validate } from "../operation/validate";
import { CODE_LENGTH, DIRECTORY, encodeIdText, generateCode, type NewId } from "../storage/ids";
import { objectsIn } from "../storage/objects";
import { Conflict } from "../storage/storage";
import { type Reader, type SnapshotCache, type Transaction, TransactionTooLargeError } from "../storage/transaction";
import { LONGEST_MS } from "../storage/transaction-runner";
import type { Basis, CachedResponse } from "./answers";
import { carriedOut, refused } from "./audit";
import { openCursor, sealCursor } from "./cursor";
import { etagOf, isOpenEnded, matches, versionTag } from "./etag";
import { recall, remember } from "./idempotency";
import type { Caller, Kernel, OperationResult, RawInput, RegisteredOperation, RequestConditions } from "./kernel";

/** How many rows a part of a list has unless it is said, and at the most. */
export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 1000;
const limitShape = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,6}$/), v.transform(Number))], "Expected a whole number"),
  v.integer(),
  v.minValue(1, "At least 1"),
  v.maxValue(MAX_LIMIT, `At most ${MAX_LIMIT}`),
);

/** Runs one operation. Throws a `DocsError` for everything that the caller should hear of. */
export async function execute(
  kernel: Kernel,
  named: RegisteredOperation,
  raw: RawInput,
  caller: Caller,
  conditions: RequestConditions = {},
): Promise<OperationResult> {
  const { operation } = named;
  const { spec } = operation;
  const actor = await admitted(kernel, named, raw, caller, conditions);
  let partition: string | undefined;
  if (spec.target.isVacant)
    partition = await freshPartition(kernel, spec.target, raw.params, freshCodes(kernel, actor, conditions));
  else partition = raw.partition ?? knownPartition(named, raw.params);
  const known = { ...caller, actor };
  try {
    const outcome = await followMoves(partition, (here, cameFrom) => {
      const now = kernel.store.now();
      const call: Call = {
        kernel,
        named,
        raw,
        caller: known,
        conditions,
        partition: here,
        forwardedFrom: cameFrom,
        now,
      };
      const done = operation.method === "GET" ? get(call) : change(call);
      return done.catch((error) => toldRefusal(call, here, error));
    });
    if (outcome) return outcome;
  } catch (error) {
    if (error instanceof TransactionTooLargeError) throw new DocsError("too_much_at_once", { cause: error });
    if (!(error instanceof Absent)) throw error;
  }
  checkQuery(kernel, named, raw);
  return withoutTarget(kernel, named, raw, caller);
}

/** The caller, if the token's scopes include the operation. A token that has too few is told of in the log of its user: what
 * it asked for may be of others. */
async function admitted(
  kernel: Kernel,
  named: RegisteredOperation,
  raw: RawInput,
  caller: Caller,
  conditions: RequestConditions,
) {
  try {
    return admit(named, caller.actor);
  } catch (error) {
    if (!caller.actor || caller.actor.visit || !hasWellFormedIds(raw.params)) throw error;
    const call = { kernel, named, raw, caller: { ...caller, actor: caller.actor }, conditions };
    return toldRefusal(call, DIRECTORY, error);
  }
}

/** Writes down that a right was refused, in a commit of its own, and throws the refusal. */
async function toldRefusal(
  { kernel, named, raw, caller: { actor }, conditions }: Omit<Call, "partition" | "forwardedFrom" | "now">,
  partition: string,
  error: unknown,
): Promise<never> {
  if (!(error instanceof DocsError && error.status === 403 && hasLog(partition))) throw error;
  const happening = refused({ named, raw, actor, from: conditions.from }, error);
  if (kernel.tellsRefusal(happening)) {
    const { store, jobs: work } = kernel;
    const telling = store
      .write(partition, async (tx) => kernel.note(tx, partition, happening, actor.user.id))
      .catch(work.onError);
    if (work.waitUntil) work.waitUntil(telling);
    else await telling;
  }
  throw error;
}

/** Thrown where what the path names is absent, or hidden from the caller. */
class Absent extends Error {}

/** A DELETE of something absent or hidden has nothing to do, if the caller sees everything above it: 204. Every other
 * operation fails. */
async function withoutTarget(
  kernel: Kernel,
  named: RegisteredOperation,
  { params }: RawInput,
  caller: Caller,
): Promise<OperationResult> {
  const parents = kernel.parentsOf(named);
  if (!parents) throw createError(named.operation.spec.target.notFoundReason);
  for (const parent of parents) {
    const above = Object.fromEntries(parent.operation.params.map((name) => [name, params[name]!]));
    await execute(kernel, parent, { params: above, query: {}, body: undefined }, caller);
  }
  return { status: 204, value: undefined, replayed: false };
}

/** One call, in the partition where its target may live. */
interface Call {
  readonly kernel: Kernel;
  readonly named: RegisteredOperation;
  readonly raw: RawInput;
  readonly caller: Caller & { readonly actor: Actor };
  readonly conditions: RequestConditions;
  readonly partition: string;
  readonly forwardedFrom: string | undefined;
  readonly now: Date;
}

/** What a handler gets, before the target is loaded. Loaded values are assigned to it in place. Spreading both into a new
 * object costs a tenth of a small request. */
function contextOf(
  { kernel, named, raw, caller, conditions, partition, forwardedFrom: cameFrom, now }: Call,
  { query, listPart }: ReturnType<typeof checkQuery>,
  tx: Reader,
  more: { readonly body: () => unknown; readonly peek: (elsewhere: string) => Promise<Reader> },
) {
  const { urls, secrets, about, jobs: work } = kernel;
  const { method, spec } = named.operation;
  return {
    tx,
    directory: partition === DIRECTORY ? tx : caller.directory,
    actor: caller.actor,
    params: raw.params,
    query,
    get body() {
      return more.body();
    },
    forwardedRequest: raw.request,
    originalRequest: conditions.asked,
    pageRequest: listPart,
    now,
    partitionCode: bornIn(partition),
    forwardedFrom: cameFrom,
    isWriting: method !== "GET" && !spec.isReadOnly,
    peek: more.peek,
    get objects() {
      return objectsIn(kernel.store, work.objects, tx);
    },
    urls,
    secrets,
    apiInfo: about,
    ports: work.ports,
    jobContext: work,
  };
}

/** The code that ids of a partition begin with. */
function bornIn(partition: string): string {
  return partition === DIRECTORY ? "" : partition.slice(-CODE_LENGTH);
}

/** The body, checked when it is first used: by a target that the body names, otherwise after the right was checked. */
function bodyOf({ named, raw }: Call): () => unknown {
  let checked: { readonly body: unknown } | undefined;
  return () => {
    checked ??= { body: checkBody(named, raw) };
    return checked.body;
  };
}

/** Loads the target and checks the right, then the body. So only callers with the right learn what is wrong with the
 * body. */
async function enter({ kernel, named: { operation }, partition }: Call, scope: TargetContext): Promise<object> {
  if (scope.actor.samlProviderIds && partition !== DIRECTORY) await kernel.checkWayIn(scope.tx, scope.actor);
  const loaded = await load(operation.spec.target, scope, operation.spec.right);
  void scope.body;
  return loaded;
}

/** Another partition as it is now, as the caller may see it. */
async function peeked({ kernel, caller: { actor } }: Call, elsewhere: string): Promise<Reader> {
  const view = await kernel.store.read(elsewhere);
  return actor.samlProviderIds && elsewhere !== DIRECTORY ? kernel.seenFrom(view, actor) : view;
}

/** Answers a GET: with an answer that was kept, or with a new one. */
async function get(call: Call): Promise<OperationResult> {
  const { kernel, named, raw, caller, conditions, partition } = call;
  const { spec } = named.operation;
  const { ahead, directory } = caller;
  const isAhead = ahead?.partition === partition;
  const tx = partition === DIRECTORY ? directory : await (isAhead ? ahead.view : kernel.store.read(partition));
  const basis = basisOf(call, tx);
  const kept = basis && kernel.responseCache.find(basis);
  if (kept) return { status: 200, value: undefined, replayed: false, kept };

  let looksElsewhere = false;
  const peek = (elsewhere: string) => {
    looksElsewhere = true;
    return peeked(call, elsewhere);
  };
  const context = contextOf(call, checkQuery(kernel, named, raw), tx, { body: bodyOf(call), peek });
  const loaded = await enter(call, context);
  const etag = spec.version && versionTag(await spec.version(Object.assign(context, loaded)));
  if (etag && !isOpenEnded(etag) && conditions.ifNoneMatch !== undefined && matches(conditions.ifNoneMatch, etag))
    return { status: 304, value: undefined, etag, replayed: false };
  const isKept = await mayServeAgain(spec, loaded, context);
  const answer = await spec.handle(Object.assign(context, loaded) as never);
  const outcome = finish(kernel, named, raw, answer);
  if (etag) Object.assign(outcome, { etag });
  if (!isKept || looksElsewhere) Object.assign(outcome, { isFleeting: true });
  if (!isKept || !basis) return outcome;
  if (!looksElsewhere)
    return Object.assign(outcome, { keep: (sent: CachedResponse) => kernel.responseCache.keep(basis, sent) });
  if (spec.cache === undefined)
    kernel.jobs.onError(new Error(`${named.name} looks into another partition: its answer cannot be kept.`));
  return outcome;
}

/** Carries out an operation that may write. */
async function change(call: Call): Promise<OperationResult> {
  const { kernel, named, raw, caller, conditions, partition, now } = call;
  const { spec } = named.operation;
  const { actor } = caller;
  const checked = checkQuery(kernel, named, raw);
  const shared = { body: bodyOf(call), peek: (elsewhere: string) => peeked(call, elsewhere) };
  const newIdHere = (kind: Parameters<NewId>[0]) => kernel.store.newId(kind, bornIn(partition));
  const key = named.operation.method === "POST" && !spec.isReadOnly ? conditions.idempotencyKey : undefined;
  // Callers without credentials share one actor, and visitors of whom the same is known. An answer kept for it would be
  // shown to all of them.
  const request =
    key === undefined || actor === ANONYMOUS || actor.visit
      ? undefined
      : { key, credentials: actor.credentials, named, raw };

  /** Runs work before the transaction, after the right was checked. Gives its result, or the kept answer of an
   * Idempotency-Key. */
  async function ahead(
    run: (context: never) => Promise<unknown>,
    more: { readonly gathered?: unknown; readonly ifMatch?: string | undefined },
  ): Promise<
    { readonly done: OperationResult } | { readonly value: unknown; readonly seen: SnapshotCache | undefined }
  > {
    const look = partition === DIRECTORY ? undefined : await kernel.store.look(partition);
    const context = contextOf(call, checked, look ? look.view : caller.directory, shared);
    const loaded = await enter(call, context);
    const earlier = request && (await recall(kernel, context.tx, request, now));
    if (earlier) return { done: { ...earlier, replayed: true } };
    checkFree(spec.target, loaded);
    if (more.ifMatch !== undefined) await checkMatch(kernel, named, context, more.ifMatch);
    const preparing = { store: kernel.store, partition, newId: newIdHere, gathered: more.gathered };
    return { value: await run(Object.assign(context, loaded, preparing) as never), seen: look?.seen };
  }

  async function attempt(gathered: unknown, leave: () => void): Promise<OperationResult> {
    const before = spec.prepare && (await ahead(spec.prepare, { gathered }));
    if (before && "done" in before) return before.done;
    const prepared = before?.value;
    const writeWith = async (tx: Transaction): Promise<OperationResult> => {
      // The steps after the commit may call the API and wait for it. So the turn ends with the commit.
      tx.afterCommit(async () => leave());
      const context = contextOf(call, checked, tx, shared);
      const loaded = await enter(call, context);
      const earlier = request && (await recall(kernel, tx, request, now));
      if (earlier) return { ...earlier, replayed: true };
      checkFree(spec.target, loaded);
      if (conditions.ifMatch !== undefined) await checkMatch(kernel, named, context, conditions.ifMatch);
      const place = { partition, code: bornIn(partition) };
      const made: string[] = [];
      const writing = {
        prepared,
        random: kernel.store.random,
        newId: (kind: Parameters<NewId>[0]) => {
          const id = newIdHere(kind);
          tx.born(id);
          made.push(id);
          return id;
        },
        enqueueJob: (step: Parameters<typeof enqueueJob>[3], payload: never, when?: Date) =>
          enqueueJob(kernel.jobs, place, tx, step, payload, when),
        emit: (event: OutgoingEvent) => kernel.jobs.outbox.emit(place, tx, event),
      };
      const answer = await spec.handle(Object.assign(context, loaded, writing) as never);
      const outcome = finish(kernel, named, raw, answer);
      if (tx.hasWritten && !spec.isReadOnly && hasLog(partition)) {
        const told = { named, raw, actor, from: conditions.from };
        kernel.note(tx, partition, carriedOut(told, outcome.status, made), actor.user.id);
      }
      if (request) await remember(kernel, tx, request, outcome, now);
      return outcome;
    };
    return kernel.store.write(partition, writeWith, { seen: before?.seen, isQuestion: spec.isReadOnly });
  }
  // `gather` waits for other hosts, so it runs before this call takes its turn.
  const gather = spec.shouldGather?.(raw.body) === false ? undefined : spec.gather;
  const gathered = gather && (await ahead(gather, { ifMatch: conditions.ifMatch }));
  if (gathered && "done" in gathered) return gathered.done;
  const carryOut = (leave: () => void) => {
    const { clock } = kernel.store;
    const began = clock();
    const mayTryAgain = () => clock() - began < LONGEST_MS;
    return retryWhileOutdated(kernel.store, mayTryAgain, () => attempt(gathered?.value, leave)).catch(outrun);
  };
  return spec.serializeBy ? kernel.turns(raw.params[spec.serializeBy]!, carryOut) : carryOut(() => {});
}

/** Whether an answer may serve again, as the operation and its target declare it. */
async function mayServeAgain(
  { cache: kept, returns, target: on }: RegisteredOperation["operation"]["spec"],
  loaded: object,
  scope: TargetContext,
) {
  if (kept === false || returns === BinarySchema) return false;
  return on.isCacheable === undefined || (await on.isCacheable(loaded, scope));
}

/** An operation that never met the state it had prepared for gives way to the others. */
function outrun(error: unknown): never {
  throw error instanceof OutdatedError
    ? new Conflict(`Others kept changing the same thing for ${LONGEST_MS / 1000} seconds.`)
    : error;
}

const HOUR_MS = 60 * 60 * 1000;

/** What the answer to a call is made from; undefined where no answer is kept. */
function basisOf({ conditions, caller, partition, now }: Call, { version }: Reader): Basis | undefined {
  // Whether an integration still vouches for a visitor is read in another partition.
  if (conditions.url === undefined || caller.actor.visit?.vouchedBy === "integration") return undefined;
  const { credentials } = caller.actor;
  const hour = Math.floor(now.getTime() / HOUR_MS);
  return { url: conditions.url, credentials, directory: caller.directory.version, partition, version, hour };
}

/** The partition that a call is about, by its path alone. */
export function knownPartition(
  { operation: { spec } }: RegisteredOperation,
  params: RawInput["params"],
): string | undefined {
  return !spec.target.isVacant && hasWellFormedIds(params) ? spec.target.findPartition(params, "") : undefined;
}

/** An id that we could not have made leads nowhere, and nothing is read to find that out. */
function hasWellFormedIds(params: Readonly<Record<string, string>>): boolean {
  return Object.entries(params).every(([name, value]) => !name.endsWith("Id") || /^[A-Za-z0-9_-]{1,64}$/.test(value));
}

/** The caller, if the token's scopes include the operation, by its resource or by its name. Without that, the caller of
 * an open operation is nobody. */
function admit(named: RegisteredOperation, actor: Actor | undefined): Actor {
  if (actor && canCallOperation(actor.scopes, named.name, named.scope)) return actor;
  if (named.operation.spec.target.allowsAnonymous) return ANONYMOUS;
  throw actor ? createError("scope_missing", { scope: named.scope }) : createError("unauthorized");
}

/** Throws `Absent` when the target is absent or hidden, and 403 when it is visible and the right is not held. */
async function load(target: Target, scope: TargetContext, right: string): Promise<object> {
  const loaded = await target.load(scope);
  const rights = target.rights as Record<string, (loaded: object) => boolean>;
  if (!loaded || !rights.view!(loaded)) throw new Absent();
  if (!rights[right]!(loaded)) throw createError("forbidden");
  return loaded;
}

function checkBody({ operation: { spec } }: RegisteredOperation, { body }: RawInput): unknown {
  if (!spec.body && !isEmpty(body)) throw createValidationError("body", "This operation takes no body.");
  if (!spec.body) return undefined;
  const issues: Issue[] = [];
  const checked = validate(spec.body, body === undefined ? {} : body, "body", issues);
  if (issues.length > 0) throw new DocsError("invalid_request", { issues });
  return checked;
}

function checkQuery(kernel: Kernel, named: RegisteredOperation, raw: RawInput) {
  const { spec } = named.operation;
  const issues: Issue[] = [];
  const query = spec.query ? validate(querySchema(spec.query), raw.query, "query", issues) : {};
  if (!spec.forwardsRequest && !spec.allowsUnknownQuery) addUnknownParameters(named, raw, issues);
  let limit = DEFAULT_LIMIT;
  if (spec.list && raw.query.limit !== undefined)
    limit = validate(limitShape, raw.query.limit, "query.limit", issues) as number;
  if (issues.length > 0) throw new DocsError("invalid_request", { issues });
  const after = spec.list && raw.query.page !== undefined ? openCursor(kernel.secrets, named, raw) : undefined;
  return { query: query as Readonly<Record<string, unknown>>, listPart: { after, limit } };
}

/** A parameter that nobody knows is refused, as a member of a body is: silence would hide a mistake. */
function addUnknownParameters(
  { operation: { spec } }: RegisteredOperation,
  { query }: RawInput,
  issues: Issue[],
): void {
  for (const name of Object.keys(query)) {
    const isKnown =
      (spec.query !== undefined && Object.hasOwn(spec.query, name)) ||
      (spec.list !== undefined && (name === "page" || name === "limit"));
    if (isKnown) continue;
    if (issues.length === MAX_ISSUES) return;
    issues.push({ path: truncateForMessage(`query.${name}`), message: "This parameter is not known here." });
  }
}

function isEmpty(body: unknown): boolean {
  return body === undefined || (typeof body === "object" && body !== null && Object.keys(body).length === 0);
}

const querySchemas = new WeakMap<v.ObjectEntries, Schema>();

function querySchema(entries: v.ObjectEntries): Schema {
  const known = querySchemas.get(entries) ?? v.object(entries);
  querySchemas.set(entries, known);
  return known;
}

/** An Idempotency-Key leads to what it made only through the kept answer. */
function checkFree(target: Target, loaded: object): void {
  if (target.isVacant?.(loaded) === false) throw createError("idempotency_key_spent");
}

/**
 * The code of a partition that is made. A repeated request with the same Idempotency-Key must find the one that the
 * first request made, so there is a code for each secret, the current one first.
 */
function freshCodes(kernel: Kernel, actor: Actor, { code, idempotencyKey }: RequestConditions): readonly string[] {
  if (code !== undefined) return [code];
  if (idempotencyKey === undefined) return [generateCode(kernel.store.random)];
  const digests = kernel.secrets.digests("fresh-code", JSON.stringify([actor.credentials, idempotencyKey]));
  return digests.map((digest) => encodeIdText(digest.slice(0, CODE_LENGTH)));
}

/** The partition that a target creates, or has created under an older secret: then the key of a repeated request leads there. */
async function freshPartition(
  kernel: Kernel,
  target: Target,
  params: RawInput["params"],
  [first, ...older]: readonly string[],
): Promise<string | undefined> {
  for (const code of older) {
    const made = target.findPartition(params, code);
    if (made !== undefined && (await kernel.store.read(made)).version > 0) return made;
  }
  return target.findPartition(params, first!);
}

async function checkMatch(
  kernel: Kernel,
  named: RegisteredOperation,
  scope: TargetContext,
  ifMatch: string,
): Promise<void> {
  const guard = kernel.guardOf(named);
  if (!guard) return;
  const { spec } = guard.operation;
  const loaded = await load(spec.target, scope, spec.right).catch((error: unknown) => {
    throw error instanceof Absent ? createError(spec.target.notFoundReason) : error;
  });
  const tag = spec.version
    ? versionTag(await spec.version({ ...loaded, now: scope.now, actor: scope.actor }))
    : etagOf(await spec.handle({ ...scope, ...loaded, query: {}, body: undefined } as never));
  if (!matches(ifMatch, tag, { ignoreCaching: true }))
    throw new DocsError("precondition_failed", { headers: { etag: tag } });
}

function finish(kernel: Kernel, named: RegisteredOperation, raw: RawInput, answer: unknown): OperationResult {
  const { spec } = named.operation;
  const status = spec.status ?? (spec.returns || spec.list ? 200 : 204);
  if (!spec.list) return { status, value: status === 204 ? undefined : answer, replayed: false };
  const { items, lastPosition: last, count, extraFields: beside } = answer as PageOfItems<unknown>;
  const next = last === undefined ? {} : { next: { page: sealCursor(kernel.secrets, named, raw, last) } };
  return { status, value: { ...next, count, ...beside, items }, replayed: false };
}
