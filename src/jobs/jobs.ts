// Jobs: work that is done after a commit. A job is written in the same commit as its cause, so a crash in between loses nothing.
// The process that wrote it runs it at once. `maintain()` of any process runs the jobs that are left.
//
// A job is stored under the time at which it may be taken. To take it, a process moves it into the future; that is the lease. If the
// process dies, the job becomes due again. If two processes want a job, only one of them can move it. A process that is still at work
// after a quarter of the lease moves the job again. A job that fails is retried after a growing delay. A job that keeps failing is
// parked with its error, for an admin to look at. If one process has the storage to itself, a job that an earlier process had taken is
// due at once.
//
// A running job is marked as taken, and the mark is removed if it fails. If its lease expires with the mark still there, the job died
// with its process, or blocks it. It is tried once more. The second time it is parked, so that it does not take down every process
// that finds it. A finished piece resets the count, because a deployment may end a process in the middle of long work. An admin who
// restarts the job resets it too.
//
// So a job runs at least once, and may run twice if a process is slower than its lease. It reads the state as it is, not as it was
// when the job was written, and makes the other side agree with it. A job says what to look at, never what to write.

import type { AuditLog } from "../audit/log";
import type { Ports } from "../ports/ports";
import { deriveId, generateId, type PartitionRef } from "../storage/ids";
import { decodeKey, encodeKey } from "../storage/key";
import type { ObjectCache } from "../storage/objects";
import type { Entry, Json, Key } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import type { ConcurrencyLimiter } from "../utils/concurrency/concurrency-limiter";
import { omitUndefined } from "../utils/objects";
import type { VersionedCache } from "../utils/versioned-cache";
import type { Outbox } from "./outbox";
import { endProgress, type Progress, reportProgress } from "./progress";

/** Everything that a job may use. */
export interface JobContext {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly audit: AuditLog;
  readonly ports: Ports;
  readonly objects: ObjectCache;
  /** Caches complete contents as they are sent. It is separate, because one may be as large as many pages. */
  readonly contents: VersionedCache;
  /** Called with every error of a job. */
  readonly onError: (error: unknown) => void;
  /** Takes long work that continues after the response; undefined: the response waits for it. */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
  /** Called with the time at which `maintain()` should run, when a job is put off until then. */
  readonly onDue?: ((when: Date) => void) | undefined;
}

/** A kind of job. Stored jobs refer to it by its name. */
export interface JobType<Payload extends Json = Json> {
  readonly name: string;
  /**
   * Does one bounded piece of the work. Returns `true` if there is more, and is then called again. A long piece asks now and then if it
   * may continue, and otherwise ends with `true`.
   */
  readonly run: (
    jobContext: JobContext,
    payload: Payload,
    canContinue?: CanContinue,
    endJob?: EndJob,
  ) => Promise<unknown>;
  /** True if it may take longer than a response should wait. */
  readonly isLong?: boolean;
  /** True if it leases what it works on (`leased-queue.ts`), and so finds out itself what has ended its processes. */
  readonly hasRunner?: boolean;
  /** True if it continues where it stopped and reads nothing that could end a process. Its deaths are not counted. */
  readonly isResumed?: boolean;
}

/**
 * Renews the lease of a running job, and reports its progress since it was taken. Returns false if the response that waits for the job
 * has waited long enough.
 */
export type CanContinue = (progress?: Progress) => Promise<boolean>;

/** Deletes the job in the last commit that it makes itself, so that its end needs no other commit. */
export type EndJob = (tx: Transaction) => void;

/** A job as it is stored. Its key has the time at which it is due, and its id. */
export type Job = {
  /** The name of its type. */
  readonly step: string;
  readonly payload: Json;
  readonly createdAt: number;
  /** The number of times that it was taken. */
  readonly attempts: number;
  readonly error?: string;
  /** True if a process has taken it, and has neither finished it nor put it back. */
  readonly isTaken?: boolean;
  /** The process that has taken it, if the storage identifies it. */
  readonly owner?: string;
  /** The number of times that it was taken and abandoned since a piece of it was last finished. */
  readonly deaths?: number;
  /** Its progress when its lease was last renewed. */
  readonly progress?: Progress;
};

