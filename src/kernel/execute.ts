// The road of every call, with or without HTTP: scope, input, target, right, handler, commit. An operation can neither
// add to it nor skip a part, so what holds for one operation holds for all.

import * as v from "valibot";
import { DocsError, failure, type Issue, invalid } from "../errors";
import { check, MAX_ISSUES } from "../operation/check";
import { MAX_HOPS, Moved } from "../operation/moved";
import { type Actor, type Listing, nobody, type Schema, type Scope, type Target } from "../operation/operation";
import { Outdated, untilUpToDate } from "../operation/outdated";
import { shortened } from "../operation/received";
import { holdsScope } from "../roles";
import { Bytes } from "../sent";
import { CODE_LENGTH, DIRECTORY, idText, newCode, newId } from "../store/ids";
import { objectsIn } from "../store/objects";
import { Conflict } from "../store/storage";
import { MAX_ATTEMPTS, type Reader, type Seen, TooMuchAtOnce, type Transaction } from "../store/transaction";
import type { OutgoingEvent } from "../work/events";
import { later } from "../work/jobs";
import type { Basis } from "./answers";
import { openCursor, sealCursor } from "./cursor";
import { etagOf, isOpenEnded, matches, versionTag } from "./etag";
import { recall, remember } from "./idempotency";
import type { Caller, Conditions, Kernel, Named, Outcome, RawInput } from "./kernel";

/** How many rows a page has unless it is said, and at the most. */
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
  named: Named,
  raw: RawInput,
  caller: Caller,
  conditions: Conditions = {},
): Promise<Outcome> {
  const { operation } = named;
  const { spec } = operation;
  const actor = admit(named, caller.actor);
  // A GET makes no partition, and random bytes take time.
  const code = operation.method === "GET" ? "" : freshCode(kernel, actor, conditions.idempotencyKey);
  let partition = hasWellFormedIds(raw.params) ? spec.on.partition(raw.params, code) : undefined;
  let cameFrom: string | undefined;
  for (let hop = 0; partition !== undefined && hop <= MAX_HOPS; hop++) {
    try {
      return await executeIn(
        { partition, cameFrom },
        kernel,
        named,
        raw,
        { actor, directory: caller.directory },
        conditions,
      );
    } catch (error) {
      if (error instanceof Absent) break;
      if (error instanceof TooMuchAtOnce) throw new DocsError("too_much_at_once", { cause: error });
      if (!(error instanceof Moved)) throw error;
      cameFrom = partition;
      partition = error.partition;
    }
  }
  checkQuery(kernel, named, raw);
  return withoutTarget(kernel, named, raw, caller);
}

/** Thrown where what the path names is absent, or hidden from the caller. */
class Absent extends Error {}

/** A DELETE of something absent or hidden has nothing to do, if the caller sees everything above it: 204. Every other
 * operation fails. */
async function withoutTarget(kernel: Kernel, named: Named, { params }: RawInput, caller: Caller): Promise<Outcome> {
  const parents = kernel.parentsOf(named);
  if (!parents) throw failure(named.operation.spec.on.absent);
  for (const parent of parents) {
    const above = Object.fromEntries(parent.operation.params.map((name) => [name, params[name]!]));
    await execute(kernel, parent, { params: above, query: {}, body: undefined }, caller);
  }
  return { status: 204, value: undefined, replayed: false };
}

