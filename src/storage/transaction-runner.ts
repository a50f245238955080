// Runs the transactions of one partition in one process. A transaction is run at once, beside all others. Whoever finds that
// others of this process, or of another one, work on the same records waits in a queue. The queue runs its transactions one
// after the other, in the order in which they came: each sees what those before it are about to write. What comes together
// that way is one commit. So nobody is refused because others were quicker, and how many wait for the same record costs no
// further commits.
//
// Several transactions in one commit are what they would be in commits of their own that nobody comes between: the commit
// checks everything that any of them read in the storage. Until it holds, nobody is told a result that rests on it.
//
// Between processes, a commit that others came before is tried again after a random time, until the time is up.

import { type Committed, Conflict, type Key, type Partition, StorageError, TooLarge, Unavailable } from "./storage";
import {
  BufferedTransaction,
  batchOf,
  type Changes,
  combine,
  noChanges,
  remembering,
  roomBeside,
  type SnapshotCache,
  type Transaction,
  TransactionTooLargeError,
} from "./transaction";

/** Waits before another attempt; the number of the attempt that failed comes in. */
export type Pause = (attempt: number) => Promise<void>;

/** What a runner needs of its surroundings. */
export interface Surroundings {
  readonly pause: Pause;
  /** Milliseconds that pass. */
  readonly clock: () => number;
  /** Hears of each run of a body but the first. */
  readonly onRetry?: (() => void) | undefined;
  /** Hears of each commit that holds, before anything that follows it. */
  readonly onCommit?: (() => void) | undefined;
}

/** How long others may come first, in milliseconds. */
export const LONGEST_MS = 20_000;

/** How long those in the queue wait for one that is slow, in milliseconds. Then it runs beside them. */
const SLOW_MS = 1000;

/** The most transactions in one commit. */
const MOST_TOGETHER = 100;

/** What stays free in a commit of several: sealed values are longer in the storage. */
const KEPT_FREE_BYTES = 160 * 1024;

/** The most keys that are known to be contended. */
const MOST_CONTENDED = 1000;

type Body<T> = (tx: Transaction) => Promise<T>;

/** How a transaction is run. */
export interface Running {
  /** What was seen before is not read again if nothing was committed since: it is the same moment, and is checked alike. */
  readonly seen?: SnapshotCache | undefined;
  /** Whether the body only asks, as far as anybody knows. Then it waits for nobody. */
  readonly isQuestion?: boolean | undefined;
}

/** A transaction whose commit holds. */
interface Done<T> {
  readonly result: T;
  readonly tx: BufferedTransaction;
}

/** A transaction in the queue. */
interface Waiting {
  readonly body: Body<unknown>;
  readonly seen: SnapshotCache | undefined;
  readonly since: number;
  /** Whether it is to have a commit of its own. */
  isAlone: boolean;
  succeed(done: Done<unknown>): void;
  /** Leaves the queue without an outcome. */
  leave(): void;
  fail(error: unknown): void;
}

/** A transaction that has run and waits for the commit. */
interface Member {
  readonly waiting: Waiting;
  readonly tx: BufferedTransaction;
  readonly outcome: Outcome;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

export class TransactionRunner {
  readonly #partition: Partition;
  readonly #around: Surroundings;
  readonly #queue: Waiting[] = [];
  /** Keys that transactions came into conflict about, and may again. */
  readonly #contended = new Set<Key>();
  /** What the transactions that are committed together have read and written so far. */
  #together: Changes = noChanges;
  #isWorking = false;
  #active = 0;
  /** How often in a row others came first. */
  #losses = 0;

