// Fills sheets with strips from top to bottom. A heading is never alone at the bottom of a sheet, a table repeats its heading on
// every sheet, and a strip that is too high for the rest of a sheet is moved to the next one or split.

import { getGap, getStackHeight, type Strip } from "./strip";

/** Strips stay together only up to this fraction of a sheet; otherwise sheets would be left half empty. */
const TOGETHER = 0.5;

/** Fills sheets, and passes on each full sheet with the strip that follows on the next. */
export class SheetFiller {
  #strips: Strip[] = [];
  #used = 0;
  #held: Strip[] = [];

  constructor(
    readonly height: number,
    readonly finishSheet: (strips: readonly Strip[], next: Strip | undefined) => void,
  ) {}

  /** Adds a strip below the others. */
  add(it: Strip): void {
    this.#held.push(it);
    if (!it.staysWithNext || getStackHeight(this.#held) > this.height * TOGETHER) this.#release();
  }

  /** Starts a new sheet, unless the current one is empty. */
  endSheet(): void {
    this.#release();
    if (this.#strips.length > 0) this.#turn(undefined);
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    if (held.length > 0) this.#place(held);
  }

  #place(group: readonly Strip[]): void {
    let waiting = [...group];
    if (!this.#fits(waiting) && this.#strips.length > 0 && !this.#canTear(waiting)) this.#turn(waiting[0]);
    while (waiting.length > 0) {
      const [first, ...rest] = waiting as [Strip, ...Strip[]];
      if (this.#fits([first])) {
        this.#put(first);
        waiting = rest;
        continue;
      }
      const halves = first.split?.(this.#room(first));
      if (halves) {
        this.#put(halves[0]);
        this.#turn(halves[1]);
        waiting = [halves[1], ...rest];
      } else if (this.#isFresh) {
        this.#put(first);
        waiting = rest;
      } else this.#turn(first);
    }
  }

  /** Checks that strips that belong together can begin on this sheet because one of them can be split. */
  #canTear(group: readonly Strip[]): boolean {
    const at = group.findIndex((it) => it.split);
    if (at < 0) return false;
    const above = group.slice(0, at);
    const room = this.height - this.#used - getAddedHeight(this.#strips.at(-1), above);
    const it = group[at]!;
    return it.split!(room - getGap(above.at(-1) ?? this.#strips.at(-1), it)) !== undefined;
  }

  #fits(group: readonly Strip[]): boolean {
    return this.#used + getAddedHeight(this.#strips.at(-1), group) <= this.height;
  }

  #room(it: Strip): number {
    return this.height - this.#used - getGap(this.#strips.at(-1), it);
  }

  /** True if the sheet has nothing but a repeated heading. */
  get #isFresh(): boolean {
    return this.#strips.length === 0 || (this.#strips.length === 1 && this.#repeated === this.#strips[0]);
  }

  #repeated: Strip | undefined;

  #put(it: Strip): void {
    this.#used += getGap(this.#strips.at(-1), it) + it.height;
    this.#strips.push(it);
  }

  #turn(next: Strip | undefined): void {
    const strips = this.#strips;
    this.#strips = [];
    this.#used = 0;
    this.finishSheet(strips, next);
    this.#repeated = next?.heading;
    if (this.#repeated) this.#put(this.#repeated);
  }
}

/** Returns the height that strips add below another one. */
function getAddedHeight(upper: Strip | undefined, strips: readonly Strip[]): number {
  const [first] = strips;
  return first ? getGap(upper, first) + getStackHeight(strips) : 0;
}
