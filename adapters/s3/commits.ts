// The commits of a partition. All waiting commits are decided one after the other, each against the latest known head and the commits
// accepted before it, and become one new head with one request. Commits that arrive in the meantime wait for the next round.

import {
  type Batch,
  type Committed,
  Corrupt,
  checkBatch,
  decideBatch,
  isReadOnlyBatch,
  type Key,
  Unavailable,
} from "../adapter";
import { createRecentKeys, type Head, type HeadState, type SegmentRef } from "./head";
import { Item } from "./item";
import type { Present } from "./present";
import type { Requests } from "./requests";
import { joinPieces, SegmentWriter } from "./segment";
import { MissingSegment, type PartitionSegments } from "./segments";
import { type Successor, swapHead } from "./swap";
import { readItems } from "./view";

/** The approximate maximum size of a round, in characters of values, so that a burst is not in memory twice. */
const MAX_ROUND_SIZE = 4 * 1024 * 1024;

/** The number of retries of a change of the segments when other processes are faster. Commits are retried until they time out. */
const MAX_LOST_RACES = 30;

/** Changes the segments of a head. Returns undefined if the change is no longer useful. It is called again after a lost race. */
export type HeadEdit = (head: Head) => Head | undefined;

/** A commit that waits for its round. */
interface QueuedBatch {
  readonly batch: Batch;
  readonly texts: readonly string[];
  /** True if the commit is part of a head that may have been sent. */
  mayHappen: boolean;
  /** True if the commit has timed out for its caller. */
  isGivenUp: boolean;
  answer(committed: Committed): void;
  fail(error: unknown): void;
}
/** A change of the segments that waits for its round. */
interface QueuedEdit {
  readonly edit: HeadEdit;
  /** A change has no timeout. */
  readonly isGivenUp?: false;
  answer(done: boolean): void;
  fail(error: unknown): void;
}
type QueuedChange = QueuedBatch | QueuedEdit;

/** The head that a round would create, and the outcomes that it would have. */
interface HeadDraft extends Successor {
  readonly changes: boolean;
  readonly outcomes: readonly RoundOutcome[];
}
type RoundOutcome =
  | { readonly waiting: QueuedBatch; readonly committed: Committed }
  | { readonly waiting: QueuedEdit; readonly done: boolean }
  | { readonly waiting: QueuedChange; readonly error: unknown };

export class Commits {
  readonly #present: Present;
  readonly #requests: Requests;
  readonly #segments: PartitionSegments;
  readonly #ensureWritable: () => Promise<void>;
  readonly #writer: string;
  readonly #inlineSize: number;
  readonly #onSpill: () => void;
  readonly #queue: QueuedChange[] = [];
  #running: Promise<void> | undefined;

  /** `ensureWritable` rejects while nothing may be written; `onSpill` is called when a segment was added. */
  constructor(options: {
    readonly present: Present;
    readonly requests: Requests;
    readonly segments: PartitionSegments;
    readonly ensureWritable: () => Promise<void>;
    readonly inlineSize: number;
    readonly onSpill: () => void;
  }) {
    this.#present = options.present;
    this.#requests = options.requests;
    this.#segments = options.segments;
    this.#ensureWritable = options.ensureWritable;
    this.#writer = options.requests.environment.newId("writer");
    this.#inlineSize = options.inlineSize;
    this.#onSpill = options.onSpill;
  }

  /** Queues a batch. If it has not been sent when the call times out, it is never sent. */
  async commit(batch: Batch): Promise<Committed> {
    const texts = checkBatch(batch);
    const requests = this.#requests;
    await requests.assertAnswering();
    const startedAt = requests.environment.now();
    return new Promise((resolve, reject) => {
      const waiting: QueuedBatch = {
        batch,
        texts,
        mayHappen: false,
        isGivenUp: false,
        answer(committed) {
          stop();
          resolve(committed);
        },
        fail(error) {
          stop();
          reject(error);
        },
      };
      const stop = requests.environment.alarm(requests.waits.wholeMs, () => {
        waiting.isGivenUp = true;
        reject(requests.createTimeoutError(startedAt, waiting.mayHappen ? "unknown" : "none"));
      });
      this.#enqueue(waiting);
    });
  }