  constructor(partition: Partition, around: Surroundings) {
    this.#partition = partition;
    this.#around = around;
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
  async run<T>(body: Body<T>, { seen, isQuestion = false }: Running = {}): Promise<T> {
    this.#active++;
    try {
      const { result, tx } = (await this.#runAtOnce(body, seen, !isQuestion)) ?? (await this.#runInTurn(body, seen));
      for (const run of tx.waiting) await run();
      return result;
    } finally {
      this.#active--;
    }
  }

  /** Runs a body beside all others. Undefined: others were quicker, or are about to be. */
  async #runAtOnce<T>(body: Body<T>, seen: SnapshotCache | undefined, givesWay: boolean): Promise<Done<T> | undefined> {
    const present = await this.#partition.snapshot();
    const isContended = givesWay ? (key: Key) => this.#contended.has(key) : undefined;
    const view = seen?.version === present.version ? remembering(present, seen) : present;
    const tx = new BufferedTransaction(view, { isContended });
    let result: T;
    try {
      result = await body(tx);
    } catch (error) {
      if (tx.isSuperseded) return undefined;
      throw error;
    }
    if (tx.isSuperseded) return undefined;
    const batch = batchOf(tx.changes);
    if (batch === undefined) return { result, tx };
    if (givesWay && this.#isInTheWay(tx.changes)) return undefined;
    const committed = await this.#commit(batch);
    if (!committed.ok) return this.#noteContended(committed.conflict);
    this.#around.onCommit?.();
    return { result, tx };
  }

  /** Runs a body in the queue. One that is slow there runs beside it, and comes back when others were quicker again. */
  async #runInTurn<T>(body: Body<T>, seen: SnapshotCache | undefined): Promise<Done<T>> {
    const since = this.#around.clock();
    for (;;) {
      this.#around.onRetry?.();
      const inTurn = await this.#enqueue(body, seen, since);
      if (inTurn) return inTurn;
      this.#around.onRetry?.();
      const atOnce = await this.#runAtOnce(body, undefined, false);
      if (atOnce) return atOnce;
      if (this.#isOver(since)) throw givenUp();
    }
  }

  #enqueue<T>(body: Body<T>, seen: SnapshotCache | undefined, since: number): Promise<Done<T> | undefined> {
    return new Promise((resolve, fail) => {
      const succeed = (done: Done<unknown>) => resolve(done as Done<T>);
      this.#queue.push({ body, seen, since, isAlone: false, succeed, leave: () => resolve(undefined), fail });
      if (!this.#isWorking) void this.#work();
    });
  }

  #isOver(since: number): boolean {
    return this.#around.clock() - since >= LONGEST_MS;
  }

  /** Whether a commit, or those in the queue, would make the other fail. */
  #isInTheWay({ reads, writes }: Changes): boolean {
    if (!this.#isWorking) return false;
    for (const key of writes.keys()) if (this.#contended.has(key) || this.#together.reads.has(key)) return true;
    for (const key of reads.keys()) if (this.#contended.has(key) || this.#together.writes.has(key)) return true;
    return false;
  }

  #noteContended(key: Key): undefined {
    if (this.#contended.size === MOST_CONTENDED) this.#contended.clear();
    this.#contended.add(key);
  }

  async #commit(batch: Parameters<Partition["commit"]>[0]): Promise<Committed> {
    try {
      return await this.#partition.commit(batch);
    } catch (error) {
      throw error instanceof TooLarge ? new TransactionTooLargeError(error.message, { cause: error }) : error;
    }
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#queue.length > 0) {
      let members: readonly Member[] = [];
      try {
        members = await this.#gather();
        await this.#commitTogether(members);
      } catch (error) {
        this.#failAll(members, error);
      }
      this.#together = noChanges;
    }
    this.#isWorking = false;
  }

  /** Runs transactions of the queue, as many as one commit takes. */
  async #gather(): Promise<readonly Member[]> {
    const present = await this.#partition.snapshot().catch((error: unknown) => {
      for (const waiting of this.#queue.splice(0)) waiting.fail(error);
    });
    if (!present) return [];
    const base = remembering(present, { version: present.version, entries: new Map(), lists: new Map() });
    const members: Member[] = [];
    while (this.#queue.length > 0 && members.length < MOST_TOGETHER) {
      const waiting = this.#queue[0]!;
      if (waiting.isAlone && members.length > 0) break;
      const { seen } = waiting;
      const tx = new BufferedTransaction(seen?.version === present.version ? remembering(base, seen) : base, {
        earlier: this.#together.writes,
        rank: members.length,
      });
      const running = outcomeOf(waiting.body, tx);
      const outcome = await inTime(running);
      if (outcome === undefined) {
        tx.supersede();
        this.#queue.shift();
        void running.then(waiting.leave);
        continue;
      }
      // It is the first one of the next commit.
      if (tx.isSuperseded) break;
      const isWriting = "result" in outcome && batchOf(tx.changes) !== undefined;
      if (!isWriting && !tx.hasSeenEarlier) {
        this.#queue.shift();
        settle({ waiting, tx, outcome });
        continue;
      }
      const together = combine(this.#together, isWriting ? tx.changes : { ...tx.changes, writes: noChanges.writes });
      if (members.length > 0 && !fits(together)) break;
      this.#together = together;
      members.push({ waiting, tx, outcome });
      this.#queue.shift();
      if (waiting.isAlone) break;
    }
    return members;
  }

