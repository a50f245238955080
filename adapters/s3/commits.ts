// The commits of a partition, whole: all that wait are decided one after the other, each against the newest known head
// and those just accepted, and become one new head with one request. What comes meanwhile waits for the next round.

import {
  type Batch,
  type Committed,
  Corrupt,
  checkBatch,
  decide,
  type Key,
  Unavailable,
  writesNothing,
} from "../adapter";
import { createRecentKeys, type Head, type HeadState, type SegmentRef } from "./head";
import { Item } from "./item";
import type { Present } from "./present";
import type { Requests } from "./requests";
import { joinPieces, SegmentWriter } from "./segment";
import { MissingSegment, type PartitionSegments } from "./segments";
import { type Successor, swapHead } from "./swap";
import { readItems } from "./view";

/** The most that one round takes on, in characters of values, so that a burst is not in memory twice. */
const ROUND_SIZE = 4 * 1024 * 1024;

/** How often a change of the segments is decided again because another process was faster. Commits are, until their callers
 * have waited long enough. */
const MAX_LOST_RACES = 30;

/** A change of the segments in the head; `undefined` when it is no longer useful. It is called again after a lost
 * race. */
export type HeadEdit = (head: Head) => Head | undefined;

interface QueuedBatch {
  readonly batch: Batch;
  readonly texts: readonly string[];
  /** Whether it is part of a head that may have been sent. */
  mayHappen: boolean;
  /** Whether its caller was told that it took too long. */
  isGivenUp: boolean;
  answer(committed: Committed): void;
  fail(error: unknown): void;
}
interface QueuedEdit {
  readonly edit: HeadEdit;
  answer(done: boolean): void;
  fail(error: unknown): void;
}
type QueuedChange = QueuedBatch | QueuedEdit;

/** What a round would make of a head, and what it would answer. */
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
  readonly #writable: () => Promise<void>;
  readonly #writer: string;
  readonly #inlineSize: number;
  readonly #grown: () => void;
  readonly #queue: QueuedChange[] = [];
  #running: Promise<void> | undefined;

  /** `writable` rejects as long as nothing may be written; `grown` is told when there is one more segment. */
  constructor(options: {
    readonly present: Present;
    readonly requests: Requests;
    readonly segments: PartitionSegments;
    readonly writable: () => Promise<void>;
    readonly inlineSize: number;
    readonly grown: () => void;
  }) {
    this.#present = options.present;
    this.#requests = options.requests;
    this.#segments = options.segments;
    this.#writable = options.writable;
    this.#writer = options.requests.environment.newId("writer");
    this.#inlineSize = options.inlineSize;
    this.#grown = options.grown;
  }

  /** Queues a batch. Its caller waits no longer than a call may take; what was not sent until then never is. */
  async commit(batch: Batch): Promise<Committed> {
    const texts = checkBatch(batch);
    const requests = this.#requests;
    await requests.assertAnswering();
    const began = requests.environment.now();
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
        reject(requests.createTimeoutError(began, waiting.mayHappen ? "unknown" : "none"));
      });
      this.#enqueue(waiting);
    });
  }

  /** Queues a change of the segments; false when it was pointless. */
  edit(edit: HeadEdit): Promise<boolean> {
    return new Promise((answer, fail) => this.#enqueue({ edit, answer, fail }));
  }

  /** Resolves when all that was queued is answered. */
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
        await this.#writable();
        const state = this.#present.known ?? (await this.#present.readLatest());
        round = this.#take();
        await this.#settle(round, state);
      } catch (error) {
        // Nothing was sent yet.
        for (const waiting of round.splice(0)) waiting.fail(error);
      }
    }
    this.#running = undefined;
  }

  #take(): QueuedChange[] {
    let size = 0;
    let count = 0;
    while (count < this.#queue.length && size < ROUND_SIZE) {
      const waiting = this.#queue[count++]!;
      if ("texts" in waiting) for (const text of waiting.texts) size += text.length;
    }
    return this.#queue.splice(0, count);
  }

  /** Decides the round as often as it takes, and answers. */
  async #settle(round: readonly QueuedChange[], known: HeadState): Promise<void> {
    let state = known;
    // The newest state that was read after the round had begun: a refusal by an older one proves nothing.
    let confirmed: HeadState | undefined;
    for (let lost = 0; lost < MAX_LOST_RACES ? !round.every(isOver) : round.some(isWaitedFor); ) {
      const draft = await this.#decide(state, round);
      if (draft?.changes) {
        const won = await this.#write(state, draft).catch((failure) => rejectOutcomes(draft, failure));
        if (won === undefined) return;
        // The condition held, so the state was the newest when the head was replaced, also for those who were refused.
        if (won) return resolveOutcomes(draft);
        if (lost++ > 0) await this.#requests.waitBeforeRetry(Math.min(lost - 2, 3));
        confirmed = this.#present.known ?? (await this.#present.readLatest());
      } else {
        if (draft && state === confirmed) return resolveOutcomes(draft);
        confirmed = await this.#present.readLatest();
      }
      state = confirmed;
    }
    throw new Unavailable(`Other processes keep writing to the partition ${this.#present.partition}; try again.`, {
      outcome: "none",
    });
  }

  /** What the round would do to a state; `undefined` when the state has grown too old to be read. */
  async #decide(state: HeadState, round: readonly QueuedChange[]): Promise<HeadDraft | undefined> {
    const lookups = await Promise.allSettled(round.map((waiting) => this.#lookUp(state, waiting)));
    const written = new Map<Key, Item>();
    let head = state.head;
    const outcomes: RoundOutcome[] = [];
    for (const [i, waiting] of round.entries()) {
      const lookup = lookups[i]!;
      if (isOver(waiting)) continue;
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
          const found = (key: Key) => (written.get(key) ?? lookup.value.get(key))?.entry;
          const decision = decide(waiting.batch, waiting.texts, head.version + 1, found);
          if ("conflict" in decision) {
            outcomes.push({ waiting, committed: { ok: false, conflict: decision.conflict } });
            continue;
          }
          if (!writesNothing(waiting.batch)) head = { ...head, version: head.version + 1 };
          waiting.mayHappen ||= !writesNothing(waiting.batch);
          for (const { key, entry, text } of decision.writes)
            written.set(key, Item.fromWrite(key, head.version, entry, text));
          outcomes.push({ waiting, committed: { ok: true, version: head.version } });
        } catch (error) {
          outcomes.push({ waiting, error });
        }
      }
    }
    return { ...applyToRecent(state, head, written), changes: head !== state.head, outcomes };
  }

  async #lookUp(state: HeadState, waiting: QueuedChange): Promise<ReadonlyMap<Key, Item>> {
    if ("edit" in waiting) return new Map();
    const { checks, adds } = waiting.batch;
    return readItems(state, this.#segments, [...checks.map(({ key }) => key), ...adds.map(({ key }) => key)]);
  }

  /** Makes the draft the head; when it has grown too large, its recent keys go into a segment first. */
  async #write(base: HeadState, draft: HeadDraft): Promise<boolean> {
    const grows = draft.recentSize > this.#inlineSize;
    const successor = grows ? await this.#spill(base, draft) : draft;
    const attempt = { writer: this.#writer, id: this.#requests.environment.newId("attempt") };
    const won = await swapHead(this.#present, this.#requests, attempt, base, successor);
    if (won && grows) this.#grown();
    return won;
  }

  async #spill(base: HeadState, { head, recent }: HeadDraft): Promise<Successor> {
    const writer = new SegmentWriter();
    const hides = head.segments.length > 0;
    for (const item of recent.values()) if (hides || !item.isGone) writer.add(item);
    if (writer.items === 0) return { head, recent: createRecentKeys(), recentSize: 0 };
    const name = formatSegmentName(base.head, this.#requests.environment.newId("segment"));
    const ref: SegmentRef = writer.finish(name);
    const object = this.#requests.getSegmentName(head.partition, name);
    const bytes = joinPieces(writer.take());
    // Nobody else writes under this name, so the same bytes may be sent twice (invariant 4).
    await this.#requests.sendWithRetries(() => this.#requests.objects.put(object, bytes));
    return { head: { ...head, segments: [ref, ...head.segments] }, recent: createRecentKeys(), recentSize: 0 };
  }
}

