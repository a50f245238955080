// Jobs: work that waits. A job is written in the same commit as its cause, so a crash in between loses nothing. The
// process that wrote it runs it at once; `maintain()` of any process runs what was left behind.
//
// A job is stored under the time at which it may be taken. To take it is to move it into the future; that is the lease.
// If a process dies, its job becomes due again. If two processes want a job, only one of them can move it. A process
// that is still at work after a quarter of the lease moves the job again. A job that fails is moved by a growing gap. A
// job that keeps failing is parked with its error, for an admin to look at. Where one process has the storage alone, a job
// that an earlier process had taken is due at once.
//
// A running job is marked as taken, and the mark is removed when it fails. If its lease runs out with the mark still
// there, the job died with its process, or blocks it. It is tried once more. The second time it is parked, so that it
// does not take down every process that finds it. A finished piece resets the count, because a deployment may end a
// process in the middle of long work. An admin who restarts the job resets it too.
//
// So a step runs at least once, and may run twice when a process is slower than its lease. It reads the state as it is,
// not as it was when the job was written, and makes the other side agree with it. A job says what to look at, never
// what to write.

import type { AuditLog } from "../audit/log";
import type { Ports } from "../ports/ports";
import { deriveId, generateId, type Place } from "../storage/ids";
import { decodeKey, encodeKey } from "../storage/key";
import type { ObjectCache } from "../storage/objects";
import type { Entry, Json, Key } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import { type ConcurrencyLimiter, createConcurrencyLimiter } from "../utils/concurrency/concurrency-limiter";
import { omitUndefined } from "../utils/objects";
import type { Outbox } from "./events";
import { endReport, type Progress, report } from "./progress";

/** What a step may use. */
export interface JobContext {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly audit: AuditLog;
  readonly ports: Ports;
  readonly objects: ObjectCache;
  /** Whole contents as they are sent. They have room of their own, because one may be as large as many pages. */
  readonly contents: ObjectCache;
  /** Hears of every failure of a step. */
  readonly onError: (error: unknown) => void;
  /** Takes work that is long and goes on after the answer; undefined: the answer waits for it. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
  /** Hears when `maintain()` is wanted for a job that was put off. */
  readonly onDue?: ((when: Date) => void) | undefined;
}

/** A kind of work, known by its name in the jobs that wait for it. */
export interface JobType<Payload extends Json = Json> {
  readonly name: string;
  /** One bounded piece. `true` says that there is more of it: it is run again. A piece that is long asks now and then
   * whether it may go on, and otherwise ends with `true`. */
  readonly run: (work: JobContext, payload: Payload, mayGoOn?: MayGoOn, end?: End) => Promise<unknown>;
  /** Whether it may take longer than somebody should wait for an answer. */
  readonly isLong?: boolean;
  /** Whether it has a claim on what it works on (`leased-queue.ts`), and with that finds out itself what has ended its processes. */
  readonly hasRunner?: boolean;
  /** Whether it goes on where it stopped and reads nothing that could end a process: how often it died is not counted. */
  readonly isResumed?: boolean;
}

/** Keeps the lease of whoever works on a job, and says how far they are since they took it; false: the answer that waits for
 * it has waited long enough. */
export type MayGoOn = (progress?: Progress) => Promise<boolean>;

/** Deletes the job in a commit of its own step, the last one, so that the end of the job needs no other commit. */
export type End = (tx: Transaction) => void;

/** A job as it is stored; its key has the time it is due and its id. */
export type Job = {
  readonly step: string;
  readonly payload: Json;
  readonly createdAt: number;
  /** How often it was taken. */
  readonly attempts: number;
  /** Why it failed last. */
  readonly error?: string;
  /** Whether somebody has taken it, and has neither ended it nor put it back. */
  readonly isTaken?: boolean;
  /** The process that has taken it, where the storage names it. */
  readonly owner?: string;
  /** How often it was taken and left lying, since a piece of it was last done. */
  readonly deaths?: number;
  /** How far it is, as of the last time that its lease was renewed. */
  readonly progress?: Progress;
};

