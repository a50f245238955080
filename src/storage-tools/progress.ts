// Reports the progress of a copy, a backup, a restore or a check.

import { omitUndefined } from "../utils/objects";

/** The present step, and the part of it that is done. */
export interface StorageProgress {
  readonly step: "blobs" | "entries" | "check";
  /** Blobs, or partitions. */
  readonly done: number;
  readonly total: number;
  /** The partition that is being processed. */
  readonly partition?: string;
  /** The number of entries so far, of all partitions. */
  readonly entries: number;
}

export type OnProgress = (progress: StorageProgress) => void;

/** Counts what is done, and reports it each time. */
export class ProgressCounter {
  #entries = 0;
  #step: StorageProgress["step"] = "blobs";
  #total = 0;
  #done = 0;

  constructor(readonly onProgress: OnProgress | undefined) {}

  beginStep(step: StorageProgress["step"], total: number): void {
    this.#step = step;
    this.#total = total;
    this.#done = 0;
    this.#entries = 0;
    this.#report();
  }

  addEntries(count: number, partition: string): void {
    this.#entries += count;
    this.#report(partition);
  }

  /** Counts one blob or partition. */
  addOne(): void {
    this.#done++;
    this.#report();
  }

  #report(partition?: string): void {
    this.onProgress?.({
      step: this.#step,
      done: this.#done,
      total: Math.max(this.#total, this.#done),
      entries: this.#entries,
      ...omitUndefined({ partition }),
    });
  }
}
