// Runs the transactions of one partition in one process. A transaction first runs immediately, concurrently with all others. If it
// turns out that other transactions, of this process or another one, work on the same records, it waits in a queue
// (`transaction-queue.ts`), which merges all waiting transactions into one commit. So no transaction fails because others were
// faster, and the number of transactions that wait for a record does not increase the number of commits.
//
// Transactions that name a lane run in a queue of their own, so that none of them runs in vain.
//
// If another process committed first, the commit is retried after a random time, until the timeout.

import { type Committed, Conflict, type Key, type Partition, TooLarge } from "./storage";
import {
  BufferedTransaction,
  cacheSnapshot,
  logReads,
  type ReadLog,
  type SnapshotCache,
  TransactionTooLargeError,
  toBatch,
} from "./transaction";
import {
  type CommitCounts,
  type CommittedTransaction,
  ContendedKeys,
  MAX_RETRY_MS,
  type QueueContext,
  TIMEOUT_MESSAGE,
  type TransactionBody,
  TransactionQueue,
} from "./transaction-queue";

export { MAX_RETRY_MS };

/** Waits before another attempt. `attempt` is the number of the attempt that failed. */
export type Pause = (attempt: number) => Promise<void>;

export interface RunnerOptions {
  readonly pause: Pause;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly onRetry?: (() => void) | undefined;
  /** Called for each successful commit, before anything that follows from it. */
  readonly onCommit?: (() => void) | undefined;
}

export interface TransactionOptions {
  /** Reads made earlier. They are reused, and checked like other reads, if nothing was committed since. */
  readonly cache?: SnapshotCache | undefined;
  /** True if the body is expected not to write. Then it does not wait for other transactions. */
  readonly isReadOnly?: boolean | undefined;
  /** The lane's name. Its transactions run one after the other on each other's results, and may take long. */
  readonly lane?: string | undefined;
}

export class TransactionRunner {
  readonly #partition: Partition;
  readonly #options: RunnerOptions;
  readonly #contended = new ContendedKeys();
  readonly #context: QueueContext;
  readonly #mainQueue: TransactionQueue;
  readonly #lanes = new Map<string, TransactionQueue>();
  #active = 0;
  #commits: CommitCounts = { started: 0, pending: 0 };

  constructor(partition: Partition, options: RunnerOptions) {
    this.#partition = partition;
    this.#options = options;
    const { pause, clock } = options;
    this.#context = {
      partition,
      commit: (batch) => this.#commit(batch),
      pause,
      clock,
      onRetry: () => options.onRetry?.(),
      onCommit: () => options.onCommit?.(),
      getCommitCounts: () => this.#commits,
      contended: this.#contended,
    };
    this.#mainQueue = new TransactionQueue(this.#context);
  }

  get isIdle(): boolean {
    return this.#active === 0;
  }

  /** True if the runner knows nothing that the next transaction could use. */
  get isForgettable(): boolean {
    return this.isIdle && this.#contended.size === 0;
  }

  /** Runs a body until its commit succeeds. The body may run several times, so it must have no effects except through `tx`. */
  async run<T>(body: TransactionBody<T>, options: TransactionOptions = {}): Promise<T> {
    this.#active++;
    try {
      const { result, tx } = await this.#runUntilCommitted(body, options);
      for (const callback of tx.afterCommitCallbacks) await callback();
      return result;
    } finally {
      this.#active--;
    }
  }

  async #runUntilCommitted<T>(
    body: TransactionBody<T>,
    { cache, isReadOnly = false, lane }: TransactionOptions,
  ): Promise<CommittedTransaction<T>> {
    const { clock, onRetry } = this.#options;
    const since = clock();
    const log: ReadLog = { keys: new Set(), ranges: new Map() };
    const first =
      lane === undefined
        ? await this.#runImmediately(body, { cache, log, givesWay: !isReadOnly })
        : await this.#getLane(lane).run(body, since);
    if (first) return first;
    for (;;) {
      onRetry?.();
      const queued = await this.#mainQueue.run(body, since, { cache, log });
      if (queued) return queued;
      // The body was too slow for the queue. It runs beside the queue, and returns to it if others commit first.
      onRetry?.();
      const immediate = await this.#runImmediately(body, { cache: undefined, log, givesWay: false });
      if (immediate) return immediate;
      if (clock() - since >= MAX_RETRY_MS) throw new Conflict(TIMEOUT_MESSAGE);
    }
  }

  /** Runs a body concurrently, and logs its reads. Returns undefined if others commit first. */
  async #runImmediately<T>(
    body: TransactionBody<T>,
    {
      cache,
      log,
      givesWay,
    }: { readonly cache: SnapshotCache | undefined; readonly log: ReadLog; readonly givesWay: boolean },
  ): Promise<CommittedTransaction<T> | undefined> {
    const present = await this.#partition.snapshot();
    const view = cache?.version === present.version ? cacheSnapshot(present, cache) : present;
    const isContended = givesWay ? (key: Key) => this.#contended.has(key) : undefined;
    const tx = new BufferedTransaction(logReads(view, log), { isContended });
    let result: T;
    try {
      result = await body(tx);
    } catch (error) {
      if (tx.isSuperseded) return undefined;
      throw error;
    }
    if (tx.isSuperseded) return undefined;
    const batch = toBatch(tx.changes);
    if (batch === undefined) return { result, tx };
    if (givesWay && this.#mainQueue.conflictsWith(tx.changes)) return undefined;
    const committed = await this.#commit(batch);
    if (!committed.ok) {
      this.#contended.add(committed.conflict);
      return undefined;
    }
    this.#options.onCommit?.();
    return { result, tx };
  }

  #getLane(name: string): TransactionQueue {
    const onIdle = () => void this.#lanes.delete(name);
    const lane = this.#lanes.get(name) ?? new TransactionQueue(this.#context, { mainQueue: this.#mainQueue, onIdle });
    this.#lanes.set(name, lane);
    return lane;
  }

  async #commit(batch: Parameters<Partition["commit"]>[0]): Promise<Committed> {
    const { started, pending } = this.#commits;
    this.#commits = { started: started + 1, pending: pending + 1 };
    try {
      return await this.#partition.commit(batch);
    } catch (error) {
      throw error instanceof TooLarge ? new TransactionTooLargeError(error.message, { cause: error }) : error;
    } finally {
      this.#commits = { ...this.#commits, pending: this.#commits.pending - 1 };
    }
  }
}
