// Merges segments, so that a read needs few of them, and deletes segments that are no longer needed. Neither relies on a clock or on
// knowledge of other processes: a compaction reserves its output in the head before it writes it, and the head alone determines what can
// be deleted (invariants 7 to 9). Clocks only determine how long to wait for compactions that may have died.

import { type Commits, createMissingSegmentError, formatSegmentName } from "./commits";
import type { Head, SegmentRef } from "./head";
import { joinParts, PART_BYTES } from "./object-store";
import type { Present } from "./present";
import { type Requests, toStorageError } from "./requests";
import { joinPieces, SegmentWriter } from "./segment";
import { MissingSegment, type PartitionSegments } from "./segments";
import { mergeItems } from "./view";

/** The number of segments of similar size that are merged, and the factor between one size and the next. */
const FAN_IN = 4;

/** The maximum number of objects that one sweep of a partition deletes. */
const MAX_SWEPT_OBJECTS = 1000;

export interface CompactionOptions {
  /** The size of the smallest segments, in bytes. */
  readonly unit: number;
  /** The maximum size of the segments in one merge, in bytes. */
  readonly mergeBytes: number;
  /** The time for which the segments of older heads remain readable, and a compaction counts as alive, in milliseconds. */
  readonly grace: number;
}

export class Compaction {
  readonly #present: Present;
  readonly #commits: Commits;
  readonly #segments: PartitionSegments;
  readonly #requests: Requests;
  readonly #options: CompactionOptions;
  #last: Promise<void> = Promise.resolve();
  #isMerging = false;

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

  /** Merges a due run of segments, deletes retired segments, and deletes segments to which no head refers. Calls run one at a time. */
  runOnce(): Promise<{ merged: number; swept: number }> {
    return this.#runExclusively(() => this.#compact(true));
  }

  /** Merges in the background while a run is due. Errors are ignored, and the next call tries again. */
  startInBackground(): void {
    if (this.#isMerging || this.#requests.isClosed) return;
    this.#isMerging = true;
    this.#runExclusively(async () => {
      try {
        while ((await this.#compact(false)).merged > 0);
      } finally {
        this.#isMerging = false;
      }
    }).catch(() => {});
  }

  /** Resolves once no compaction is running. */
  async waitUntilIdle(): Promise<void> {
    await this.#last;
  }

  #runExclusively<T>(work: () => Promise<T>): Promise<T> {
    const working = this.#last.then(work);
    this.#last = working.then(
      () => {},
      () => {},
    );
    return working;
  }

  async #compact(everything: boolean): Promise<{ merged: number; swept: number }> {
    // An outdated head does no harm, because a change is applied only if it is still valid.
    const { head } = (everything ? undefined : this.#present.known) ?? (await this.#present.readLatest());
    const run = findDueRun(head, this.#options);
    const merged = run ? await this.#merge(run) : 0;
    let swept = await this.#deleteRetired();
    if (everything) swept += await this.#deleteUnreferenced();
    return { merged, swept };
  }

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
      // Either another compaction considered this one dead and has replaced the same segments, or a segment is lost.
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

  /** Announces a merge in the head, unless another compaction has reserved one of the segments. */
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

  /** Removes a reservation, so that other compactions do not have to wait until it counts as dead. */
  async #release(reserved: string): Promise<void> {
    const release = (head: Head) => {
      const others = head.reserved.filter(({ name }) => name !== reserved);
      return others.length === head.reserved.length ? undefined : { ...head, reserved: others };
    };
    // If this fails as well, the others have to wait.
    await this.#commits.edit(release).catch(() => {});
  }

  /** Writes the items of a run as one segment. Returns undefined if no item is left. */
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
    async function* writeParts(): AsyncGenerator<Uint8Array> {
      let pending: Uint8Array[] = [];
      let size = 0;
      const collect = () => {
        for (const piece of writer.take()) {
          pending.push(piece);
          size += piece.length;
        }
      };
      for await (const item of items) {
        requests.assertOpen();
        // At the end of the list, there is nothing that a deletion has to hide.
        if (!toTheEnd || !item.isGone) writer.add(item);
        collect();
        while (size >= PART_BYTES) {
          const bytes = joinPieces(pending);
          yield bytes.subarray(0, PART_BYTES);
          pending = [bytes.subarray(PART_BYTES)];
          size -= PART_BYTES;
        }
      }
      if (writer.items === 0) return;
      ref = writer.finish(name);
      collect();
      yield joinPieces(pending);
    }
    const object = requests.getSegmentName(this.#present.partition, name);
    const all = writeParts();
    const first = await all.next();
    if (first.done) return undefined;
    const second = first.value.length < PART_BYTES ? undefined : await all.next();
    if (second === undefined || second.done)
      await requests.sendWithRetries(() => requests.objects.put(object, first.value));
    else {
      const parts = joinParts([first.value, second.value], all);
      await requests.objects.putParts(object, parts).catch((error) => {
        throw toStorageError(error, "none");
      });
    }
    return ref;
  }

  /** Deletes the segments that compactions have replaced: first they are removed from the head, then from the store (invariant 9). */
  async #deleteRetired(): Promise<number> {
    let due: string[] = [];
    const hasPassed = (at: number) => at + this.#options.grace <= this.#requests.environment.now();
    if (!this.#present.known?.head.retired.some(({ at }) => hasPassed(at))) return 0;
    const done = await this.#commits.edit((head) => {
      due = head.retired.flatMap(({ name, at }) => (hasPassed(at) ? [name] : []));
      return due.length === 0
        ? undefined
        : { ...head, retired: head.retired.filter(({ name }) => !due.includes(name)) };
    });
    if (!done) return 0;
    for (const name of due) await this.#delete(name);
    return due.length;
  }

  /** Deletes the segments that failed attempts have left behind. */
  async #deleteUnreferenced(): Promise<number> {
    const { head } = await this.#present.readLatest();
    let swept = 0;
    for await (const name of this.#requests.listNames(this.#requests.getSegmentName(this.#present.partition, ""))) {
      if (!isGarbage(head, name)) continue;
      await this.#delete(name);
      if (++swept >= MAX_SWEPT_OBJECTS) break;
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
 * Returns whether no future head will refer to a segment, given any head. The segment was created for an attempt on an earlier head, so
 * only the successor of that one can refer to it (invariant 7), unless it is reserved; and this head does not contain it.
 */
export function isGarbage(head: Head, name: string): boolean {
  const base = /^(\d{12,})-/.exec(name)?.[1];
  if (base === undefined || Number(base) >= head.number) return false;
  return ![...head.segments, ...head.retired, ...head.reserved].some((named) => named.name === name);
}

/** Returns the run of adjacent segments to merge next: that of the smallest size of which there are enough. */
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

/** Returns the index of a run of segments in the head; -1 if it no longer contains them side by side. */
function indexOfSegments(names: readonly string[], head: Head): number {
  const at = head.segments.findIndex(({ name }) => name === names[0]);
  return names.every((name, i) => head.segments[at + i]?.name === name) ? at : -1;
}