/** The time for which a job that was taken is left alone. */
export const LEASE_MS = 60_000;
/** A job that failed this often is parked. */
export const MAX_ATTEMPTS = 12;
/** Work that ended with its process this often is not begun again. */
export const MAX_DEATHS = 2;
/** The lease of a job is renewed after this time, when a piece of it is finished. */
const RENEW_AFTER_MS = LEASE_MS / 4;
/** The most jobs of a partition that one `maintain()` takes. */
const MAX_TAKEN_JOBS = 100;
/** The most long jobs that one `maintain()` runs side by side. */
export const MAX_PARALLEL_JOBS = 8;
/** A response waits this long for a long job. The rest is left for `maintain()`. */
const RESPONSE_PATIENCE_MS = 5000;
const MAX_RETRY_DELAY_MS = 60 * 60 * 1000;

const PENDING_PREFIX = encodeKey("job");
const PARKED_PREFIX = encodeKey("parked-job");

export const jobKeys = {
  pending: (due: number, id: string): Key => encodeKey("job", due, id),
  parked: (id: string): Key => encodeKey("parked-job", id),
  parseDueTime: (key: Key) => decodeKey(key)[1] as number,
  parseId: (key: Key) => decodeKey(key).at(-1) as string,
  /** Written by every commit that changes which jobs are pending or parked. Only its version counts. */
  changed: encodeKey("jobs-changed"),
};

export function defineJob<Payload extends Json>(
  name: string,
  run: JobType<Payload>["run"],
  options: Pick<JobType, "isLong" | "hasRunner" | "isResumed"> = {},
): JobType<Payload> {
  return { name, run, ...options };
}

/**
 * Puts a job into the transaction and returns its id. It runs after the commit, in this process or in a later one. A job with a time in
 * the future is left for the `maintain()` that finds it due. If it is enqueued twice with the same type, payload and time, it is one job.
 */
export function enqueueJob<Payload extends Json>(
  jobContext: JobContext,
  { partition, code }: PartitionRef,
  tx: Transaction,
  jobType: JobType<Payload>,
  payload: Payload,
  when?: Date,
): string {
  const { store, waitUntil } = jobContext;
  const now = store.now().getTime();
  tx.put(jobKeys.changed, true);
  if (when && when.getTime() > now) {
    const due = when.getTime();
    const id = deriveId("job", code, JSON.stringify([jobType.name, payload, due]));
    tx.put(jobKeys.pending(due, id), { step: jobType.name, payload, createdAt: now, attempts: 0 });
    tx.afterCommit(async () => announceDueTime(jobContext, when));
    return id;
  }

  const id = generateId("job", code, store.random);
  const key = jobKeys.pending(now + LEASE_MS, id);
  const job: Job = {
    step: jobType.name,
    payload,
    createdAt: now,
    attempts: 1,
    isTaken: true,
    // The process that works here
    ...omitUndefined({ owner: store.storage.owner }),
  };
  tx.put(key, job);
  tx.afterCommit(async () => {
    const isLeft = jobType.isLong && waitUntil !== undefined;
    const patienceMs = jobType.isLong && !isLeft ? RESPONSE_PATIENCE_MS : undefined;
    const running = runTakenJob(jobContext, partition, { key, job }, jobType as JobType<never>, patienceMs);
    if (isLeft) waitUntil(running);
    else await running;
  });
  return id;
}

/** Tells the host when `maintain()` should run. An error of the host does not reach the job. */
function announceDueTime({ onDue, onError }: JobContext, when: Date): void {
  try {
    onDue?.(when);
  } catch (error) {
    onError(error);
  }
}