  async #commitTogether(members: readonly Member[]): Promise<void> {
    const batch = batchOf(this.#together);
    if (batch === undefined) return;
    const committed = await this.#commit(batch);
    if (committed.ok) {
      this.#losses = 0;
      this.#around.onCommit?.();
      this.#forgetUncontended(members);
      for (const member of members) settle(member);
      return;
    }
    this.#noteContended(committed.conflict);
    this.#losses++;
    if (this.#tryAgain(members)) await this.#around.pause(this.#losses);
  }

  /** Puts those whose time is not up back into the queue, before all others. Gives whether there are any. */
  #tryAgain(members: readonly Member[]): boolean {
    const again: Waiting[] = [];
    for (const { waiting } of members) {
      if (this.#isOver(waiting.since)) waiting.fail(givenUp());
      else again.push(waiting);
    }
    for (const _ of again) this.#around.onRetry?.();
    this.#queue.unshift(...again);
    return again.length > 0;
  }

  /** A key that only one of them touched, with nobody behind them, is not contended any more. */
  #forgetUncontended(members: readonly Member[]): void {
    if (this.#queue.length > 0) return;
    for (const key of this.#contended)
      if (members.filter(({ tx }) => tx.touches(key)).length < 2) this.#contended.delete(key);
  }

  #failAll(members: readonly Member[], error: unknown): void {
    // Together they are too large for the storage, which counts sealed values as they are stored.
    if (error instanceof TransactionTooLargeError && members.length > 1) {
      for (const { waiting } of members) waiting.isAlone = true;
      this.#tryAgain(members);
      return;
    }
    for (const { waiting, outcome, tx } of members) {
      const isWriting = "result" in outcome && tx.hasWritten;
      waiting.fail(isWriting ? error : withoutDoubt(error));
    }
  }
}

async function outcomeOf(body: Body<unknown>, tx: BufferedTransaction): Promise<Outcome> {
  try {
    return { result: await body(tx) };
  } catch (error) {
    return { error };
  }
}

function settle({ waiting, tx, outcome }: Member): void {
  if ("error" in outcome) waiting.fail(outcome.error);
  else waiting.succeed({ result: outcome.result, tx });
}

/** What comes soon enough for those who wait behind it. */
async function inTime<T>(running: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SLOW_MS);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

function givenUp(): Conflict {
  return new Conflict(`Others kept changing the same records for ${LONGEST_MS / 1000} seconds.`);
}

/** Whether one commit holds so much. What is no JSON has no size: then the storage says so, to the one that wrote it. */
function fits(together: Changes): boolean {
  try {
    const { entries, checks, bytes } = roomBeside(together);
    return entries >= 0 && checks >= 0 && bytes >= KEPT_FREE_BYTES;
  } catch {
    return false;
  }
}

/** What those are told who wrote nothing, but rest on a commit that failed. */
function withoutDoubt(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  return new Unavailable("A write failed that others depend on.", { outcome: "none", cause: error });
}