/** How long whoever has taken a job is left alone with it. */
export const LEASE_MS = 60_000;
/** How often a job is tried before it is parked. */
export const MAX_TRIES = 12;
/** How often work may end with its process before nobody begins it again. */
export const MAX_DEATHS = 2;
/** How long somebody is at a job before they take it anew, when a piece of it is done. */
const RENEW_AFTER_MS = LEASE_MS / 4;
/** The most jobs of a partition that one `maintain()` takes. */
const MOST_TAKEN = 100;
/** Long jobs that one `maintain()` carries out side by side. */
export const LANES = 8;
/** How long an answer waits for a step that is long; what is left then is for `maintain()`. */
const PATIENCE_MS = 5000;
const LONGEST_GAP_MS = 60 * 60 * 1000;

const waiting = encodeKey("job");
const parked = encodeKey("parked-job");
const dueKey = (due: number, id: string) => encodeKey("job", due, id);
const parkedKey = (id: string) => encodeKey("parked-job", id);
/** Written by every commit after which other jobs wait, or are parked, for its version. To move a job to another time does not
 * write it. */
const changed = encodeKey("jobs-changed");

/** Declares a step. */
export function defineJob<Payload extends Json>(
  name: string,
  run: JobType<Payload>["run"],
  options: Pick<JobType, "isLong" | "hasRunner" | "isResumed"> = {},
): JobType<Payload> {
  return { name, run, ...options };
}

/** Puts a job into the transaction, and gives its id. Its step runs after the commit, in this process or in a later
 * one. A job with a time in the future is left for the `maintain()` that finds it due. Asked for twice, with the same step,
 * payload and time, it is one job. */
export function enqueueJob<Payload extends Json>(
  work: JobContext,
  { partition, code }: Place,
  tx: Transaction,
  step: JobType<Payload>,
  payload: Payload,
  when?: Date,
): string {
  const now = work.store.now().getTime();
  tx.put(changed, true);
  if (when && when.getTime() > now) {
    const due = when.getTime();
    const id = deriveId("job", code, JSON.stringify([step.name, payload, due]));
    tx.put(dueKey(due, id), { step: step.name, payload, createdAt: now, attempts: 0 });
    tx.afterCommit(async () => announce(work, when));
    return id;
  }
  const id = generateId("job", code, work.store.random);
  const at = dueKey(now + LEASE_MS, id);
  const job: Job = { step: step.name, payload, createdAt: now, attempts: 1, isTaken: true, ...ownerOf(work) };
  tx.put(at, job);
  tx.afterCommit(async () => {
    const isLeft = step.isLong && work.waitUntil !== undefined;
    const running = carryOut(
      work,
      partition,
      at,
      job,
      step as JobType<never>,
      step.isLong && !isLeft ? PATIENCE_MS : undefined,
    );
    if (isLeft) work.waitUntil!(running);
    else await running;
  });
  return id;
}

/** Tells the host a time. An error of the host does not reach the job. */
function announce({ onDue, onError }: JobContext, when: Date): void {
  try {
    onDue?.(when);
  } catch (error) {
    onError(error);
  }
}

/** What was done in a partition, and what is left to do. */
export interface Done {
  readonly done: number;
  /** When the next job is due; undefined when none waits. */
  readonly next: number | undefined;
}

/** Takes the jobs that are due in a partition, oldest first, and carries them out. One that fails stops no other. */
export async function runJobs(
  work: JobContext,
  partition: string,
  steps: ReadonlyMap<string, JobType<never>>,
): Promise<Done> {
  const { done, rest } = await startJobs(work, partition, steps, createConcurrencyLimiter(LANES));
  return { done: done + (await rest), next: await nextDue(await work.store.read(partition)) };
}

/** The same, without waiting for long jobs: these run side by side in `lanes`, so a host that does not answer delays
 * only its own job. `rest` is how many of them were done. */