/** The partitions in which nothing is left that an earlier process had taken. */
const clearedPartitions = new WeakMap<Store, Set<string>>();

/**
 * Runs the jobs of a partition that are due, without waiting for long ones. These run side by side, within the limiter, so a host that
 * does not respond delays only its own job. `rest` is the number of long jobs that were done.
 */
export async function startJobs(
  jobContext: JobContext,
  partition: string,
  jobTypes: ReadonlyMap<string, JobType<never>>,
  limiter: ConcurrencyLimiter,
): Promise<{ readonly done: number; readonly rest: Promise<number> }> {
  const { store } = jobContext;
  const now = store.now().getTime();
  const view = await store.read(partition);
  const cleared = clearedPartitions.get(store) ?? new Set();
  clearedPartitions.set(store, cleared);

  // The jobs that are due, the oldest first. Jobs of a process that has ended are due before their lease expires.
  const dueJobs: Entry[] = [];
  if (store.storage.owner === undefined || cleared.has(partition)) {
    const before = encodeKey("job", now + 1);
    dueJobs.push(...(await view.list({ under: PENDING_PREFIX, before, limit: MAX_TAKEN_JOBS })));
  } else {
    const before = encodeKey("job", now + LEASE_MS + 1);
    let after: Key | undefined;
    while (dueJobs.length < MAX_TAKEN_JOBS) {
      const entries = await view.list({ under: PENDING_PREFIX, after, before, limit: MAX_TAKEN_JOBS });
      for (const entry of entries)
        if (jobKeys.parseDueTime(entry.key) <= now || hasOwnerEnded(jobContext, entry.value as Job))
          dueJobs.push(entry);
      if (entries.length < MAX_TAKEN_JOBS) {
        cleared.add(partition);
        break;
      }
      after = entries.at(-1)!.key;
    }
  }

  const takeAndRun = async (key: Key) => {
    const taken = await takeJob(jobContext, partition, key, jobTypes);
    return taken !== undefined && runTakenJob(jobContext, partition, taken, jobTypes.get(taken.job.step));
  };
  const isLong = ({ value }: Entry) => jobTypes.get((value as Job).step)?.isLong === true;

  let done = 0;
  for (const entry of dueJobs) if (!isLong(entry) && (await takeAndRun(entry.key))) done++;

  const longJobs = dueJobs.filter(isLong).map(({ key }) =>
    limiter(() => takeAndRun(key)).catch((error: unknown) => {
      jobContext.onError(error);
      return false;
    }),
  );
  return { done, rest: Promise.all(longJobs).then((results) => results.filter((isDone) => isDone).length) };
}

/** Returns true if the process that has taken something is known to have ended. */
export function hasOwnerEnded({ store }: Pick<JobContext, "store">, { owner }: { readonly owner?: string }): boolean {
  return owner !== undefined && store.storage.owner !== undefined && owner !== store.storage.owner;
}

/** A job that this process works on, under its present key. */
interface TakenJob {
  readonly key: Key;
  readonly job: Job;
}

/** The error of a job that is not begun again. */
const DIED_MESSAGE = `It ended with its process ${MAX_DEATHS} times, and is not tried again by itself.`;

