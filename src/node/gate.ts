// Who is let in when there is more to do than the process can. In one turn of the event loop, requests are begun for a few
// milliseconds; the others stand in line for the next turns. While turns are long, those who are inside wait for the
// processor: when they are more than a few, one a turn is begun. A burst waits in line for up to a second. A line that has
// not been empty for a second is an overload: then whoever has waited for more than a moment is refused, and those who are
// served are served quickly. What was let in is finished.

import { hasPausedTasks } from "../utils/concurrency/event-loop";

export interface GateOptions {
  /** How many requests are worked on at once. One that has taken more than a second waits for something else, and does not
   * count. Default: 1,024. */
  readonly atOnce?: number;
  /** How many more stand in line. Default: 4,096. */
  readonly inLine?: number;
  /** How many bytes are held: of bodies, and of answers that clients have not taken yet, where they are longer than 64 KiB. A
   * body that does not fit is refused, and so is a read whose answer does not. Default: 256 MiB. */
  readonly bytes?: number;
}

/** Somebody who wants to come in. */
export interface Visitor {
  begin(): void;
  refuse(): void;
}

/** What time it is, when a turn of the event loop is over, and whether long work waits for one. */
export interface Turns {
  now(): number;
  afterThisTurn(act: () => void): void;
  isAnybodyPaused(): boolean;
}

/** How long requests are begun in one turn, in milliseconds. A turn that takes longer is a long one. */
const TURN_MS = 10;
/** How many share the processor while turns are long. With more of them all would be late. */
const FEW = 16;
/** How long somebody stays in line, and from when on a line that is never empty is an overload. */
const BURST_MS = 1000;
const OVERLOAD_MS = 25;
/** From when on work does not count. */
const LONG_WORK_MS = 1000;

const realTurns: Turns = {
  now: () => performance.now(),
  afterThisTurn: (act) => void setImmediate(act),
  isAnybodyPaused: hasPausedTasks,
};

export class Gate {
  /** Who is inside, and since when, the first one first. Those who take long do not count here. */
  readonly #inside = new Map<Visitor, number>();
  /** How many have begun and are not finished. */
  #unfinished = 0;
  /** Who stands in line, and since when. Those before `#next` are gone. */
  #line: { readonly visitor: Visitor; readonly since: number }[] = [];
  #next = 0;
  /** When the line was last seen empty. */
  #emptyAt = 0;
  #turnBegan: number | undefined;
  /** Whether this turn is seen from its beginning. One in which somebody comes is seen from then on. */
  #isWhole = false;
  /** Whether the last turn was seen as a whole, and was short: there is time for more. */
  #isQuick = false;
  /** How many have begun in this turn. */
  #begun = 0;
  #held = 0;

  constructor(
    private readonly most: Required<GateOptions>,
    private readonly turns: Turns = realTurns,
  ) {}

  /** Lets somebody in, now or when it is their turn, or refuses them. */
  enter(visitor: Visitor): void {
    const now = this.turns.now();
    this.#countTurn(now);
    if (this.#inLine === 0) {
      this.#emptyAt = now;
      if (this.#mayBegin(now)) {
        this.#begin(visitor, now);
        return;
      }
    }
    if (this.#inLine >= this.most.inLine) visitor.refuse();
    else this.#line.push({ visitor, since: now });
  }

  /** Somebody who was let in has what they came for. */
  leave(visitor: Visitor): void {
    this.#inside.delete(visitor);
    this.#unfinished--;
    if (this.#inLine > 0) this.#countTurn(this.turns.now());
  }

  /** Somebody who left goes on. */
  goOn(visitor: Visitor): void {
    this.#inside.set(visitor, this.turns.now());
    this.#unfinished++;
  }

  /** Holds the bytes of a body or an answer, unless there are too many of them already. */
  take(bytes: number): boolean {
    if (this.#held > 0 && this.#held + bytes > this.most.bytes) return false;
    this.#held += bytes;
    return true;
  }

  /** Holds the bytes of an answer that cannot be refused any more. */
  hold(bytes: number): void {
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }

  get #inLine(): number {
    return this.#line.length - this.#next;
  }

  #mayBegin(now: number): boolean {
    if (now - this.#turnBegan! >= TURN_MS) return false;
    if (this.#inside.size >= this.most.atOnce) this.#forgetLongWork(now);
    if (this.#inside.size >= this.most.atOnce) return false;
    return this.#begun === 0 || (this.#isQuick ? this.#begun : this.#unfinished) < FEW;
  }

  #begin(visitor: Visitor, now: number): void {
    this.#inside.set(visitor, now);
    this.#unfinished++;
    this.#begun++;
    visitor.begin();
  }

  /** Those who take long do not count. */
  #forgetLongWork(now: number): void {
    for (const [visitor, since] of this.#inside) {
      if (now - since < LONG_WORK_MS) break;
      this.#inside.delete(visitor);
    }
  }

  #countTurn(now: number): void {
    if (this.#turnBegan !== undefined) return;
    this.#turnBegan = now;
    this.turns.afterThisTurn(() => this.#nextTurn());
  }

  #nextTurn(): void {
    const now = this.turns.now();
    this.#isQuick = this.#isWhole && now - this.#turnBegan! < TURN_MS && !this.turns.isAnybodyPaused();
    this.#isWhole = this.#inLine > 0;
    this.#turnBegan = undefined;
    this.#begun = 0;
    if (this.#inLine === 0) return;
    this.#countTurn(now);
    const longest = now - this.#emptyAt > BURST_MS ? OVERLOAD_MS : BURST_MS;
    while (this.#inLine > 0 && now - this.#line[this.#next]!.since > longest)
      this.#line[this.#next++]!.visitor.refuse();
    for (let at = now; this.#inLine > 0 && this.#mayBegin(at); at = this.turns.now())
      this.#begin(this.#line[this.#next++]!.visitor, at);
    // Those who are gone are forgotten: all of them at once, or when they are half of the line.
    if (this.#next * 2 < this.#line.length) return;
    this.#line = this.#line.slice(this.#next);
    this.#next = 0;
  }
}
