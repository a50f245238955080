// A queue of transactions of one partition. It runs them one after the other in the order of their arrival, and each sees what the
// previous ones are about to write. The transactions that are in the queue together are merged into one commit, which checks all
// of their reads of the storage. The result is the same as if each had its own commit and no other commit came between them. No
// caller gets a result that depends on a commit before that commit has succeeded.
//
// A lane is a queue beside the main one, for transactions that are known to follow each other: each starts with work on the state
// that the previous one leaves behind, and that work may take long. If a lane conflicts with other transactions, it hands its
// transactions over to the main queue.

import { encodeKey } from "./key";
import {
  type Batch,
  type Committed,
  Conflict,
  type Key,
  type Partition,
  type Range,
  type Snapshot,
  StorageError,
  Unavailable,
} from "./storage";
import {
  BufferedTransaction,
  CombinedChanges,
  cacheSnapshot,
  emptyChanges,
  type Reader,
  type ReadLog,
  SnapshotCache,
  Superseded,
  type Transaction,
  type TransactionChanges,
  TransactionTooLargeError,
  toBatch,
} from "./transaction";

/** The time for which a transaction is retried, in milliseconds. */
export const MAX_RETRY_MS = 20_000;
export const TIMEOUT_MESSAGE = `Others kept changing the same records for ${MAX_RETRY_MS / 1000} seconds.`;

/** The time that a transaction may run in the main queue, in milliseconds. After that it runs beside the queue. */
const MAX_QUEUE_RUN_MS = 1000;

/**
 * The time that a transaction may run in a lane while others that have already run wait for it, in milliseconds. After that it is
 * the first one of the next commit, and may take as long as it needs.
 */
const MAX_LANE_RUN_MS = 250;

/**
 * A lane gathers transactions for a commit for this many durations of the last commit. So the first ones do not wait for all
 * others, and the storage does not get more commits than it can handle.
 */
const GATHER_COMMIT_DURATIONS = 2;

/** The time after a conflict with another process during which this process yields after each commit, in milliseconds. */
const RIVALRY_MS = 5000;

/** The time for which a process commits without yielding, before it checks whether another process waits, in milliseconds. */
const MONOPOLY_MS = 1000;

/** The maximum time to yield, in durations of the last commit. */
const MAX_YIELD_COMMIT_DURATIONS = 4;

/**
 * A counter that a process increments when other processes have committed first for too long. They read it and leave longer gaps
 * between their commits, for a process that is farther away from the storage than they are.
 */
const STARVATION_KEY = encodeKey("starvation");

/** The time after which a process whose commits are refused increments the counter, in milliseconds. */
const STARVATION_MS = 2000;

/** The maximum gap between two commits for a starving process, in milliseconds. */
const MAX_GAP_MS = 1000;

/** The maximum number of transactions in one commit. */
const MAX_TRANSACTIONS_PER_COMMIT = 100;

/** The bytes that a commit of several transactions leaves free, because sealed values are longer in the storage. */
const RESERVED_BYTES = 160 * 1024;

/** The maximum number of cached keys that the transactions of one commit share. */
const MAX_CACHED_READS = 5000;

/** The maximum number of lists that are prefetched for the transactions of one commit. */
const MAX_PREFETCHED_LISTS = 100;

/** The maximum number of contended keys that are remembered. */
const MAX_CONTENDED_KEYS = 1000;

export type TransactionBody<T> = (tx: Transaction) => Promise<T>;

/** A transaction whose commit has succeeded. */
export interface CommittedTransaction<T> {
  readonly result: T;
  readonly tx: BufferedTransaction;
}

export interface QueuedTransaction {
  readonly body: TransactionBody<unknown>;
  readonly cache: SnapshotCache | undefined;
  /** The reads of earlier runs. */
  readonly log: ReadLog | undefined;
  readonly since: number;
  /** True if it must have a commit of its own. */
  isAlone: boolean;
  succeed(committed: CommittedTransaction<unknown>): void;
  /** Called if it leaves the queue without an outcome. */
  leave(): void;
  fail(error: unknown): void;
}

/** The number of commits that this process has started, and of those that are still pending. */
export interface CommitCounts {
  readonly started: number;
  readonly pending: number;
}

/** The state that the queues of a partition share. */
export interface QueueContext {
  readonly partition: Partition;
  readonly commit: (batch: Batch) => Promise<Committed>;
  readonly pause: (attempt: number) => Promise<void>;
  readonly clock: () => number;
  readonly onRetry: () => void;
  /** Called for each successful commit, before anything that follows from it. */
  readonly onCommit: () => void;
  readonly getCommitCounts: () => CommitCounts;
  readonly contended: ContendedKeys;
}

