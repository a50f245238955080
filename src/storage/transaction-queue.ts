// A queue of transactions of one partition. It runs them one after the other, in the order in which they came: each sees what
// those before it are about to write. What comes together that way is one commit, which checks everything that any of them read
// in the storage. So they are what they would be in commits of their own that nobody comes between. Until the commit holds,
// nobody is told a result that rests on it.
//
// A lane is a queue beside the main one, for transactions that are known to follow each other: each begins with work on the
// state that the one before it leaves behind, and that work may be long. Where a lane comes into the way of others, it hands
// its transactions over to the main queue.

import {
  type Batch,
  type Committed,
  Conflict,
  type Key,
  type Partition,
  type Snapshot,
  StorageError,
  Unavailable,
} from "./storage";
import {
  BufferedTransaction,
  CombinedChanges,
  type CommitBudget,
  cacheSnapshot,
  createSnapshotCache,
  emptyChanges,
  prefetch,
  type Reader,
  type ReadLog,
  type SnapshotCache,
  stopReadsAfter,
  type Transaction,
  type TransactionChanges,
  TransactionTooLargeError,
  toBatch,
} from "./transaction";

/** How long others may come first, in milliseconds. */
export const MAX_RETRY_MS = 20_000;

/** How long those in the main queue wait for one that is slow, in milliseconds. Then it runs beside them. */
const MAX_QUEUE_RUN_MS = 1000;

/** How long those in a lane who have run wait for one behind them that is slow, in milliseconds. Then it is the first one of the
 * next commit, and may take as long as it likes. */
const MAX_LANE_RUN_MS = 250;

/** A lane gathers transactions for a commit for so many times as long as the last one took. So those that came first do not wait
 * for all others, and the storage is not asked more often than it can answer. */
const GATHER_COMMIT_DURATIONS = 2;

/** For so long after another process came first, this one gives way after each of its own commits, in milliseconds. */
const RIVALRY_MS = 5000;

/** For so long a process commits one after the other before it looks whether another one waits, in milliseconds. */
const MONOPOLY_MS = 1000;

/** It gives way for so many times as long as a commit takes, at the most. */
const MAX_YIELD_COMMIT_DURATIONS = 4;

/** The most transactions in one commit. */
const MAX_TRANSACTIONS_PER_COMMIT = 100;

/** What stays free in a commit of several: sealed values are longer in the storage. */
const RESERVED_BYTES = 160 * 1024;

/** The most keys that the transactions of one commit read once for all of them. */
const MAX_CACHED_READS = 5000;

/** The most lists that are read ahead for the transactions of one commit. */
const MAX_PREFETCHED_LISTS = 100;

/** The most keys that are known to be contended. */
const MAX_CONTENDED_KEYS = 1000;

export type TransactionBody<T> = (tx: Transaction) => Promise<T>;

/** A transaction whose commit holds. */
export interface CommittedTransaction<T> {
  readonly result: T;
  readonly tx: BufferedTransaction;
}

/** A transaction in a queue. */
export interface QueuedTransaction {
  readonly body: TransactionBody<unknown>;
  readonly cache: SnapshotCache | undefined;
  /** What an earlier run has read. */
  readonly log: ReadLog | undefined;
  readonly since: number;
  /** Whether it is to have a commit of its own. */
  isAlone: boolean;
  succeed(done: CommittedTransaction<unknown>): void;
  /** Leaves the queue without an outcome. */
  leave(): void;
  fail(error: unknown): void;
}

export interface CommitCounts {
  readonly begun: number;
  readonly underWay: number;
}

/** What the queues of a partition have in common. */
export interface QueueContext {
  readonly partition: Partition;
  readonly commit: (batch: Batch) => Promise<Committed>;
  readonly pause: (attempt: number) => Promise<void>;
  readonly clock: () => number;
  /** Hears of each run of a body but the first. */
  readonly onRetry: () => void;
  /** Hears of each commit that holds, before anything that follows it. */
  readonly onCommit: () => void;
  /** The commits of this process that have begun, and those of them that are under way. */
  readonly commits: () => CommitCounts;
  readonly contended: ContendedKeys;
}

/** Keys that transactions came into conflict about, and may again. */
export class ContendedKeys {
  /** Each key with the number of commits in a row in which nobody waited for it. */
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