/** Runs one operation in the partition where its target may live. */
async function executeIn(
  { partition, cameFrom }: { readonly partition: string; readonly cameFrom: string | undefined },
  kernel: Kernel,
  named: Named,
  raw: RawInput,
  caller: Caller & { readonly actor: Actor },
  conditions: Conditions,
): Promise<Outcome> {
  const { operation } = named;
  const { spec } = operation;
  const { actor } = caller;
  const isGet = operation.method === "GET";
  const now = kernel.store.now();
  const first = isGet ? await (partition === DIRECTORY ? caller.directory : kernel.store.read(partition)) : undefined;
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const basis =
    first && conditions.url !== undefined ? basisOf(conditions.url, caller, { partition, hour }, first) : undefined;
  const kept = basis && kernel.answers.find(basis);
  if (kept) return { status: 200, value: undefined, replayed: false, kept };

  const { query, page } = checkQuery(kernel, named, raw);
  let checked: { readonly body: unknown } | undefined;
  /** The body is checked when it is first used: by a target that the body names, otherwise after the right was
   * checked. */
  const bodyOf = () => {
    checked ??= { body: checkBody(named, raw) };
    return checked.body;
  };
  let looksElsewhere = false;
  const { urls, secrets, about, work } = kernel;
  const born = partition === DIRECTORY ? "" : partition.slice(-CODE_LENGTH);
  // Loaded values are assigned to the context in place. Spreading both into a new object costs a tenth of a small
  // request.
  const contextOf = (tx: Reader) => ({
    tx,
    directory: partition === DIRECTORY ? tx : caller.directory,
    actor,
    params: raw.params,
    query,
    get body() {
      return bodyOf();
    },
    request: raw.request,
    page,
    now,
    code: born,
    cameFrom,
    isWriting: !isGet && !spec.isQuestion,
    peek(elsewhere: string) {
      looksElsewhere = true;
      return kernel.store.read(elsewhere);
    },
    get objects() {
      return objectsIn(kernel.store, kernel.work.objects, tx);
    },
    urls,
    secrets,
    about,
    parts: work.parts,
    work,
  });
  const newIdHere = (kind: Parameters<typeof newId>[0]) => newId(kind, born, kernel.store.random);
  const key = operation.method === "POST" && !spec.isQuestion ? conditions.idempotencyKey : undefined;
  // Callers without credentials share one actor, so an answer kept for it would be shown to everybody.
  const request =
    key === undefined || actor === nobody ? undefined : { key, credentials: actor.credentials, named, raw };

  /** Loads the target and checks the right, then the body. So only callers with the right learn what is wrong with the
   * body. */
  async function enter(scope: Scope): Promise<object> {
    const loaded = await load(spec.on, scope, spec.right);
    bodyOf();
    return loaded;
  }

  if (isGet) {
    const context = contextOf(first!);
    const loaded = await enter(context);
    const etag = spec.version && versionTag(await spec.version(Object.assign(context, loaded)));
    if (etag && !isOpenEnded(etag) && conditions.ifNoneMatch !== undefined && matches(conditions.ifNoneMatch, etag))
      return { status: 304, value: undefined, etag, replayed: false };
    const isKept = basis !== undefined && (await mayServeAgain(spec, loaded, context));
    const answer = await spec.handle(Object.assign(context, loaded) as never);
    const outcome = { ...finish(kernel, named, raw, answer), ...(etag ? { etag } : {}) };
    if (!isKept) return outcome;
    if (!looksElsewhere) return { ...outcome, keep: (sent) => kernel.answers.keep(basis, sent) };
    if (spec.kept === undefined)
      work.onError(new Error(`${named.name} looks into another partition: its answer cannot be kept.`));
    return outcome;
  }

  /** Runs work before the transaction, after the right was checked. Gives its result, or the kept answer of an
   * Idempotency-Key. */
  async function ahead(
    run: (context: never) => Promise<unknown>,
    more: { readonly gathered?: unknown; readonly ifMatch?: string | undefined },
  ): Promise<{ readonly done: Outcome } | { readonly value: unknown; readonly seen: Seen | undefined }> {
    const look = partition === DIRECTORY ? undefined : await kernel.store.look(partition);
    const context = contextOf(look ? look.view : caller.directory);
    const loaded = await enter(context);
    const earlier = request && (await recall(kernel, context.tx, request, now));
    if (earlier) return { done: { ...earlier, replayed: true } };
    checkFree(spec.on, loaded);
    if (more.ifMatch !== undefined) await checkMatch(kernel, named, context, more.ifMatch);
    const preparing = { store: kernel.store, partition, newId: newIdHere, gathered: more.gathered };
    return { value: await run(Object.assign(context, loaded, preparing) as never), seen: look?.seen };
  }

  async function attempt(gathered: unknown, leave: () => void): Promise<Outcome> {
    const before = spec.prepare && (await ahead(spec.prepare, { gathered }));
    if (before && "done" in before) return before.done;
    const prepared = before?.value;
    const writeWith = async (tx: Transaction): Promise<Outcome> => {
      // The steps after the commit may call the API and wait for it. So the turn ends with the commit.
      tx.afterCommit(async () => leave());
      const context = contextOf(tx);
      const loaded = await enter(context);
      const earlier = request && (await recall(kernel, tx, request, now));
      if (earlier) return { ...earlier, replayed: true };
      checkFree(spec.on, loaded);
      if (conditions.ifMatch !== undefined) await checkMatch(kernel, named, context, conditions.ifMatch);
      const place = { partition, code: born };
      const writing = {
        prepared,
        random: kernel.store.random,
        newId: newIdHere,
        later: (step: Parameters<typeof later>[3], payload: never, when?: Date) =>
          later(kernel.work, place, tx, step, payload, when),
        emit: (event: OutgoingEvent) => kernel.work.outbox.emit(place, tx, event),
      };
      const answer = await spec.handle(Object.assign(context, loaded, writing) as never);
      const outcome = finish(kernel, named, raw, answer);
      if (request) await remember(kernel, tx, request, outcome, now);
      return outcome;
    };
    return kernel.store.write(partition, writeWith, before?.seen);
  }
  // `gather` waits for other hosts, so it runs before this call takes its turn.
  const gather = spec.gathers?.(raw.body) === false ? undefined : spec.gather;
  const gathered = gather && (await ahead(gather, { ifMatch: conditions.ifMatch }));
  if (gathered && "done" in gathered) return gathered.done;
  const carryOut = (leave: () => void) =>
    untilUpToDate(kernel.store, MAX_ATTEMPTS, () => attempt(gathered?.value, leave)).catch(outrun);
  return spec.inTurn ? kernel.turns(raw.params[spec.inTurn]!, carryOut) : carryOut(() => {});
}