/** Takes a job by moving it into the future, unless another process has. Parks it instead if it has ended its processes. */
async function takeJob(
  jobContext: JobContext,
  partition: string,
  key: Key,
  jobTypes: ReadonlyMap<string, JobType<never>>,
): Promise<TakenJob | undefined> {
  const { store, onError } = jobContext;
  const id = jobKeys.parseId(key);
  return store.write(partition, async (tx) => {
    const job = (await tx.get(key)) as Job | undefined;
    if (!job) return undefined;
    tx.delete(key);

    // A job that this process is still running is slow, not dead.
    const { deaths: earlierDeaths = 0, ...rest } = job;
    const jobType = jobTypes.get(job.step);
    const isRunning = getRunningIds(jobContext).has(id);
    const hasDied = job.isTaken === true && !isRunning && !jobType?.hasRunner && !jobType?.isResumed;
    const deaths = earlierDeaths + (hasDied ? 1 : 0);
    if (deaths >= MAX_DEATHS) {
      tx.put(jobKeys.changed, true);
      tx.put(jobKeys.parked(id), { ...removeOwner(rest), error: DIED_MESSAGE });
      tx.afterCommit(async () => onError(new Error(`The job ${id} (${job.step}) was given up. ${DIED_MESSAGE}`)));
      return undefined;
    }

    const taken: TakenJob = {
      key: jobKeys.pending(store.now().getTime() + LEASE_MS, id),
      job: {
        ...rest,
        attempts: job.attempts + 1,
        isTaken: true,
        ...omitUndefined({ owner: store.storage.owner, deaths: deaths > 0 ? deaths : undefined }),
      },
    };
    tx.put(taken.key, taken.job);
    return taken;
  });
}

const runningIdsByStore = new WeakMap<Store, Set<string>>();

function getRunningIds({ store }: JobContext): Set<string> {
  const ids = runningIdsByStore.get(store) ?? new Set();
  runningIdsByStore.set(store, ids);
  return ids;
}

/** Thrown if another process has taken the job. */
class JobLostError extends Error {}

/** Runs a job that this process has taken. Returns true if it is finished. It never throws. */
async function runTakenJob(
  jobContext: JobContext,
  partition: string,
  takenJob: TakenJob,
  jobType: JobType<never> | undefined,
  patienceMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { store, onError } = jobContext;
  const { job } = takenJob;
  const id = jobKeys.parseId(takenJob.key);
  const getTime = () => store.now().getTime();
  const deadline = getTime() + patienceMs;
  let taken = takenJob;
  let isEnded = false;

  const earlierDone = job.progress?.done ?? 0;
  const canContinue: CanContinue = async (progress) => {
    // The lease of a job that has made progress is renewed, if that is worth a commit.
    const { deaths = 0, ...rest } = taken.job;
    const now = getTime();
    const takenAt = jobKeys.parseDueTime(taken.key) - LEASE_MS;
    if (deaths > 0 || now - takenAt >= RENEW_AFTER_MS) {
      const total = progress ? { ...progress, done: earlierDone + progress.done } : rest.progress;
      const renewed = { ...rest, ...omitUndefined({ progress: total }) };
      taken = await moveJob(jobContext, partition, taken.key, {
        key: jobKeys.pending(now + LEASE_MS, id),
        job: renewed,
      });
    }
    return getTime() < deadline;
  };
  const endJob: EndJob = (tx) => {
    tx.delete(taken.key);
    tx.put(jobKeys.changed, true);
    tx.afterCommit(async () => {
      isEnded = true;
    });
  };

  getRunningIds(jobContext).add(id);
  try {
    if (!jobType) throw new Error(`No step is called "${job.step}": was this store written by a newer version?`);
    while ((await jobType.run(jobContext, job.payload as never, canContinue, endJob)) === true) {
      if (await canContinue()) continue;
      const now = getTime();
      await moveJob(jobContext, partition, taken.key, { key: jobKeys.pending(now, id), job: removeOwner(taken.job) });
      announceDueTime(jobContext, new Date(now));
      return false;
    }
    if (!isEnded)
      await store.write(partition, async (tx) => {
        tx.delete(taken.key);
        tx.put(jobKeys.changed, true);
        if (taken.job.progress) await endProgress(tx, "job", id, { status: "completed", at: getTime() });
      });
    return true;
  } catch (error) {
    if (error instanceof JobLostError) return false;
    onError(error);
    await retryOrPark(jobContext, partition, taken, error).catch(onError);
    return false;
  } finally {
    getRunningIds(jobContext).delete(id);
  }
}