  /** Takes in how many transactions of a commit touched each key. The first quiet commit may hold one that came late to many
   * others, so a key is forgotten at the second. */
  recordCommit(countTouching: (key: Key) => number): void {
    for (const [key, quiet] of this.#quietCommits) {
      if (countTouching(key) > 1) this.#quietCommits.set(key, 0);
      else if (quiet === 0) this.#quietCommits.set(key, 1);
      else this.#quietCommits.delete(key);
    }
  }
}

/** A transaction that has run and waits for the commit. */
interface ExecutedTransaction {
  readonly queued: QueuedTransaction;
  readonly tx: BufferedTransaction;
  readonly outcome: BodyOutcome;
}

type BodyOutcome = { readonly result: unknown } | { readonly error: unknown };

export class TransactionQueue {
  readonly #context: QueueContext;
  /** The queue that a lane hands over to. Undefined: this is the main queue. */
  readonly #main: TransactionQueue | undefined;
  readonly #onIdle: (() => void) | undefined;
  readonly #waiting: QueuedTransaction[] = [];
  /** What the transactions that are committed together have read and written so far. */
  #together = new CombinedChanges();
  #isWorking = false;
  /** How often in a row others came first. */
  #losses = 0;
  /** How long the last commit took. */
  #commitMs = 0;
  /** When another process came first. */
  #rivalAt = Number.NEGATIVE_INFINITY;
  /** Since when it works, or has last given way to other processes. */
  #workingSince = 0;
  /** Transactions of this lane that are in the main queue. Those that come behind them follow them. */
  #handedOver = 0;
  /** Whether this lane has met others, and hands over to the main queue what waits. */
  #isGivingWay = false;
  /** The commits of this process when the present round began. */
  #commitsBefore: CommitCounts = { begun: 0, underWay: 0 };
  /** The end of a run that was given up. */
  #ending: Promise<unknown> | undefined;

  /** A lane hears when nobody is in it any more. */
  constructor(context: QueueContext, lane?: { readonly main: TransactionQueue; readonly onIdle: () => void }) {
    this.#context = context;
    this.#main = lane?.main;
    this.#onIdle = lane?.onIdle;
  }

