// Limits the cost of unpacking. Bytes are counted before memory is allocated for them, and other calls get their turn
// in between.

import { GitRefused } from "./refused";

/** Other calls get their turn after this many bytes. */
const BYTES_A_TURN = 4 * 1024 * 1024;
/** An object costs at least as much time as this many bytes. */
const SMALLEST = 2048;

export class Effort {
  private spent = 0;
  private sincePause = 0;

  /** Refuses, with the reason `too_large`, more bytes than `most`. */
  constructor(
    private readonly most: number,
    private readonly sentence: string,
  ) {}

  spend(bytes: number): void {
    this.spent += bytes;
    if (this.spent > this.most) throw new GitRefused("too_large", this.sentence);
  }

  /** Called after each object. Gives other calls their turn when enough bytes were processed. */
  async pauseAfter(bytes: number): Promise<void> {
    this.sincePause += SMALLEST + bytes;
    if (this.sincePause < BYTES_A_TURN) return;
    this.sincePause = 0;
    await new Promise((done) => setTimeout(done, 0));
  }
}
