// Merges segments, so that a read asks few of them, and deletes those that nobody needs any more. Neither trusts a clock
// or knows who else is at work: a compaction reserves its output in the head before it writes it, and what may be
// deleted follows from the head alone (invariants 7 to 9). Clocks only decide how long the dead are waited for.

import { type Commits, createMissingSegmentError, formatSegmentName } from "./commits";
import type { Head, SegmentRef } from "./head";
import { PART_BYTES } from "./object-store";
import type { Present } from "./present";
import { type Requests, toStorageError } from "./requests";
import { joinPieces, SegmentWriter } from "./segment";
import { MissingSegment, type PartitionSegments } from "./segments";
import { mergeItems } from "./view";

/** How many segments of about one size become one, and how much larger the next size is. */
const FAN_IN = 4;

/** The most objects that one sweep of a partition deletes. */
const SWEPT_AT_ONCE = 1000;

/** How compactions are done. */
export interface CompactionOptions {
  /** The size of the smallest segments, in bytes. */
  readonly unit: number;
  /** The most that one merge reads, in bytes. */
  readonly mergeBytes: number;
  /** For how long readers of an older head find its segments, and a compaction is thought to be alive, in ms. */
  readonly grace: number;
}

export class Compaction {
  readonly #present: Present;
  readonly #commits: Commits;
  readonly #segments: PartitionSegments;
  readonly #requests: Requests;
  readonly #options: CompactionOptions;
  #last: Promise<void> = Promise.resolve();
  #isGrowing = false;

  constructor(
    present: Present,
    commits: Commits,
    segments: PartitionSegments,
    requests: Requests,
    options: CompactionOptions,
  ) {
    this.#present = present;
    this.#commits = commits;
    this.#segments = segments;
    this.#requests = requests;
    this.#options = options;
  }

  /** Merges a run that is due, deletes what is due, and looks for what no head has named. One at a time. */
  runOnce(): Promise<{ merged: number; swept: number }> {
    return this.#alone(() => this.#tend(true));
  }

  /** Merges as long as a run is due, in the background; a failure waits for the next call. */
  startInBackground(): void {
    if (this.#isGrowing || this.#requests.isClosed) return;
    this.#isGrowing = true;
    this.#alone(async () => {
      try {
        while ((await this.#tend(false)).merged > 0);
      } finally {
        this.#isGrowing = false;
      }
    }).catch(() => {});
  }

  /** Resolves when nothing is under way. */
  async waitUntilIdle(): Promise<void> {
    await this.#last;
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const working = this.#last.then(work);
    this.#last = working.then(
      () => {},
      () => {},
    );
    return working;
  }