export async function startJobs(
  work: JobContext,
  partition: string,
  steps: ReadonlyMap<string, JobType<never>>,
  lanes: ConcurrencyLimiter,
): Promise<{ readonly done: number; readonly rest: Promise<number> }> {
  const now = work.store.now().getTime();
  const view = await work.store.read(partition);
  const due = await listDue(work, partition, view, now);
  const runOne = async (at: Key) => {
    const taken = await take(work, partition, at, steps);
    return taken !== undefined && carryOut(work, partition, taken.at, taken.job, steps.get(taken.job.step));
  };
  const isLong = ({ value }: Entry) => steps.get((value as Job).step)?.isLong === true;
  const count = (results: readonly boolean[]) => results.filter((isDone) => isDone).length;
  const results: boolean[] = [];
  for (const entry of due) if (!isLong(entry)) results.push(await runOne(entry.key));
  const failed = (error: unknown) => {
    work.onError(error);
    return false;
  };
  const long = due.filter(isLong).map(({ key }) => lanes(() => runOne(key).catch(failed)));
  return { done: count(results), rest: Promise.all(long).then(count) };
}

/** The process that works here, for what it takes. */
export function ownerOf({ store }: Pick<JobContext, "store">): { readonly owner?: string } {
  const { owner } = store.storage;
  return owner === undefined ? {} : { owner };
}

/** Whether the process that has taken something is known to have ended. */
export function hasEnded({ store }: Pick<JobContext, "store">, { owner }: { readonly owner?: string }): boolean {
  return owner !== undefined && store.storage.owner !== undefined && owner !== store.storage.owner;
}

/** The partitions in which nothing is left that an earlier process had taken. */
const clearedOn = new WeakMap<Store, Set<string>>();

/** Lists the jobs that are due, the oldest first. Jobs of a process that has ended are due before their lease runs out. */
async function listDue(work: JobContext, partition: string, view: Reader, now: number): Promise<readonly Entry[]> {
  const cleared = clearedOn.get(work.store) ?? new Set();
  clearedOn.set(work.store, cleared);
  if (work.store.storage.owner === undefined || cleared.has(partition))
    return view.list({ under: waiting, before: encodeKey("job", now + 1), limit: MOST_TAKEN });
  const due: Entry[] = [];
  let after: Key | undefined;
  while (due.length < MOST_TAKEN) {
    const rows = await view.list({
      under: waiting,
      after,
      before: encodeKey("job", now + LEASE_MS + 1),
      limit: MOST_TAKEN,
    });
    due.push(...rows.filter((row) => dueOf(row.key) <= now || hasEnded(work, row.value as Job)));
    if (rows.length < MOST_TAKEN) {
      cleared.add(partition);
      break;
    }
    after = rows.at(-1)!.key;
  }
  return due;
}

/** A job that a process works on, under its present key. */
interface Taken {
  readonly at: Key;
  readonly job: Job;
}

/** Takes a job by moving it into the future, unless another process has. A job that ended its processes is parked
 * instead. */
async function take(
  work: JobContext,
  partition: string,
  at: Key,
  steps: ReadonlyMap<string, JobType<never>>,
): Promise<Taken | undefined> {
  const id = idOf(at);
  return work.store.write(partition, async (tx) => {
    const job = (await tx.get(at)) as Job | undefined;
    if (!job) return undefined;
    const { deaths: before = 0, ...rest } = job;
    // A job that this process is still running is slow, not dead.
    const step = steps.get(job.step);
    const isDead = job.isTaken === true && !running(work).has(id) && !step?.hasRunner && !step?.isResumed;
    const deaths = before + (isDead ? 1 : 0);
    tx.delete(at);
    if (deaths >= MAX_DEATHS) {
      tx.put(changed, true);
      tx.put(parkedKey(id), { ...untaken(rest), error: DIED });
      tx.afterCommit(async () => work.onError(new Error(`The job ${id} (${job.step}) was given up. ${DIED}`)));
      return undefined;
    }
    const taken: Taken = {
      at: dueKey(work.store.now().getTime() + LEASE_MS, id),
      job: {
        ...rest,
        attempts: job.attempts + 1,
        isTaken: true,
        ...ownerOf(work),
        ...omitUndefined({ deaths: deaths > 0 ? deaths : undefined }),
      },
    };
    tx.put(taken.at, taken.job);
    return taken;
  });
}