  /** Queues a change of the segments. Returns false if it was no longer useful. */
  edit(edit: HeadEdit): Promise<boolean> {
    return new Promise((answer, fail) => this.#enqueue({ edit, answer, fail }));
  }

  /** Resolves once everything that was queued has been answered. */
  async waitUntilIdle(): Promise<void> {
    await this.#running;
  }

  #enqueue(waiting: QueuedChange): void {
    this.#queue.push(waiting);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      let round: QueuedChange[] = this.#queue;
      try {
        await this.#ensureWritable();
        const state = this.#present.known ?? (await this.#present.readLatest());
        round = this.#takeRound();
        await this.#commitRound(round, state);
      } catch (error) {
        // Nothing has been sent yet.
        for (const waiting of round.splice(0)) waiting.fail(error);
      }
    }
    this.#running = undefined;
  }

  #takeRound(): QueuedChange[] {
    let size = 0;
    let count = 0;
    while (count < this.#queue.length && size < MAX_ROUND_SIZE) {
      const waiting = this.#queue[count++]!;
      if ("texts" in waiting) for (const text of waiting.texts) size += text.length;
    }
    return this.#queue.splice(0, count);
  }

  /** Decides and writes a round until it succeeds, and answers. */
  async #commitRound(round: readonly QueuedChange[], known: HeadState): Promise<void> {
    let state = known;
    // The latest state that was read after the round started. A refusal by an older state proves nothing.
    let confirmed: HeadState | undefined;
    const isBatchPending = (change: QueuedChange) => "batch" in change && !change.isGivenUp;
    for (
      let lost = 0;
      lost < MAX_LOST_RACES ? !round.every(({ isGivenUp }) => isGivenUp) : round.some(isBatchPending);
    ) {
      const draft = await this.#decide(state, round);
      if (draft?.changes) {
        let won: boolean;
        try {
          won = await this.#write(state, draft);
        } catch (failure) {
          return answerOutcomes(draft, failure);
        }
        // The condition was met, so the state was the latest when the head was replaced. This confirms the refusals as well.
        if (won) return answerOutcomes(draft);
        if (lost++ > 0) await this.#requests.waitBeforeRetry(Math.min(lost - 2, 3));
        confirmed = this.#present.known ?? (await this.#present.readLatest());
      } else {
        if (draft && state === confirmed) return answerOutcomes(draft);
        confirmed = await this.#present.readLatest();
      }
      state = confirmed;
    }
    throw new Unavailable(`Other processes keep writing to the partition ${this.#present.partition}; try again.`, {
      outcome: "none",
    });
  }

  /** Decides a round against a state. Returns undefined if the state has become too old to be read. */
  async #decide(state: HeadState, round: readonly QueuedChange[]): Promise<HeadDraft | undefined> {
    const lookups = await Promise.allSettled(round.map((waiting) => this.#lookUp(state, waiting)));
    const written = new Map<Key, Item>();
    let head = state.head;
    const outcomes: RoundOutcome[] = [];
    for (const [i, waiting] of round.entries()) {
      const lookup = lookups[i]!;
      if (waiting.isGivenUp) continue;
      if (lookup.status === "rejected") {
        if (!(lookup.reason instanceof MissingSegment)) outcomes.push({ waiting, error: lookup.reason });
        else if ((await this.#present.readLatest()) !== state) return undefined;
        else outcomes.push({ waiting, error: createMissingSegmentError(this.#requests, head, lookup.reason) });
      } else if ("edit" in waiting) {
        const edited = waiting.edit(head);
        head = edited ?? head;
        outcomes.push({ waiting, done: edited !== undefined });
      } else {
        try {
          const getEntry = (key: Key) => (written.get(key) ?? lookup.value.get(key))?.entry;
          const decision = decideBatch(waiting.batch, waiting.texts, head.version + 1, getEntry);
          if ("conflict" in decision) {
            outcomes.push({ waiting, committed: { ok: false, conflict: decision.conflict } });
            continue;
          }
          if (!isReadOnlyBatch(waiting.batch)) head = { ...head, version: head.version + 1 };
          waiting.mayHappen ||= !isReadOnlyBatch(waiting.batch);
          for (const { key, entry, text } of decision.writes)
            written.set(key, Item.fromWrite(key, head.version, entry, text));
          outcomes.push({ waiting, committed: { ok: true, version: head.version } });
        } catch (error) {
          outcomes.push({ waiting, error });
        }
      }
    }

    const recent = written.size === 0 ? state.recent : state.recent.clone();
    let recentSize = state.recentSize;
    for (const [key, item] of written) {
      recentSize -= recent.get(key)?.line.length ?? 0;
      // Without segments, there is nothing that the deletion has to hide.
      if (item.isGone && head.segments.length === 0) recent.delete(key);
      else {
        recent.set(key, item);
        recentSize += item.line.length;
      }
    }
    return { head, recent, recentSize, changes: head !== state.head, outcomes };
  }

  async #lookUp(state: HeadState, waiting: QueuedChange): Promise<ReadonlyMap<Key, Item>> {
    if ("edit" in waiting) return new Map();
    const { checks, adds } = waiting.batch;
    return readItems(state, this.#segments, [...checks.map(({ key }) => key), ...adds.map(({ key }) => key)]);
  }

  /** Makes the draft the head. If it has become too large, its recent keys are moved to a segment first. */
  async #write(base: HeadState, draft: HeadDraft): Promise<boolean> {
    const isSpilling = draft.recentSize > this.#inlineSize;
    const successor = isSpilling ? await this.#spill(base, draft) : draft;
    const attempt = { writer: this.#writer, id: this.#requests.environment.newId("attempt") };
    const won = await swapHead(this.#present, this.#requests, attempt, base, successor);
    if (won && isSpilling) this.#onSpill();
    return won;
  }

  async #spill(base: HeadState, { head, recent }: HeadDraft): Promise<Successor> {
    const writer = new SegmentWriter();
    const hasSegments = head.segments.length > 0;
    for (const item of recent.values()) if (hasSegments || !item.isGone) writer.add(item);
    if (writer.items === 0) return { head, recent: createRecentKeys(), recentSize: 0 };
    const name = formatSegmentName(base.head, this.#requests.environment.newId("segment"));
    const ref: SegmentRef = writer.finish(name);
    const object = this.#requests.getSegmentName(head.partition, name);
    const bytes = joinPieces(writer.take());
    // No other process writes under this name, so the same bytes can be sent twice (invariant 4).
    await this.#requests.sendWithRetries(() => this.#requests.objects.put(object, bytes));
    return { head: { ...head, segments: [ref, ...head.segments] }, recent: createRecentKeys(), recentSize: 0 };
  }
}

/** Returns the name of a segment to which the successor of a head will refer (invariants 4 and 7). */
export function formatSegmentName(base: Head, id: string): string {
  return `${String(base.number).padStart(12, "0")}-${id}`;
}

/** Creates the error for a missing segment to which the latest head refers. */
export function createMissingSegmentError(requests: Requests, head: Head, { segment }: MissingSegment): Corrupt {
  return new Corrupt(`${requests.getSegmentName(head.partition, segment)} is missing, though the head names it.`);
}

/** Answers all changes of a round that was written or confirmed, or whose write has failed. */
function answerOutcomes({ outcomes }: HeadDraft, failure?: unknown): void {
  for (const outcome of outcomes) {
    if ("error" in outcome) outcome.waiting.fail(outcome.error);
    else if (failure === undefined) {
      if ("committed" in outcome) outcome.waiting.answer(outcome.committed);
      else outcome.waiting.answer(outcome.done);
    } else if ("committed" in outcome && (!outcome.committed.ok || isReadOnlyBatch(outcome.waiting.batch)))
      // It wrote nothing, but its decision depends on a write that may not have happened.
      outcome.waiting.fail(
        new Unavailable("A write failed that others depend on.", { outcome: "none", cause: failure }),
      );
    else outcome.waiting.fail(failure);
  }
}
