// Fills sheets with strips from top to bottom. A heading never stands alone at the foot of a sheet, a table has its heading on
// every sheet, and what is too high for the rest of a sheet goes on the next one or is torn.

import { between, heightOf, type Strip } from "./strip";

/** Strips stay together only up to this part of a sheet; otherwise sheets would be left half empty. */
const TOGETHER = 0.5;

/** Fills sheets; each is handed over when it is full, with what follows on the next. */
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
    if (!it.staysWithNext || heightOf(this.#held) > this.height * TOGETHER) this.#release();
  }

  /** Begins a new sheet, unless this one is empty. */
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
      const torn = first.tear?.(this.#room(first));
      if (torn) {
        this.#put(torn[0]);
        this.#turn(torn[1]);
        waiting = [torn[1], ...rest];
      } else if (this.#isFresh) {
        this.#put(first);
        waiting = rest;
      } else this.#turn(first);
    }
  }

  /** Whether strips that belong together can begin on this sheet because one of them can be torn. */
  #canTear(group: readonly Strip[]): boolean {
    const at = group.findIndex((it) => it.tear);
    if (at < 0) return false;
    const above = group.slice(0, at);
    const room = this.height - this.#used - heightWith(this.#strips.at(-1), above);
    const it = group[at]!;
    return it.tear!(room - between(above.at(-1) ?? this.#strips.at(-1), it)) !== undefined;
  }

  #fits(group: readonly Strip[]): boolean {
    return this.#used + heightWith(this.#strips.at(-1), group) <= this.height;
  }

  #room(it: Strip): number {
    return this.height - this.#used - between(this.#strips.at(-1), it);
  }

  /** Whether there is nothing on the sheet but what was repeated. */
  get #isFresh(): boolean {
    return this.#strips.length === 0 || (this.#strips.length === 1 && this.#repeated === this.#strips[0]);
  }

  #repeated: Strip | undefined;

  #put(it: Strip): void {
    this.#used += between(this.#strips.at(-1), it) + it.height;
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

/** The height that strips add below another one. */
function heightWith(upper: Strip | undefined, strips: readonly Strip[]): number {
  const [first] = strips;
  return first ? between(upper, first) + heightOf(strips) : 0;
}