/** Whether an answer may serve again, as the operation and its target declare it. */
async function mayServeAgain({ kept, returns, on }: Named["operation"]["spec"], loaded: object, scope: Scope) {
  if (kept === false || returns === Bytes) return false;
  return on.isKept === undefined || (await on.isKept(loaded, scope));
}

/** An operation that never met the state it had prepared for gives way to the others. */
function outrun(error: unknown): never {
  throw error instanceof Outdated
    ? new Conflict(`Others changed the same thing ${MAX_ATTEMPTS} times in a row.`)
    : error;
}

const HOUR_MS = 60 * 60 * 1000;

function basisOf(
  url: string,
  { actor, directory }: Caller & { readonly actor: Actor },
  { partition, hour }: { readonly partition: string; readonly hour: number },
  { version }: Reader,
): Basis {
  return { url, credentials: actor.credentials, directory: directory.version, partition, version, hour };
}

/** An id that we could not have made leads nowhere, and nothing is read to find that out. */
function hasWellFormedIds(params: Readonly<Record<string, string>>): boolean {
  return Object.entries(params).every(([name, value]) => !name.endsWith("Id") || /^[A-Za-z0-9_-]{1,64}$/.test(value));
}

/** The caller, if the token's scopes include the operation, by its resource or by its name. Without that, the caller of
 * an open operation is nobody. */
function admit(named: Named, actor: Actor | undefined): Actor {
  const held = actor?.scopes;
  if (actor && (!held || holdsScope(held, named.scope) || held.includes(named.name))) return actor;
  if (named.operation.spec.on.open) return nobody;
  throw actor ? failure("scope_missing", { scope: named.scope }) : failure("unauthorized");
}