/** The error of a job that is not begun again. */
const DIED = `It ended with its process ${MAX_DEATHS} times, and is not tried again by itself.`;

const runningOn = new WeakMap<Store, Set<string>>();

/** The jobs that this process is running. */
function running({ store }: JobContext): Set<string> {
  const ids = runningOn.get(store) ?? new Set();
  runningOn.set(store, ids);
  return ids;
}

/** Somebody else has taken the job. */
class Lost extends Error {}

/** Runs a job that this process has taken. True when it is done; it never throws. */
async function carryOut(
  work: JobContext,
  partition: string,
  at: Key,
  job: Job,
  step: JobType<never> | undefined,
  patience = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const time = () => work.store.now().getTime();
  const until = time() + patience;
  let taken: Taken = { at, job };
  const before = job.progress?.done ?? 0;
  const mayGoOn: MayGoOn = async (progress) => {
    taken = await renewed(work, partition, taken, progress && { ...progress, done: before + progress.done });
    return time() < until;
  };
  const finish = async (tx: Transaction) => {
    tx.delete(taken.at);
    tx.put(changed, true);
    if (taken.job.progress) await endReport(tx, "job", idOf(at), { status: "completed", at: time() });
  };
  let isEnded = false;
  const end: End = (tx) => {
    tx.delete(taken.at);
    tx.put(changed, true);
    tx.afterCommit(async () => {
      isEnded = true;
    });
  };
  running(work).add(idOf(at));
  try {
    if (!step) throw new Error(`No step is called "${job.step}": was this store written by a newer version?`);
    while ((await step.run(work, job.payload as never, mayGoOn, end)) === true) {
      if (await mayGoOn()) continue;
      const now = time();
      await moveTo(work, partition, taken.at, { at: dueKey(now, idOf(at)), job: untaken(taken.job) });
      announce(work, new Date(now));
      return false;
    }
    if (!isEnded) await work.store.write(partition, finish);
    return true;
  } catch (error) {
    if (error instanceof Lost) return false;
    work.onError(error);
    await putBack(work, partition, taken.at, taken.job, error).catch(work.onError);
    return false;
  } finally {
    running(work).delete(idOf(at));
  }
}

/** Renews the lease of a job that has made progress, if that is worth a commit. */
async function renewed(
  work: JobContext,
  partition: string,
  taken: Taken,
  progress: Progress | undefined = taken.job.progress,
): Promise<Taken> {
  const { deaths = 0, ...rest } = taken.job;
  const now = work.store.now().getTime();
  if (deaths === 0 && now - (dueOf(taken.at) - LEASE_MS) < RENEW_AFTER_MS) return taken;
  const job = progress ? { ...rest, progress } : rest;
  return moveTo(work, partition, taken.at, { at: dueKey(now + LEASE_MS, idOf(taken.at)), job });
}

/** Moves a job of this process to another time. Throws when another process has taken it meanwhile. */
async function moveTo(work: JobContext, partition: string, at: Key, next: Taken): Promise<Taken> {
  await work.store.write(partition, async (tx) => {
    if ((await tx.get(at)) === undefined) throw new Lost();
    tx.delete(at);
    tx.put(next.at, next.job);
    const { progress } = next.job;
    const id = idOf(at);
    if (progress) report(tx, id, { ...progress, work: "job", params: { jobId: id }, at: work.store.now().getTime() });
  });
  return next;
}

function untaken({ isTaken: _, owner: __, ...job }: Job): Job {
  return job;
}

