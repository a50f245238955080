// The commits of a partition. Those that are called in the same turn travel together, so that they count as one call of the
// many that a Worker may make; the object decides each of them on its own. None waits for those sent before it: a Worker
// must not wait for what another request has begun.

import { type Batch, type Committed, checkBatch, TooLarge, Unavailable, writesNothing } from "../adapter";
import type { Objects } from "./objects";
import {
  type BatchOutcome,
  getPartitionObjectName,
  REGISTRY,
  ROUND_CHARACTERS,
  ROUND_COMMITS,
  type SentBatch,
} from "./protocol";

interface JoinedCommit {
  readonly sent: SentBatch;
  readonly writes: boolean;
  answer(told: BatchOutcome): void;
  fail(error: unknown): void;
}

export class Commits {
  readonly #partition: string;
  readonly #objects: Objects;
  readonly #roundCharacters: number;
  #joined: JoinedCommit[] | undefined;
  #isRegistered = false;
  readonly #underWay = new Set<Promise<void>>();

  constructor(partition: string, objects: Objects, roundCharacters: number = ROUND_CHARACTERS) {
    this.#partition = partition;
    this.#objects = objects;
    this.#roundCharacters = roundCharacters;
  }

  async commit(batch: Batch): Promise<Committed> {
    const texts = checkBatch(batch);
    // A copy is made now, because the caller may change the batch as soon as this call has returned.
    const sent: SentBatch = {
      checks: batch.checks.map(({ key, version }) => [key, version]),
      puts: batch.puts.map(({ key }, i) => [key, texts[i]!]),
      deletes: [...batch.deletes],
      adds: batch.adds.map(({ key, amount }) => [key, amount]),
    };
    const told = await new Promise<BatchOutcome>((answer, fail) => {
      this.#join({ sent, writes: !writesNothing(batch), answer, fail });
    });
    if ("tooLarge" in told) throw new TooLarge(told.tooLarge);
    return "conflict" in told ? { ok: false, conflict: told.conflict } : { ok: true, version: told.version };
  }

  /** Resolves when every commit was answered. */
  async waitUntilIdle(): Promise<void> {
    while (this.#joined || this.#underWay.size > 0) {
      await Promise.resolve();
      await Promise.all(this.#underWay);
    }
  }

  #join(waiting: JoinedCommit): void {
    if (this.#joined) return void this.#joined.push(waiting);
    const joined = [waiting];
    this.#joined = joined;
    queueMicrotask(() => {
      this.#joined = undefined;
      for (const round of this.#rounds(joined)) {
        const sending = this.#settle(round).finally(() => this.#underWay.delete(sending));
        this.#underWay.add(sending);
      }
    });
  }

  *#rounds(commits: readonly JoinedCommit[]): Generator<JoinedCommit[]> {
    let round: JoinedCommit[] = [];
    let size = 0;
    for (const commit of commits) {
      const its = sizeOf(commit.sent);
      if (round.length > 0 && (size + its > this.#roundCharacters || round.length >= ROUND_COMMITS)) {
        yield round;
        round = [];
        size = 0;
      }
      round.push(commit);
      size += its;
    }
    yield round;
  }

  async #settle(round: readonly JoinedCommit[]): Promise<void> {
    try {
      const told = await this.#send(round);
      round.forEach((commit, i) => {
        commit.answer(told[i]!);
      });
    } catch (error) {
      for (const commit of round) commit.fail(commit.writes ? error : asNone(error));
    }
  }

  async #send(round: readonly JoinedCommit[]): Promise<readonly BatchOutcome[]> {
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

function sizeOf({ checks, puts, deletes, adds }: SentBatch): number {
  let size = 0;
  for (const [key] of checks) size += key.length;
  for (const [key, text] of puts) size += key.length + text.length;
  for (const key of deletes) size += key.length;
  for (const [key] of adds) size += key.length;
  return size;
}

/** What writes nothing leaves nothing in doubt. */
function asNone(error: unknown): unknown {
  if (!(error instanceof Unavailable) || error.outcome === "none") return error;
  return new Unavailable(error.message, { outcome: "none", cause: error });
}