/** Throws `Absent` when the target is absent or hidden, and 403 when it is visible and the right is not held. */
async function load(target: Target, scope: Scope, right: string): Promise<object> {
  const loaded = await target.load(scope);
  const rights = target.rights as Record<string, (loaded: object) => boolean>;
  if (!loaded || !rights.view!(loaded)) throw new Absent();
  if (!rights[right]!(loaded)) throw failure("forbidden");
  return loaded;
}

function checkBody({ operation: { spec } }: Named, { body }: RawInput): unknown {
  if (!spec.body && !isEmpty(body)) throw invalid("body", "This operation takes no body.");
  if (!spec.body) return undefined;
  const issues: Issue[] = [];
  const checked = check(spec.body, body === undefined ? {} : body, "body", issues);
  if (issues.length > 0) throw new DocsError("invalid_request", { issues });
  return checked;
}

function checkQuery(kernel: Kernel, named: Named, raw: RawInput) {
  const { spec } = named.operation;
  const issues: Issue[] = [];
  const query = spec.query ? check(querySchema(spec.query), raw.query, "query", issues) : {};
  if (!spec.takesRequest && !spec.takesAnyQuery) addUnknownParameters(named, raw, issues);
  let limit = DEFAULT_LIMIT;
  if (spec.list && raw.query.limit !== undefined)
    limit = check(limitShape, raw.query.limit, "query.limit", issues) as number;
  if (issues.length > 0) throw new DocsError("invalid_request", { issues });
  const after = spec.list && raw.query.page !== undefined ? openCursor(kernel.secrets, named, raw) : undefined;
  return { query: query as Readonly<Record<string, unknown>>, page: { after, limit } };
}

/** A parameter that nobody knows is refused, as a member of a body is: silence would hide a mistake. */
function addUnknownParameters({ operation: { spec } }: Named, { query }: RawInput, issues: Issue[]): void {
  for (const name of Object.keys(query)) {
    const isKnown =
      (spec.query !== undefined && Object.hasOwn(spec.query, name)) ||
      (spec.list !== undefined && (name === "page" || name === "limit"));
    if (isKnown) continue;
    if (issues.length === MAX_ISSUES) return;
    issues.push({ path: shortened(`query.${name}`), message: "This parameter is not known here." });
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
  if (target.isFree?.(loaded) === false) throw failure("idempotency_key_spent");
}

/** A repeated request with the same Idempotency-Key must find the partition that the first one made. */
function freshCode(kernel: Kernel, actor: Actor, idempotencyKey: string | undefined): string {
  if (idempotencyKey === undefined) return newCode(kernel.store.random);
  const digest = kernel.secrets.digest("fresh-code", JSON.stringify([actor.credentials, idempotencyKey]));
  return idText(digest.slice(0, CODE_LENGTH));
}

async function checkMatch(kernel: Kernel, named: Named, scope: Scope, ifMatch: string): Promise<void> {
  const guard = kernel.guardOf(named);
  if (!guard) return;
  const { spec } = guard.operation;
  const loaded = await load(spec.on, scope, spec.right).catch((error: unknown) => {
    throw error instanceof Absent ? failure(spec.on.absent) : error;
  });
  const tag = spec.version
    ? versionTag(await spec.version({ ...loaded, now: scope.now, actor: scope.actor }))
    : etagOf(await spec.handle({ ...scope, ...loaded, query: {}, body: undefined } as never));
  if (!matches(ifMatch, tag, { ignoreCaching: true }))
    throw new DocsError("precondition_failed", { headers: { etag: tag } });
}

function finish(kernel: Kernel, named: Named, raw: RawInput, answer: unknown): Outcome {
  const { spec } = named.operation;
  const status = spec.status ?? (spec.returns || spec.list ? 200 : 204);
  if (!spec.list) return { status, value: status === 204 ? undefined : answer, replayed: false };
  const { items, last, count, stats } = answer as Listing<unknown>;
  const next = last === undefined ? {} : { next: { page: sealCursor(kernel.secrets, named, raw, last) } };
  return { status, value: { ...next, count, ...(stats ? { stats } : {}), items }, replayed: false };
}
