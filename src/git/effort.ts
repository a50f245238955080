// Limits the cost of unpacking. Bytes are counted before memory is allocated for them, and other calls get their turn
// in between.

import { GitRefused } from "./refused";

/** How long others wait, in milliseconds. */
const LONGEST_MS = 10;

/** Gives others their turn in long work. */
export class Breaks {
  private since = performance.now();

  /** Called after each small piece of work. */
  async take(): Promise<void> {
    if (performance.now() - this.since < LONGEST_MS) return;
    await new Promise((done) => setTimeout(done, 0));
    this.since = performance.now();
  }
}

export class Effort {
  private spent = 0;
  readonly breaks = new Breaks();

  /** Refuses, with the reason `too_large`, more bytes than `most`. */
  constructor(
    private readonly most: number,
    private readonly sentence: string,
  ) {}

  spend(bytes: number): void {
    this.spent += bytes;
    if (this.spent > this.most) throw new GitRefused("too_large", this.sentence);
  }
}