/** The keys that have recently caused conflicts. */
export class ContendedKeys {
  /** Each key with the number of consecutive commits in which no transaction waited for it. */
  readonly #quietCommits = new Map<Key, number>();

  get size(): number {
    return this.#quietCommits.size;
  }

  has(key: Key): boolean {
    return this.#quietCommits.has(key);
  }

  add(key: Key): void {
    if (this.#quietCommits.size === MAX_CONTENDED_KEYS) this.#quietCommits.clear();
    this.#quietCommits.set(key, 0);
  }

  /**
   * Updates the keys after a commit, given the number of its transactions that touched a key. A key is removed after the second
   * quiet commit: the first one may contain a single latecomer of a large group.
   */
  recordCommit(countTouching: (key: Key) => number): void {
    for (const [key, quiet] of this.#quietCommits) {
      if (countTouching(key) > 1) this.#quietCommits.set(key, 0);
      else if (quiet === 0) this.#quietCommits.set(key, 1);
      else this.#quietCommits.delete(key);
    }
  }
}

/** A transaction whose body has run and that waits for the commit. */
interface ExecutedTransaction {
  readonly queued: QueuedTransaction;
  readonly tx: BufferedTransaction;
  readonly outcome: BodyOutcome;
}

type BodyOutcome = { readonly result: unknown } | { readonly error: unknown };

export class TransactionQueue {
  readonly #context: QueueContext;
  /** The queue to which a lane hands over; undefined in the main queue itself. */
  readonly #mainQueue: TransactionQueue | undefined;
  readonly #onIdle: (() => void) | undefined;
  readonly #waiting: QueuedTransaction[] = [];
  /** The reads and writes of the transactions that have run for the next commit. */
  #combined = new CombinedChanges();
  #isWorking = false;
  /** The number of consecutive commits that were refused. */
  #refusedCommits = 0;
  /** The duration of the last commit. */
  #commitMs = 0;
  /** The time of the last conflict with another process. */
  #rivalSeenAt = Number.NEGATIVE_INFINITY;
  /** The time at which the queue started to work, or last yielded to other processes. */
  #workingSince = 0;
  /** The number of times that this process has reported that it starves, and that other processes have, as last read. */
  #ownReports = 0;
  #foreignReports: number | undefined;
  /** The time at which the last report of another process was read, and the number of pauses that its reports ask for. */
  #starvationSeenAt = Number.NEGATIVE_INFINITY;
  #pausesPerGap = 0;
  /** The number of transactions of this lane that are in the main queue. New ones follow them there. */
  #handedOver = 0;
  /** True if this lane has met a conflict, and hands its waiting transactions over to the main queue. */
  #isGivingWay = false;
  /** The commit counts at the beginning of the current round. */
  #countsBefore: CommitCounts = { started: 0, pending: 0 };
  /** Resolves at the end of a run that was given up. */
  #abandonedRun: Promise<unknown> | undefined;

  /** `onIdle` is called when a lane has become empty. */
  constructor(context: QueueContext, lane?: { readonly mainQueue: TransactionQueue; readonly onIdle: () => void }) {
    this.#context = context;
    this.#mainQueue = lane?.mainQueue;
    this.#onIdle = lane?.onIdle;
  }

  /** Runs a body in the queue. Returns undefined if it was too slow for the queue. */
  run<T>(
    body: TransactionBody<T>,
    since: number,
    { cache, log }: { readonly cache?: SnapshotCache | undefined; readonly log?: ReadLog } = {},
  ): Promise<CommittedTransaction<T> | undefined> {
    return new Promise((resolve, fail) => {
      const succeed = (committed: CommittedTransaction<unknown>) => resolve(committed as CommittedTransaction<T>);
      this.#push({ body, cache, log, since, isAlone: false, succeed, leave: () => resolve(undefined), fail });
    });
  }

  #push(queued: QueuedTransaction): void {
    if (this.#handedOver > 0) {
      this.#handOver([queued]);
      return;
    }
    this.#waiting.push(queued);
    if (!this.#isWorking) void this.#work();
  }