/** Whether nobody waits for it any more. */
function isOver(waiting: QueuedChange): boolean {
  return "isGivenUp" in waiting && waiting.isGivenUp;
}

/** Whether the caller of a commit waits for it. */
function isWaitedFor(waiting: QueuedChange): boolean {
  return "batch" in waiting && !waiting.isGivenUp;
}

/** A name for a segment that is to be named by the successor of a head (invariants 4 and 7). */
export function formatSegmentName(base: Head, id: string): string {
  return `${String(base.number).padStart(12, "0")}-${id}`;
}

/** The error for a segment that the newest head names and that is not there. */
export function createMissingSegmentError(requests: Requests, head: Head, { segment }: MissingSegment): Corrupt {
  return new Corrupt(`${requests.getSegmentName(head.partition, segment)} is missing, though the head names it.`);
}

/** The recent keys of a state with those on top that were written now. */
function applyToRecent(state: HeadState, head: Head, written: ReadonlyMap<Key, Item>): Successor {
  if (written.size === 0) return { head, recent: state.recent, recentSize: state.recentSize };
  const recent = state.recent.clone();
  let recentSize = state.recentSize;
  for (const [key, item] of written) {
    recentSize -= recent.get(key)?.line.length ?? 0;
    // Where there is no segment, a deleted key has nothing to hide.
    if (item.isGone && head.segments.length === 0) {
      recent.delete(key);
      continue;
    }
    recent.set(key, item);
    recentSize += item.line.length;
  }
  return { head, recent, recentSize };
}

function resolveOutcomes({ outcomes }: HeadDraft): void {
  for (const outcome of outcomes) {
    if ("error" in outcome) outcome.waiting.fail(outcome.error);
    else if ("committed" in outcome) outcome.waiting.answer(outcome.committed);
    else outcome.waiting.answer(outcome.done);
  }
}

function rejectOutcomes({ outcomes }: HeadDraft, failure: unknown): undefined {
  for (const outcome of outcomes) {
    if ("error" in outcome) outcome.waiting.fail(outcome.error);
    else if ("committed" in outcome && (!outcome.committed.ok || writesNothing(outcome.waiting.batch)))
      // Neither written nor decided: the decision depends on a write that may not have happened.
      outcome.waiting.fail(
        new Unavailable("A write failed that others depend on.", { outcome: "none", cause: failure }),
      );
    else outcome.waiting.fail(failure);
  }
  return undefined;
}
