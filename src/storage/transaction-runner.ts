// Runs the transactions of one partition in one process. A transaction is run at once, beside all others. Whoever finds that
// others of this process, or of another one, work on the same records waits in a queue (`transaction-queue.ts`), in which what
// comes together is one commit. So nobody is refused because others were quicker, and how many wait for the same record costs no
// further commits.
//
// Transactions that name their turn run in a lane, a queue of their own: none of them runs in vain.
//
// Between processes, a commit that others came before is tried again after a random time, until the time is up.

import { type Committed, type Key, type Partition, TooLarge } from "./storage";
import {
  BufferedTransaction,
  cacheSnapshot,
  createReadLog,
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
  createTimeoutConflict,
  MAX_RETRY_MS,
  type QueueContext,
  type TransactionBody,
  TransactionQueue,
} from "./transaction-queue";

export { MAX_RETRY_MS };

/** Waits before another attempt; the number of the attempt that failed comes in. */
export type Pause = (attempt: number) => Promise<void>;

/** What a runner needs of its surroundings. */
export interface RunnerOptions {
  readonly pause: Pause;
  /** Milliseconds that pass. */
  readonly clock: () => number;
  /** Hears of each run of a body but the first. */
  readonly onRetry?: (() => void) | undefined;
  /** Hears of each commit that holds, before anything that follows it. */
  readonly onCommit?: (() => void) | undefined;
}

/** How a transaction is run. */
export interface TransactionOptions {
  /** What was seen before is not read again if nothing was committed since: it is the same moment, and is checked alike. */
  readonly cache?: SnapshotCache | undefined;
  /** Whether the body only asks, as far as anybody knows. Then it waits for nobody. */
  readonly isReadOnly?: boolean | undefined;
  /** Transactions of one name run one after the other, each on what those before it leave behind. Their bodies may be long. */
  readonly lane?: string | undefined;
}

export class TransactionRunner {
  readonly #partition: Partition;
  readonly #around: RunnerOptions;
  readonly #contended = new ContendedKeys();
  readonly #context: QueueContext;
  readonly #main: TransactionQueue;
  readonly #lanes = new Map<string, TransactionQueue>();
  #active = 0;
  #commits: CommitCounts = { begun: 0, underWay: 0 };

  constructor(partition: Partition, around: RunnerOptions) {
    this.#partition = partition;
    this.#around = around;
    const { pause, clock } = around;
    this.#context = {
      partition,
      commit: (batch) => this.#commit(batch),
      pause,
      clock,
      onRetry: () => around.onRetry?.(),
      onCommit: () => around.onCommit?.(),
      commits: () => this.#commits,
      contended: this.#contended,
    };
    this.#main = new TransactionQueue(this.#context);
  }

  /** Whether no transaction runs. */
  get isIdle(): boolean {
    return this.#active === 0;
  }

  /** Whether it knows anything that the next transaction could use. */
  get isForgettable(): boolean {
    return this.isIdle && this.#contended.size === 0;
  }

  /** Runs the body until its commit holds. The body may run several times: it must have no effect but through `tx`. */
  async run<T>(body: TransactionBody<T>, running: TransactionOptions = {}): Promise<T> {
    this.#active++;
    try {
      const { result, tx } = await this.#runUntilDone(body, running);
      for (const run of tx.afterCommitCallbacks) await run();
      return result;
    } finally {
      this.#active--;
    }
  }

  async #runUntilDone<T>(
    body: TransactionBody<T>,
    { cache: seen, isReadOnly: isQuestion = false, lane: turn }: TransactionOptions,
  ): Promise<CommittedTransaction<T>> {
    const since = this.#around.clock();
    const log = createReadLog();
    const first =
      turn === undefined
        ? await this.#runAtOnce(body, { seen, log, givesWay: !isQuestion })
        : await runInQueue(this.#laneOf(turn), body, since);
    if (first) return first;
    for (;;) {
      this.#around.onRetry?.();
      const inTurn = await runInQueue(this.#main, body, since, { seen, log });
      if (inTurn) return inTurn;
      // It was slow there: it runs beside the queue, and comes back when others were quicker again.
      this.#around.onRetry?.();
      const atOnce = await this.#runAtOnce(body, { seen: undefined, log, givesWay: false });
      if (atOnce) return atOnce;
      if (this.#around.clock() - since >= MAX_RETRY_MS) throw createTimeoutConflict();
    }
  }

  /** Runs a body beside all others, and notes what it reads. Undefined: others were quicker, or are about to be. */
  async #runAtOnce<T>(
    body: TransactionBody<T>,
    {
      seen,
      log,
      givesWay,
    }: { readonly seen: SnapshotCache | undefined; readonly log: ReadLog; readonly givesWay: boolean },
  ): Promise<CommittedTransaction<T> | undefined> {
    const present = await this.#partition.snapshot();
    const view = seen?.version === present.version ? cacheSnapshot(present, seen) : present;
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
    if (givesWay && this.#main.conflictsWith(tx.changes)) return undefined;
    const committed = await this.#commit(batch);
    if (!committed.ok) {
      this.#contended.add(committed.conflict);
      return undefined;
    }
    this.#around.onCommit?.();
    return { result, tx };
  }

  #laneOf(turn: string): TransactionQueue {
    const onIdle = () => void this.#lanes.delete(turn);
    const lane = this.#lanes.get(turn) ?? new TransactionQueue(this.#context, { main: this.#main, onIdle });
    this.#lanes.set(turn, lane);
    return lane;
  }

  async #commit(batch: Parameters<Partition["commit"]>[0]): Promise<Committed> {
    const { begun, underWay } = this.#commits;
    this.#commits = { begun: begun + 1, underWay: underWay + 1 };
    try {
      return await this.#partition.commit(batch);
    } catch (error) {
      throw error instanceof TooLarge ? new TransactionTooLargeError(error.message, { cause: error }) : error;
    } finally {
      this.#commits = { ...this.#commits, underWay: this.#commits.underWay - 1 };
    }
  }
}

/** Runs a body in a queue. Undefined: it was too slow there. */
function runInQueue<T>(
  queue: TransactionQueue,
  body: TransactionBody<T>,
  since: number,
  { seen, log }: { readonly seen?: SnapshotCache | undefined; readonly log?: ReadLog } = {},
): Promise<CommittedTransaction<T> | undefined> {
  return new Promise((resolve, fail) => {
    const succeed = (done: CommittedTransaction<unknown>) => resolve(done as CommittedTransaction<T>);
    queue.push({ body, cache: seen, log, since, isAlone: false, succeed, leave: () => resolve(undefined), fail });
  });
}
