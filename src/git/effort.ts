// What it costs to unpack: bytes are counted before there is room made for them, and others are served now and then.

import { GitRefused } from "./refused";

/** Others are served after this many bytes. */
const AT_ONCE = 4 * 1024 * 1024;
/** The smallest object takes as long as this many bytes. */
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

  /** To be called when an object was made: lets others be served when it is their turn. */
  async pauseAfter(bytes: number): Promise<void> {
    this.sincePause += SMALLEST + bytes;
    if (this.sincePause < AT_ONCE) return;
    this.sincePause = 0;
    await new Promise((done) => setTimeout(done, 0));
  }
}
