// Fills sheets with strips from top to bottom. A heading is never alone at the bottom of a sheet, a table repeats its heading on
// every sheet, and a strip that is too high for the rest of a sheet is moved to the next one or split.

import { getGap, getStackHeight, type Strip } from "./strip";

/** Strips stay together only up to this fraction of a sheet; otherwise sheets would be left half empty. */
const MAX_GROUP_SHARE = 0.5;

/** Fills sheets, and passes on each full sheet with the strip that follows on the next. */
export class SheetFiller {
  #strips: Strip[] = [];
  #used = 0;
  /** Strips that stay together, and are not on a sheet yet. */
  #group: Strip[] = [];
  /** The heading that was repeated at the top of the sheet. */
  #repeated: Strip | undefined;

  constructor(
    readonly height: number,
    readonly finishSheet: (strips: readonly Strip[], next: Strip | undefined) => void,
  ) {}

  /** Adds a strip below the others. */
  add(strip: Strip): void {
    this.#group.push(strip);
    if (!strip.staysWithNext || getStackHeight(this.#group) > this.height * MAX_GROUP_SHARE) this.#release();
  }

  /** Starts a new sheet, unless the current one is empty. */
  endSheet(): void {
    this.#release();
    if (this.#strips.length > 0) this.#finishCurrent(undefined);
  }

  #release(): void {
    const group = this.#group;
    this.#group = [];
    if (group.length > 0) this.#place(group);
  }

  #place(group: readonly Strip[]): void {
    let waiting = [...group];
    if (!this.#fits(waiting) && this.#strips.length > 0 && !this.#canSplit(waiting)) this.#finishCurrent(waiting[0]);
    while (waiting.length > 0) {
      const [first, ...rest] = waiting as [Strip, ...Strip[]];
      if (this.#fits([first])) {
        this.#append(first);
        waiting = rest;
        continue;
      }
      const halves = first.split?.(this.#getRoom(first));
      if (halves) {
        this.#append(halves[0]);
        this.#finishCurrent(halves[1]);
        waiting = [halves[1], ...rest];
      } else if (this.#isFresh) {
        this.#append(first);
        waiting = rest;
      } else this.#finishCurrent(first);
    }
  }

  /** Checks that strips that belong together can begin on this sheet because one of them can be split. */
  #canSplit(group: readonly Strip[]): boolean {
    const at = group.findIndex((strip) => strip.split);
    if (at < 0) return false;
    const above = group.slice(0, at);
    const room = this.height - this.#used - this.#getAddedHeight(above);
    const strip = group[at]!;
    return strip.split!(room - getGap(above.at(-1) ?? this.#strips.at(-1), strip)) !== undefined;
  }

  #fits(group: readonly Strip[]): boolean {
    return this.#used + this.#getAddedHeight(group) <= this.height;
  }

  #getAddedHeight(strips: readonly Strip[]): number {
    const [first] = strips;
    return first ? getGap(this.#strips.at(-1), first) + getStackHeight(strips) : 0;
  }

  #getRoom(strip: Strip): number {
    return this.height - this.#used - getGap(this.#strips.at(-1), strip);
  }

  /** True if the sheet has nothing but a repeated heading. */
  get #isFresh(): boolean {
    return this.#strips.length === 0 || (this.#strips.length === 1 && this.#repeated === this.#strips[0]);
  }

  #append(strip: Strip): void {
    this.#used += getGap(this.#strips.at(-1), strip) + strip.height;
    this.#strips.push(strip);
  }

  #finishCurrent(next: Strip | undefined): void {
    const strips = this.#strips;
    this.#strips = [];
    this.#used = 0;
    this.finishSheet(strips, next);
    this.#repeated = next?.heading;
    if (this.#repeated) this.#append(this.#repeated);
  }
}