  push(waiting: QueuedTransaction): void {
    if (this.#handedOver > 0) {
      this.#handOver([waiting]);
      return;
    }
    this.#waiting.push(waiting);
    if (!this.#isWorking) void this.#work();
  }

  /** Whether a commit, or those in the queue, would make the other fail. */
  conflictsWith({ reads, writes }: TransactionChanges): boolean {
    if (!this.#isWorking) return false;
    const { contended } = this.#context;
    for (const key of writes.keys()) if (contended.has(key) || this.#together.reads.has(key)) return true;
    for (const key of reads.keys()) if (contended.has(key) || this.#together.writes.has(key)) return true;
    return false;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    this.#workingSince = this.#context.clock();
    while (this.#waiting.length > 0) {
      let members: readonly ExecutedTransaction[] = [];
      try {
        members = await this.#gather();
        await this.#commitTogether(members);
      } catch (error) {
        this.#failAll(members, error);
      }
      this.#together = new CombinedChanges();
      if (this.#isGivingWay) this.#handOver(this.#waiting.splice(0));
      this.#isGivingWay = false;
    }
    this.#isWorking = false;
    this.#noteIdle();
  }

  #noteIdle(): void {
    if (!this.#isWorking && this.#handedOver === 0) this.#onIdle?.();
  }

  /** Runs transactions of the queue, as many as one commit takes. */
  async #gather(): Promise<readonly ExecutedTransaction[]> {
    await this.#ending;
    const { partition, clock } = this.#context;
    this.#commitsBefore = this.#context.commits();
    const present = await partition.snapshot().catch((error: unknown) => {
      for (const waiting of this.#waiting.splice(0)) waiting.fail(error);
    });
    if (!present) return [];
    const cache = createSnapshotCache(present.version);
    await this.#prefetch(present, cache);
    const base = cacheSnapshot(present, cache, MAX_CACHED_READS);
    const until = clock() + (this.#main ? GATHER_COMMIT_DURATIONS * this.#commitMs : Number.POSITIVE_INFINITY);
    const moments = new SharedSnapshots(clock);
    /** When the last one came of those that have run. A transaction may see what they are about to write. */
    let newest = Number.NEGATIVE_INFINITY;
    const members: ExecutedTransaction[] = [];
    while (this.#waiting.length > 0 && members.length < MAX_TRANSACTIONS_PER_COMMIT) {
      const waiting = this.#waiting[0]!;
      if (members.length > 0 && (waiting.isAlone || clock() >= until)) break;
      const { cache: seen, since } = waiting;
      newest = Math.max(newest, since);
      const tx = this.#begin(seen?.version === present.version ? cacheSnapshot(base, seen) : base, {
        rank: members.length,
        beside: (partition, read) => moments.get(partition, newest, read),
      });
      const running = captureOutcome(waiting.body, tx);
      const outcome = await awaitWithTimeout(running, this.#patience(members.length));
      if (outcome === undefined) {
        tx.supersede();
        if (this.#main) {
          this.#ending = running;
          break;
        }
        this.#waiting.shift();
        void running.then(waiting.leave);
        continue;
      }
      // It is the first one of the next commit.
      if (tx.isSuperseded) {
        this.#isGivingWay = tx.hasReadContendedKey;
        break;
      }
      const isWriting = "result" in outcome && toBatch(tx.changes) !== undefined;
      if (!isWriting && !tx.hasSeenEarlier) {
        this.#waiting.shift();
        resolveExecuted({ queued: waiting, tx, outcome });
        continue;
      }
      const changes = isWriting ? tx.changes : { ...tx.changes, writes: emptyChanges.writes };
      if (members.length > 0 && !isEnough(this.#together.roomWith(changes))) break;
      this.#together.add(changes);
      members.push({ queued: waiting, tx, outcome });
      this.#waiting.shift();
      if (waiting.isAlone) break;
    }
    return members;
  }

  /** Transactions that ran before, in vain, are likely to read the same again. Read together, it takes one request and not one
   * after the other. */
  async #prefetch(present: Snapshot, cache: SnapshotCache): Promise<void> {
    const logs = this.#waiting
      .slice(0, MAX_TRANSACTIONS_PER_COMMIT)
      .flatMap(({ log }) => (log && log.keys.size > 0 ? [log] : []));
    const limits = { mostKeys: MAX_CACHED_READS, mostLists: MAX_PREFETCHED_LISTS, moreRows: logs.length };
    // A body that reads again hears of the failure.
    if (logs.length > 0) await prefetch(present, logs, cache, limits).catch(() => {});
  }

  /** A transaction on what those before it are about to leave behind. */
  #begin(
    view: Snapshot,
    { rank, beside }: { readonly rank: number; readonly beside: Transaction["readPartition"] },
  ): BufferedTransaction {
    const { contended } = this.#context;
    const isContended = this.#main ? (key: Key) => contended.has(key) : undefined;
    const tx: BufferedTransaction = new BufferedTransaction(
      stopReadsAfter(view, () => tx.isSuperseded),
      { earlier: this.#together.writes, rank, isContended, beside },
    );
    return tx;
  }

  /** How long a transaction may run, with so many before it. */
  #patience(before: number): number | undefined {
    if (!this.#main) return MAX_QUEUE_RUN_MS;
    return before > 0 ? MAX_LANE_RUN_MS : undefined;
  }

  async #commitTogether(members: readonly ExecutedTransaction[]): Promise<void> {
    const batch = toBatch(this.#together);
    if (batch === undefined) return;
    const { clock, commit, commits, contended, onCommit, pause } = this.#context;
    if (this.#main?.conflictsWith(this.#together)) {
      this.#tryAgain(members);
      this.#isGivingWay = true;
      return;
    }
    const began = clock();
    const committed = await commit(batch);
    this.#commitMs = clock() - began;
    if (committed.ok) {
      this.#losses = 0;
      onCommit();
      if (!this.#main) this.#noteContention(members);
      for (const member of members) resolveExecuted(member);
      if (this.#waiting.length > 0) await this.#giveWayToOthers();
      return;
    }
    contended.add(committed.conflict);
    // This process made no other commit meanwhile, so it was one of another process.
    const { begun, underWay } = this.#commitsBefore;
    if (underWay === 0 && commits().begun === begun + 1) this.#rivalAt = clock();
    this.#losses++;
    const isLeft = this.#tryAgain(members);
    this.#isGivingWay = this.#main !== undefined;
    // Whoever came first gives way for a few commits. A pause that is longer than that would lose the next one as well.
    const most =
      this.#commitMs > 0 ? computeMaxAttempt(MAX_YIELD_COMMIT_DURATIONS * this.#commitMs) : Number.POSITIVE_INFINITY;
    if (isLeft && !this.#main) await pause(Math.min(this.#losses, most));
  }

  /** A process that has committed is quicker with its next commit than one that was refused. So it waits for a random time, in
   * which the other can come first: after each commit while there is another process, and now and then to find out. */
  async #giveWayToOthers(): Promise<void> {
    const { clock, pause } = this.#context;
    const now = clock();
    if (now - this.#rivalAt > RIVALRY_MS && now - this.#workingSince < MONOPOLY_MS) return;
    this.#workingSince = now;
    await pause(computeMaxAttempt(MAX_YIELD_COMMIT_DURATIONS * this.#commitMs));
  }

  /** Puts those whose time is not up back into the queue, before all others. Gives whether there are any. */
  #tryAgain(members: readonly ExecutedTransaction[]): boolean {
    const { clock, onRetry } = this.#context;
    const again: QueuedTransaction[] = [];
    for (const { queued: waiting } of members) {
      if (clock() - waiting.since >= MAX_RETRY_MS) waiting.fail(createTimeoutConflict());
      else again.push(waiting);
    }
    for (const _ of again) onRetry();
    this.#waiting.unshift(...again);
    return again.length > 0;
  }

  /** Gives transactions of this lane to the main queue. */
  #handOver(all: readonly QueuedTransaction[]): void {
    for (const waiting of all) {
      this.#handedOver++;
      const end = () => {
        this.#handedOver--;
        this.#noteIdle();
      };
      this.#main!.push({
        body: waiting.body,
        cache: undefined,
        log: waiting.log,
        since: waiting.since,
        isAlone: waiting.isAlone,
        succeed: (done) => {
          end();
          waiting.succeed(done);
        },
        leave: () => {
          end();
          waiting.leave();
        },
        fail: (error) => {
          end();
          waiting.fail(error);
        },
      });
    }
  }

  /** A key that only one of them touched, with nobody behind them, may not be contended any more. */
  #noteContention(members: readonly ExecutedTransaction[]): void {
    if (this.#waiting.length > 0) return;
    this.#context.contended.recordCommit((key) => members.filter(({ tx }) => tx.hasTouched(key)).length);
  }

  #failAll(members: readonly ExecutedTransaction[], error: unknown): void {
    // Together they are too large for the storage, which counts sealed values as they are stored.
    if (error instanceof TransactionTooLargeError && members.length > 1) {
      for (const { queued: waiting } of members) waiting.isAlone = true;
      this.#tryAgain(members);
      return;
    }
    for (const { queued: waiting, outcome, tx } of members) {
      const isWriting = "result" in outcome && tx.hasWritten;
      waiting.fail(isWriting ? error : withoutDoubt(error));
    }
  }
}

/** Moments of other partitions that transactions of one commit share. */
class SharedSnapshots {
  readonly #clock: () => number;
  readonly #known = new Map<string, { readonly view: Promise<Reader>; readonly readAt: number }>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** A moment that was read after a time, when the transaction that asks and all those before it had come. It is one that is
   * known, or another one. */
  get(partition: string, since: number, read: (partition: string) => Promise<Reader>): Promise<Reader> {
    const known = this.#known.get(partition);
    if (known && known.readAt > since) return known.view;
    const view = read(partition);
    this.#known.set(partition, { view, readAt: this.#clock() });
    // A read that failed says nothing about the next one.
    view.catch(() => this.#known.delete(partition));
    return view;
  }
}

async function captureOutcome(body: TransactionBody<unknown>, tx: BufferedTransaction): Promise<BodyOutcome> {
  try {
    return { result: await body(tx) };
  } catch (error) {
    return { error };
  }
}

function resolveExecuted({ queued: waiting, tx, outcome }: ExecutedTransaction): void {
  if ("error" in outcome) waiting.fail(outcome.error);
  else waiting.succeed({ result: outcome.result, tx });
}

/** What comes soon enough for those who wait behind it; without a limit, whenever it comes. */
async function awaitWithTimeout<T>(running: Promise<T>, limit: number | undefined): Promise<T | undefined> {
  if (limit === undefined) return running;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limit);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function createTimeoutConflict(): Conflict {
  return new Conflict(`Others kept changing the same records for ${MAX_RETRY_MS / 1000} seconds.`);
}

/** Whether what is left says that one commit holds so much. */
function isEnough({ entries, checks, bytes }: CommitBudget): boolean {
  return entries >= 0 && checks >= 0 && bytes >= RESERVED_BYTES;
}

/** The number of attempts after which a pause is so many milliseconds long at the most. */
function computeMaxAttempt(ms: number): number {
  return 1 + Math.ceil(Math.log2(1 + ms));
}

/** What those are told who wrote nothing, but rest on a commit that failed. */
function withoutDoubt(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  return new Unavailable("A write failed that others depend on.", { outcome: "none", cause: error });
}