/** Makes a job that failed due again after a gap, or parks it. If even that fails, its lease runs out. */
async function putBack(work: JobContext, partition: string, at: Key, job: Job, error: unknown): Promise<void> {
  const failed: Job = { ...untaken(job), error: sentence(error) };
  await work.store.write(partition, async (tx) => {
    if ((await tx.get(at)) === undefined) return;
    tx.delete(at);
    if (job.attempts >= MAX_TRIES) {
      tx.put(changed, true);
      tx.put(parkedKey(idOf(at)), failed);
      const now = work.store.now().getTime();
      if (job.progress) await endReport(tx, "job", idOf(at), { status: "failed", at: now });
      return;
    }
    const due = work.store.now().getTime() + gapAfter(job.attempts);
    tx.put(dueKey(due, idOf(at)), failed);
    tx.afterCommit(async () => announce(work, new Date(due)));
  });
}

/** 1 s, 2 s, 4 s … up to an hour. */
function gapAfter(attempts: number): number {
  return Math.min(LONGEST_GAP_MS, 1000 * 2 ** (attempts - 1));
}

/** A job with its id and, unless it is parked, the time at which it is due. */
export interface KnownJob {
  readonly id: string;
  readonly job: Job;
  readonly due: number | undefined;
  readonly position: Key;
}

/** The jobs of a partition: those that wait, by their time, or those that were given up. */
export async function listJobs(
  view: Reader,
  which: "waiting" | "parked",
  after: Key | undefined,
  limit: number,
): Promise<KnownJob[]> {
  const entries = await view.list({ under: which === "parked" ? parked : waiting, after, limit });
  return entries.map((entry) => ({
    id: idOf(entry.key),
    job: entry.value as Job,
    due: which === "parked" ? undefined : dueOf(entry.key),
    position: entry.key,
  }));
}

/** While it is the same, the same jobs wait and the same ones are parked, though some may be due at another time. */
export async function jobsChangedAt(view: Reader): Promise<string> {
  return String(await view.versionOf(changed));
}

/** A job that was given up. */
export async function parkedJob(view: Reader, id: string): Promise<Job | undefined> {
  return (await view.get(parkedKey(id))) as Job | undefined;
}

/** Lets a job that was given up start anew, due at once. */
export function unpark(tx: Transaction, id: string, job: Job, now: Date): Job {
  const { error: _, deaths: __, ...rest } = job;
  const fresh: Job = { ...rest, attempts: 0 };
  tx.delete(parkedKey(id));
  tx.put(changed, true);
  tx.put(dueKey(now.getTime(), id), fresh);
  return fresh;
}

/** When the next job of a partition is due; undefined when none waits. */
export async function nextDue(view: Reader): Promise<number | undefined> {
  const [first] = await view.list({ under: waiting, limit: 1 });
  return first && dueOf(first.key);
}

/** Counting stops here, for each partition. */
const MOST_COUNTED = 1000;

/** What waits in a partition. */
export interface Outlook {
  /** When the first job is due; undefined: none waits. */
  readonly due: number | undefined;
  /** The jobs that wait, by the names of their steps. */
  readonly waiting: ReadonlyMap<string, number>;
  readonly parked: number;
}

/** What waits in a partition, for those who watch over it. */
export async function outlook(view: Reader): Promise<Outlook> {
  const entries = await view.list({ under: waiting, limit: MOST_COUNTED });
  const counts = new Map<string, number>();
  for (const { value } of entries) {
    const { step } = value as Job;
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const given = await view.list({ under: parked, limit: MOST_COUNTED });
  return { due: entries[0] && dueOf(entries[0].key), waiting: counts, parked: given.length };
}

function dueOf(at: Key): number {
  return decodeKey(at)[1] as number;
}

function idOf(at: Key): string {
  return decodeKey(at).at(-1) as string;
}

/** The error of a job, short enough to store. Admins see it, so it is only the error's own sentence. */
function sentence(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