  /** Returns whether some changes would make the next commit of the queue fail, or the other way round. */
  conflictsWith({ reads, writes }: TransactionChanges): boolean {
    if (!this.#isWorking) return false;
    const { contended } = this.#context;
    for (const key of writes.keys()) if (contended.has(key) || this.#combined.reads.has(key)) return true;
    for (const key of reads.keys()) if (contended.has(key) || this.#combined.writes.has(key)) return true;
    return false;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    this.#workingSince = this.#context.clock();
    while (this.#waiting.length > 0) {
      await this.#leaveGap();
      let executed: readonly ExecutedTransaction[] = [];
      try {
        executed = await this.#runWaiting();
        await this.#commitCombined(executed);
      } catch (error) {
        this.#failAll(executed, error);
      }
      this.#combined = new CombinedChanges();
      if (this.#isGivingWay) this.#handOver(this.#waiting.splice(0));
      this.#isGivingWay = false;
    }
    this.#isWorking = false;
    this.#notifyIfIdle();
  }

  #notifyIfIdle(): void {
    if (!this.#isWorking && this.#handedOver === 0) this.#onIdle?.();
  }

  /** Runs as many transactions of the queue as fit into one commit. */
  async #runWaiting(): Promise<readonly ExecutedTransaction[]> {
    await this.#abandonedRun;
    const { partition, clock } = this.#context;
    this.#countsBefore = this.#context.getCommitCounts();
    const present = await partition.snapshot().catch((error: unknown) => {
      for (const queued of this.#waiting.splice(0)) queued.fail(error);
    });
    if (!present) return [];
    const cache = new SnapshotCache(present.version);
    await this.#prefetch(present, cache);
    this.#checkStarvation(cache);
    const base = cacheSnapshot(present, cache, MAX_CACHED_READS);
    const until = clock() + (this.#mainQueue ? GATHER_COMMIT_DURATIONS * this.#commitMs : Number.POSITIVE_INFINITY);
    const snapshots = new SharedSnapshots(clock);
    /** The latest arrival of the transactions that have run. A transaction may see what they are about to write. */
    let lastArrival = Number.NEGATIVE_INFINITY;
    const executed: ExecutedTransaction[] = [];
    while (this.#waiting.length > 0 && executed.length < MAX_TRANSACTIONS_PER_COMMIT) {
      const queued = this.#waiting[0]!;
      if (executed.length > 0 && (queued.isAlone || clock() >= until)) break;
      lastArrival = Math.max(lastArrival, queued.since);
      const view = queued.cache?.version === present.version ? cacheSnapshot(base, queued.cache) : base;
      const tx = this.#createTransaction(view, {
        rank: executed.length,
        readPartition: (name, read) => snapshots.get(name, lastArrival, read),
      });
      const running = (async (): Promise<BodyOutcome> => {
        try {
          return { result: await queued.body(tx) };
        } catch (error) {
          return { error };
        }
      })();
      const laneLimit = executed.length > 0 ? MAX_LANE_RUN_MS : undefined;
      const outcome = await awaitWithTimeout(running, this.#mainQueue ? laneLimit : MAX_QUEUE_RUN_MS);
      if (outcome === undefined) {
        tx.supersede();
        if (this.#mainQueue) {
          this.#abandonedRun = running;
          break;
        }
        this.#waiting.shift();
        void running.then(queued.leave);
        continue;
      }
      // A superseded transaction is the first one of the next commit.
      if (tx.isSuperseded) {
        this.#isGivingWay = tx.hasReadContendedKey;
        break;
      }
      const isWriting = "result" in outcome && toBatch(tx.changes) !== undefined;
      if (!isWriting && !tx.hasSeenEarlier) {
        this.#waiting.shift();
        resolveExecuted({ queued, tx, outcome });
        continue;
      }
      const changes = isWriting ? tx.changes : { ...tx.changes, writes: emptyChanges.writes };
      if (executed.length > 0) {
        const { entries, checks, bytes } = this.#combined.computeBudgetAfter(changes);
        if (!(entries >= 0 && checks >= 0 && bytes >= RESERVED_BYTES)) break;
      }
      this.#combined.add(changes);
      executed.push({ queued, tx, outcome });
      this.#waiting.shift();
      if (queued.isAlone) break;
    }
    return executed;
  }

  /**
   * Reads in one request what the transactions in the queue read in earlier runs, because they are likely to read the same again
   * and would do so one after the other.
   */
  async #prefetch(present: Snapshot, { entries, lists }: SnapshotCache): Promise<void> {
    const candidates = this.#waiting.slice(0, MAX_TRANSACTIONS_PER_COMMIT);
    const logs = candidates.flatMap(({ log }) => (log && log.keys.size > 0 ? [log] : []));
    if (!this.#mainQueue) logs.push({ keys: new Set([STARVATION_KEY]), ranges: new Map() });
    if (!candidates.some(({ log }) => log && log.keys.size > 0)) return;
    const keys = [...new Set(logs.flatMap((log) => [...log.keys]))].slice(0, MAX_CACHED_READS);
    const ranges = [...new Map(logs.flatMap((log) => [...log.ranges]))].slice(0, MAX_PREFETCHED_LISTS);
    const readEntries = async () => {
      const found = keys.length > 0 ? await present.get(keys) : [];
      keys.forEach((key, i) => void entries.set(key, found[i]));
    };
    const readList = async ([name, logged]: [string, Range]) => {
      const range = { ...logged, limit: logged.limit + logs.length };
      lists.set(name, { range, rows: await present.list(range) });
    };
    // If this fails, the bodies repeat the reads and get the error.
    await Promise.all([readEntries(), ...ranges.map(readList)]).catch(() => {});
  }

  /** Creates a transaction that sees what the previous ones are about to write. */
  #createTransaction(
    view: Snapshot,
    { rank, readPartition }: { readonly rank: number; readonly readPartition: Transaction["readPartition"] },
  ): BufferedTransaction {
    const { contended } = this.#context;
    const isContended = this.#mainQueue ? (key: Key) => contended.has(key) : undefined;
    // A run that has ended can no longer read.
    const read = <T>(run: () => Promise<T>) => (tx.isSuperseded ? Promise.reject(new Superseded()) : run());
    const snapshot: Snapshot = {
      version: view.version,
      get: (keys) => read(() => view.get(keys)),
      list: (range) => read(() => view.list(range)),
    };
    const earlier = this.#combined.writes;
    const tx: BufferedTransaction = new BufferedTransaction(snapshot, { earlier, rank, isContended, readPartition });
    return tx;
  }

  async #commitCombined(executed: readonly ExecutedTransaction[]): Promise<void> {
    const batch = toBatch(this.#combined);
    if (batch === undefined) return;
    const { clock, commit, getCommitCounts, contended, onCommit, pause } = this.#context;
    if (this.#mainQueue?.conflictsWith(this.#combined)) {
      this.#requeue(executed);
      this.#isGivingWay = true;
      return;
    }
    const startedAt = clock();
    const committed = await commit(batch);
    this.#commitMs = clock() - startedAt;
    if (committed.ok) {
      this.#refusedCommits = 0;
      onCommit();
      // A key that only one transaction touched, with nobody waiting, may no longer be contended.
      if (!this.#mainQueue && this.#waiting.length === 0)
        contended.recordCommit((key) => executed.filter(({ tx }) => tx.hasTouched(key)).length);
      for (const transaction of executed) resolveExecuted(transaction);
      if (this.#waiting.length > 0) await this.#yieldToOtherProcesses();
      return;
    }
    contended.add(committed.conflict);
    // If this process made no other commit in the meantime, the conflicting one was made by another process.
    const { started, pending } = this.#countsBefore;
    if (pending === 0 && getCommitCounts().started === started + 1) this.#rivalSeenAt = clock();
    this.#refusedCommits++;
    if (!this.#mainQueue && executed.some(({ queued }) => clock() - queued.since >= STARVATION_MS))
      this.#reportStarvation();
    const hasRequeued = this.#requeue(executed);
    this.#isGivingWay = this.#mainQueue !== undefined;
    // The process that committed first yields for a few commits. A longer pause than that would lose the next commit as well.
    const maxAttempt = this.#commitMs > 0 ? this.#getMaxYieldAttempt() : Number.POSITIVE_INFINITY;
    if (hasRequeued && !this.#mainQueue) await pause(Math.min(this.#refusedCommits, maxAttempt));
  }

  /**
   * Pauses for a random time, so that another process can commit. A process that has just committed would otherwise always be
   * faster than one whose commit was refused. It yields after each commit while there is another process, and from time to time to
   * find out whether there is one.
   */
  async #yieldToOtherProcesses(): Promise<void> {
    const { clock, pause } = this.#context;
    const now = clock();
    if (now - this.#rivalSeenAt > RIVALRY_MS && now - this.#workingSince < MONOPOLY_MS) return;
    this.#workingSince = now;
    await pause(this.#getMaxYieldAttempt());
  }

  /** Returns the number of the attempt after which a pause takes at most as long as a few commits. */
  #getMaxYieldAttempt(): number {
    return 1 + Math.ceil(Math.log2(1 + MAX_YIELD_COMMIT_DURATIONS * this.#commitMs));
  }

  /** Asks other processes to leave longer gaps. An addition never conflicts, so it is committed however busy they are. */
  #reportStarvation(): void {
    this.#ownReports++;
    const adds = [{ key: STARVATION_KEY, amount: 1 }];
    this.#context.commit({ checks: [], puts: [], deletes: [], adds }).catch(() => this.#ownReports--);
  }

  /** Doubles the gap between two commits if another process reported that it still starves. */
  #checkStarvation({ entries }: SnapshotCache): void {
    if (!entries.has(STARVATION_KEY)) return;
    const reports = Number(entries.get(STARVATION_KEY)?.value ?? 0) - this.#ownReports;
    if (this.#foreignReports !== undefined && reports > this.#foreignReports) {
      this.#starvationSeenAt = this.#context.clock();
      this.#pausesPerGap = Math.max(1, 2 * this.#pausesPerGap);
    }
    this.#foreignReports = reports;
  }

  /** Pauses after a commit for as long as the reports of a starving process ask for. */
  async #leaveGap(): Promise<void> {
    if (this.#pausesPerGap === 0) return;
    const { clock, pause } = this.#context;
    const startedAt = clock();
    if (startedAt - this.#starvationSeenAt > RIVALRY_MS) this.#pausesPerGap = 0;
    const attempt = this.#getMaxYieldAttempt();
    for (let i = 0; i < this.#pausesPerGap && clock() - startedAt < MAX_GAP_MS; i++) await pause(attempt);
  }

  /** Returns transactions to the front of the queue, unless they have timed out. Returns whether there are any. */
  #requeue(executed: readonly ExecutedTransaction[]): boolean {
    const { clock, onRetry } = this.#context;
    const requeued: QueuedTransaction[] = [];
    for (const { queued } of executed) {
      if (clock() - queued.since >= MAX_RETRY_MS) queued.fail(new Conflict(TIMEOUT_MESSAGE));
      else requeued.push(queued);
    }
    for (const _ of requeued) onRetry();
    this.#waiting.unshift(...requeued);
    return requeued.length > 0;
  }

  /** Moves transactions of this lane to the main queue. */
  #handOver(transactions: readonly QueuedTransaction[]): void {
    for (const queued of transactions) {
      this.#handedOver++;
      const end = () => {
        this.#handedOver--;
        this.#notifyIfIdle();
      };
      this.#mainQueue!.#push({
        body: queued.body,
        cache: undefined,
        log: queued.log,
        since: queued.since,
        isAlone: queued.isAlone,
        succeed: (committed) => {
          end();
          queued.succeed(committed);
        },
        leave: () => {
          end();
          queued.leave();
        },
        fail: (error) => {
          end();
          queued.fail(error);
        },
      });
    }
  }

  #failAll(executed: readonly ExecutedTransaction[], error: unknown): void {
    // Together they may be too large for the storage, which counts sealed values as they are stored.
    if (error instanceof TransactionTooLargeError && executed.length > 1) {
      for (const { queued } of executed) queued.isAlone = true;
      this.#requeue(executed);
      return;
    }
    // A transaction that wrote nothing but depends on the failed commit has a known outcome: none.
    const readError =
      error instanceof StorageError
        ? new Unavailable("A write failed that others depend on.", { outcome: "none", cause: error })
        : error;
    for (const { queued, outcome, tx } of executed) {
      const isWriting = "result" in outcome && tx.hasWritten;
      queued.fail(isWriting ? error : readError);
    }
  }
}

/** Snapshots of other partitions that the transactions of one commit share. */
class SharedSnapshots {
  readonly #clock: () => number;
  readonly #shared = new Map<string, { readonly view: Promise<Reader>; readonly readAt: number }>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Returns a snapshot that was read after `since`, when the requesting transaction and all those before it had arrived. */
  get(partition: string, since: number, read: (partition: string) => Promise<Reader>): Promise<Reader> {
    const shared = this.#shared.get(partition);
    if (shared && shared.readAt > since) return shared.view;
    const view = read(partition);
    this.#shared.set(partition, { view, readAt: this.#clock() });
    // The next transaction tries again if the read fails.
    view.catch(() => this.#shared.delete(partition));
    return view;
  }
}

function resolveExecuted({ queued, tx, outcome }: ExecutedTransaction): void {
  if ("error" in outcome) queued.fail(outcome.error);
  else queued.succeed({ result: outcome.result, tx });
}

/** Returns the value of a promise, or undefined after a timeout. Without a limit it waits for as long as it takes. */
async function awaitWithTimeout<T>(promise: Promise<T>, limitMs: number | undefined): Promise<T | undefined> {
  if (limitMs === undefined) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