  async #tend(everything: boolean): Promise<{ merged: number; swept: number }> {
    // An older head does no harm: a change is made only if it still makes sense.
    const { head } = (everything ? undefined : this.#present.known) ?? (await this.#present.readLatest());
    const run = findDueRun(head, this.#options);
    const merged = run ? await this.#merge(run) : 0;
    let swept = await this.#deleteRetired();
    if (everything) swept += await this.#deleteUnnamed();
    return { merged, swept };
  }

  /** Merges a run of segments; gives how many there were. */
  async #merge(run: readonly SegmentRef[]): Promise<number> {
    const inputs = run.map(({ name }) => name);
    const reserved = await this.#reserve(inputs);
    if (!reserved) return 0;
    let output: SegmentRef | undefined;
    try {
      output = await this.#write(run, reserved);
    } catch (error) {
      await this.#release(reserved.name);
      if (!(error instanceof MissingSegment)) throw error;
      // Either another compaction took this one for dead and has replaced the same segments, or a segment is lost.
      const { head } = await this.#present.readLatest();
      if (head.segments.some(({ name }) => name === error.segment))
        throw createMissingSegmentError(this.#requests, head, error);
      return 0;
    }
    const done = await this.#commits.edit((head) => {
      const at = indexOfSegments(inputs, head);
      if (at < 0 || !head.reserved.some(({ name }) => name === reserved.name)) return undefined;
      const segments = head.segments.toSpliced(at, inputs.length, ...(output ? [output] : []));
      const now = this.#requests.environment.now();
      return {
        ...head,
        segments,
        retired: [...head.retired, ...inputs.map((name) => ({ name, at: now }))],
        reserved: head.reserved.filter(({ name }) => name !== reserved.name),
      };
    });
    return done ? inputs.length : 0;
  }

  /** Announces a merge in the head, unless another one is at it. */
  async #reserve(inputs: readonly string[]): Promise<{ name: string; toTheEnd: boolean } | undefined> {
    let reserved = { name: "", toTheEnd: false };
    const done = await this.#commits.edit((head) => {
      const now = this.#requests.environment.now();
      const alive = head.reserved.filter(({ at }) => at + this.#options.grace > now);
      const at = indexOfSegments(inputs, head);
      if (at < 0 || alive.some((other) => other.inputs.some((name) => inputs.includes(name)))) return undefined;
      const name = formatSegmentName(head, this.#requests.environment.newId("segment"));
      reserved = { name, toTheEnd: at + inputs.length === head.segments.length };
      return { ...head, reserved: [...alive, { name, inputs, at: now }] };
    });
    return done ? reserved : undefined;
  }

  /** Takes a reservation back, so that nobody has to wait until it counts as dead. */
  async #release(reserved: string): Promise<void> {
    const release = (head: Head) => {
      const others = head.reserved.filter(({ name }) => name !== reserved);
      return others.length === head.reserved.length ? undefined : { ...head, reserved: others };
    };
    // When that fails as well, others wait.
    await this.#commits.edit(release).catch(() => {});
  }

  /** Writes the items of a run as one segment; `undefined` when none is left. */
  async #write(
    run: readonly SegmentRef[],
    { name, toTheEnd }: { name: string; toTheEnd: boolean },
  ): Promise<SegmentRef | undefined> {
    const writer = new SegmentWriter();
    const everything = { from: "", to: undefined };
    const items = mergeItems(
      run.map((ref) => this.#segments.scan(ref, everything, false, false)),
      false,
    );
    let ref: SegmentRef | undefined;
    const requests = this.#requests;
    async function* parts(): AsyncGenerator<Uint8Array> {
      let held: Uint8Array[] = [];
      let size = 0;
      const hold = () => {
        for (const piece of writer.take()) {
          held.push(piece);
          size += piece.length;
        }
      };
      for await (const item of items) {
        requests.assertOpen();
        // Below the last segment, a deleted key has nothing to hide.
        if (!toTheEnd || !item.isGone) writer.add(item);
        hold();
        while (size >= PART_BYTES) {
          const bytes = joinPieces(held);
          yield bytes.subarray(0, PART_BYTES);
          held = [bytes.subarray(PART_BYTES)];
          size -= PART_BYTES;
        }
      }
      if (writer.items === 0) return;
      ref = writer.finish(name);
      hold();
      yield joinPieces(held);
    }
    const object = requests.getSegmentName(this.#present.partition, name);
    const all = parts();
    const first = await all.next();
    if (first.done) return undefined;
    const second = first.value.length < PART_BYTES ? undefined : await all.next();
    if (second === undefined || second.done)
      await requests.sendWithRetries(() => requests.objects.put(object, first.value));
    else
      await requests.objects.putParts(object, resumed([first.value, second.value], all)).catch((error) => {
        throw toStorageError(error, "none");
      });
    return ref;
  }

  /** Deletes what compactions have replaced: first no head names it, then it goes (invariant 9). */
  async #deleteRetired(): Promise<number> {
    let due: string[] = [];
    const passed = (at: number) => at + this.#options.grace <= this.#requests.environment.now();
    if (!this.#present.known?.head.retired.some(({ at }) => passed(at))) return 0;
    const done = await this.#commits.edit((head) => {
      due = head.retired.flatMap(({ name, at }) => (passed(at) ? [name] : []));
      return due.length === 0
        ? undefined
        : { ...head, retired: head.retired.filter(({ name }) => !due.includes(name)) };
    });
    if (!done) return 0;
    for (const name of due) await this.#delete(name);
    return due.length;
  }

  /** Deletes what attempts have left behind that came to nothing. */
  async #deleteUnnamed(): Promise<number> {
    const { head } = await this.#present.readLatest();
    let swept = 0;
    for await (const name of this.#requests.listNames(this.#requests.getSegmentName(this.#present.partition, ""))) {
      if (!isGarbage(head, name)) continue;
      await this.#delete(name);
      if (++swept >= SWEPT_AT_ONCE) break;
    }
    return swept;
  }

  async #delete(name: string): Promise<void> {
    this.#requests.assertOpen();
    const object = this.#requests.getSegmentName(this.#present.partition, name);
    await this.#requests.sendWithRetries(() => this.#requests.objects.delete(object));
  }
}

/**
 * Whether no head will ever name a segment again, told by any head: its attempt was made on an earlier one, so it can
 * only have been named by that one's successor (invariant 7), or is announced, and this head does neither.
 */
export function isGarbage(head: Head, name: string): boolean {
  const base = /^(\d{12,})-/.exec(name)?.[1];
  if (base === undefined || Number(base) >= head.number) return false;
  return ![...head.segments, ...head.retired, ...head.reserved].some((named) => named.name === name);
}

/** The run of neighbours that is to become one segment: the smallest size of which there are enough. */
function findDueRun(head: Head, { unit, mergeBytes }: CompactionOptions): readonly SegmentRef[] | undefined {
  const tiers = head.segments.map(({ bytes }) => Math.max(0, Math.floor(Math.log(bytes / unit) / Math.log(FAN_IN))));
  for (let tier = 0; tier <= Math.max(...tiers); tier++) {
    for (let from = 0; from < tiers.length; from++) {
      let to = from;
      while (to < tiers.length && tiers[to]! <= tier) to++;
      const run = head.segments.slice(from, to);
      const enough = tiers.slice(from, to).filter((other) => other === tier).length >= FAN_IN;
      if (enough && run.reduce((sum, { bytes }) => sum + bytes, 0) <= mergeBytes) return run;
      from = to;
    }
  }
  return undefined;
}

/** Where segments stand in the head, side by side as they were; -1: not any more. */
function indexOfSegments(names: readonly string[], head: Head): number {
  const at = head.segments.findIndex(({ name }) => name === names[0]);
  return names.every((name, i) => head.segments[at + i]?.name === name) ? at : -1;
}

async function* resumed<T>(first: readonly T[], rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}
