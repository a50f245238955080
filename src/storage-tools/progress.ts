import { omitUndefined } from "../utils/objects";
// How far a long piece of work has got, told again and again to whoever wants to show it.

/** What is being done, and how much of it is done. */
export interface StorageProgress {
  readonly step: "blobs" | "entries" | "check";
  /** Blobs, or partitions. */
  readonly done: number;
  readonly total: number;
  /** The partition that is being worked on. */
  readonly partition?: string;
  /** Entries so far, of all partitions. */
  readonly entries: number;
}

export type OnProgress = (progress: StorageProgress) => void;

/** Counts, and tells. */
export class ProgressCounter {
  #entries = 0;
  #step: StorageProgress["step"] = "blobs";
  #total = 0;
  #done = 0;

  constructor(readonly onProgress: OnProgress | undefined) {}

  begin(step: StorageProgress["step"], total: number): void {
    this.#step = step;
    this.#total = total;
    this.#done = 0;
    this.#entries = 0;
    this.#tell();
  }

  entries(count: number, partition: string): void {
    this.#entries += count;
    this.#tell(partition);
  }

  one(): void {
    this.#done++;
    this.#tell();
  }

  #tell(partition?: string): void {
    this.onProgress?.({
      step: this.#step,
      done: this.#done,
      total: Math.max(this.#total, this.#done),
      entries: this.#entries,
      ...omitUndefined({ partition }),
    });
  }
}
