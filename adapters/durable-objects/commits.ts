// The commits of a partition. Commits of the same turn are sent together, so that they count as one of the calls that a Worker may make.
// The object decides each of them individually. No commit waits for those sent before it, because a Worker must not wait for work that
// another request has started.

import { type Batch, type Committed, checkBatch, isReadOnlyBatch, TooLarge, Unavailable } from "../adapter";
import type { Objects } from "./objects";
import {
  getPartitionObjectName,
  REGISTRY,
  ROUND_CHARACTERS,
  ROUND_COMMITS,
  type SentBatch,
  type SentBatchOutcome,
} from "./protocol";

/** A commit that is sent together with others. */
interface JoinedCommit {
  readonly sent: SentBatch;
  readonly writes: boolean;
  answer(outcome: SentBatchOutcome): void;
  fail(error: unknown): void;
}

export class Commits {
  readonly #partition: string;
  readonly #objects: Objects;
  readonly #roundCharacters: number;
  #joined: JoinedCommit[] | undefined;
  #isRegistered = false;
  readonly #pending = new Set<Promise<void>>();

  constructor(partition: string, objects: Objects, roundCharacters: number = ROUND_CHARACTERS) {
    this.#partition = partition;
    this.#objects = objects;
    this.#roundCharacters = roundCharacters;
  }

  async commit(batch: Batch): Promise<Committed> {
    const texts = checkBatch(batch);
    // The batch is copied now, because the caller may change it as soon as this call has returned.
    const sent: SentBatch = {
      checks: batch.checks.map(({ key, version }) => [key, version]),
      puts: batch.puts.map(({ key }, i) => [key, texts[i]!]),
      deletes: [...batch.deletes],
      adds: batch.adds.map(({ key, amount }) => [key, amount]),
    };
    const outcome = await new Promise<SentBatchOutcome>((answer, fail) => {
      this.#join({ sent, writes: !isReadOnlyBatch(batch), answer, fail });
    });
    if ("tooLarge" in outcome) throw new TooLarge(outcome.tooLarge);
    return "conflict" in outcome ? { ok: false, conflict: outcome.conflict } : { ok: true, version: outcome.version };
  }

  /** Resolves once every commit has been answered. */
  async waitUntilIdle(): Promise<void> {
    while (this.#joined || this.#pending.size > 0) {
      await Promise.resolve();
      await Promise.all(this.#pending);
    }
  }

  #join(waiting: JoinedCommit): void {
    if (this.#joined) return void this.#joined.push(waiting);
    const joined = [waiting];
    this.#joined = joined;
    queueMicrotask(() => {
      this.#joined = undefined;
      for (const round of this.#splitIntoRounds(joined)) {
        const sending = this.#commitRound(round).finally(() => this.#pending.delete(sending));
        this.#pending.add(sending);
      }
    });
  }

  *#splitIntoRounds(commits: readonly JoinedCommit[]): Generator<JoinedCommit[]> {
    let round: JoinedCommit[] = [];
    let size = 0;
    for (const commit of commits) {
      const { checks, puts, deletes, adds } = commit.sent;
      let commitSize = 0;
      for (const [key] of checks) commitSize += key.length;
      for (const [key, text] of puts) commitSize += key.length + text.length;
      for (const key of deletes) commitSize += key.length;
      for (const [key] of adds) commitSize += key.length;
      if (round.length > 0 && (size + commitSize > this.#roundCharacters || round.length >= ROUND_COMMITS)) {
        yield round;
        round = [];
        size = 0;
      }
      round.push(commit);
      size += commitSize;
    }
    yield round;
  }

  async #commitRound(round: readonly JoinedCommit[]): Promise<void> {
    try {
      const outcomes = await this.#send(round);
      round.forEach((commit, i) => {
        commit.answer(outcomes[i]!);
      });
    } catch (error) {
      // The outcome of a commit that writes nothing is never in doubt.
      const readError =
        error instanceof Unavailable && error.outcome === "unknown"
          ? new Unavailable(error.message, { outcome: "none", cause: error })
          : error;
      for (const commit of round) commit.fail(commit.writes ? error : readError);
    }
  }

  async #send(round: readonly JoinedCommit[]): Promise<readonly SentBatchOutcome[]> {
    const token = crypto.randomUUID();
    const batches = round.map(({ sent }) => sent);
    let wasDoubtful = false;
    const write = (isRegistered: boolean) =>
      this.#objects.call(
        getPartitionObjectName(this.#partition),
        (stub, isDoubtful) => {
          wasDoubtful ||= isDoubtful;
          return stub.writeRound({ token, isDoubtful: wasDoubtful, isRegistered, batches });
        },
        { writes: true },
      );
    const written = await write(this.#isRegistered);
    if ("told" in written) return written.told;
    await this.#objects.call(REGISTRY, (stub) => stub.register(this.#partition));
    this.#isRegistered = true;
    const first = await write(true);
    if ("told" in first) return first.told;
    throw new Unavailable(`The partition ${this.#partition} could not be registered; try again.`, { outcome: "none" });
  }
}