/** Moves a job of this process to another time. Throws if another process has taken it in the meantime. */
async function moveJob(jobContext: JobContext, partition: string, key: Key, moved: TakenJob): Promise<TakenJob> {
  const { store } = jobContext;
  await store.write(partition, async (tx) => {
    if ((await tx.get(key)) === undefined) throw new JobLostError();
    tx.delete(key);
    tx.put(moved.key, moved.job);
    const { progress } = moved.job;
    const jobId = jobKeys.parseId(key);
    if (progress) reportProgress(tx, jobId, { ...progress, work: "job", params: { jobId }, at: store.now().getTime() });
  });
  return moved;
}

function removeOwner({ isTaken: _, owner: __, ...job }: Job): Job {
  return job;
}

/** Makes a job that failed due again after a delay, or parks it. If even that fails, its lease expires. */
async function retryOrPark(
  jobContext: JobContext,
  partition: string,
  { key, job }: TakenJob,
  error: unknown,
): Promise<void> {
  const { store } = jobContext;
  const id = jobKeys.parseId(key);
  // Admins see the error, so it is only its message, and short enough to store.
  const message = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  const failedJob: Job = { ...removeOwner(job), error: message };

  await store.write(partition, async (tx) => {
    if ((await tx.get(key)) === undefined) return;
    tx.delete(key);
    if (job.attempts >= MAX_ATTEMPTS) {
      tx.put(jobKeys.changed, true);
      tx.put(jobKeys.parked(id), failedJob);
      const now = store.now().getTime();
      if (job.progress) await endProgress(tx, "job", id, { status: "failed", at: now });
      return;
    }
    // 1 s, 2 s, 4 s … up to an hour.
    const delayMs = Math.min(MAX_RETRY_DELAY_MS, 1000 * 2 ** (job.attempts - 1));
    const due = store.now().getTime() + delayMs;
    tx.put(jobKeys.pending(due, id), failedJob);
    tx.afterCommit(async () => announceDueTime(jobContext, new Date(due)));
  });
}

/** A job with its id and, unless it is parked, the time at which it is due. */
export interface ListedJob {
  readonly id: string;
  readonly job: Job;
  readonly due: number | undefined;
  readonly position: Key;
}

/** Lists the jobs of a partition: the pending ones by their time, or the parked ones. */
export async function listJobs(
  view: Reader,
  which: "waiting" | "parked",
  after: Key | undefined,
  limit: number,
): Promise<ListedJob[]> {
  const isParked = which === "parked";
  const entries = await view.list({ under: isParked ? PARKED_PREFIX : PENDING_PREFIX, after, limit });
  return entries.map(({ key, value }) => ({
    id: jobKeys.parseId(key),
    job: value as Job,
    due: isParked ? undefined : jobKeys.parseDueTime(key),
    position: key,
  }));
}

/** Restarts a job that was given up, due at once. */
export function restartParkedJob(tx: Transaction, id: string, job: Job, now: Date): Job {
  const { error: _, deaths: __, ...rest } = job;
  const restartedJob: Job = { ...rest, attempts: 0 };
  tx.delete(jobKeys.parked(id));
  tx.put(jobKeys.changed, true);
  tx.put(jobKeys.pending(now.getTime(), id), restartedJob);
  return restartedJob;
}

const MAX_COUNTED_JOBS = 1000;

export async function countPendingJobs(view: Reader) {
  const pending = await view.list({ under: PENDING_PREFIX, limit: MAX_COUNTED_JOBS });
  const waiting = new Map<string, number>();
  for (const { value } of pending) {
    const { step } = value as Job;
    waiting.set(step, (waiting.get(step) ?? 0) + 1);
  }
  const parked = await view.list({ under: PARKED_PREFIX, limit: MAX_COUNTED_JOBS });
  return { due: pending[0] && jobKeys.parseDueTime(pending[0].key), waiting, parked: parked.length };
}
