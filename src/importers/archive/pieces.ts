// A downloaded file in pieces. The first ones are held. Further ones are set aside, where the caller can, so that a large
// archive takes little memory.

import { LRUCache } from "lru-cache";
import { concatBytes } from "../../utils/bytes";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { SpillBytes } from "../imported-book";
import type { Reading } from "./reading";

const PIECE = 512 * 1024;
/** Pieces that are held: the first ones, and as many again of those that were read last. */
const HELD = 32;

type Piece = Uint8Array | (() => Promise<Uint8Array>);

export class Pieces {
  /** All of them have the same size, but for the last one. */
  readonly #pieces: Piece[] = [];
  readonly #near = new LRUCache<number, Uint8Array>({ max: HELD });
  /** The beginning of the next piece. */
  #begun = new Uint8Array(PIECE);
  #filled = 0;

  /** `spillBytes` is for what is too much to be held. Default: everything is held. */
  constructor(readonly setAside?: SpillBytes | undefined) {}

  get size(): number {
    return this.#pieces.length * PIECE + this.#filled;
  }

  /** Adds bytes at the end. */
  async add(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const some = bytes.subarray(at, at + PIECE - this.#filled);
      this.#begun.set(some, this.#filled);
      this.#filled += some.length;
      at += some.length;
      if (this.#filled === PIECE) await this.#close();
    }
  }

  async #close(): Promise<void> {
    const piece = this.#begun;
    const isHeld = !this.setAside || this.#pieces.length < HELD;
    this.#pieces.push(isHeld ? piece : await this.setAside(piece));
    this.#begun = new Uint8Array(PIECE);
    this.#filled = 0;
  }

  /** The result of work that asks for stretches of the file. Others have their turn in between. */
  async read<Result>(reading: Reading<Result>): Promise<Result> {
    let given: Uint8Array = new Uint8Array();
    for (;;) {
      const { done, value } = reading.next(given);
      if (done) return value;
      if (value) given = await this.#stretch(value.from, value.to);
      else await yieldToEventLoop();
    }
  }

  async #stretch(from: number, to: number): Promise<Uint8Array> {
    const end = Math.min(to, this.size);
    const parts: Uint8Array[] = [];
    for (let at = from; at < end; ) {
      const [number, start] = [Math.floor(at / PIECE), at % PIECE];
      const piece = await this.#piece(number);
      const part = piece.subarray(start, Math.min(PIECE, start + end - at));
      parts.push(part);
      at += part.length;
    }
    return parts.length === 1 ? parts[0]! : concatBytes(parts);
  }

  async #piece(number: number): Promise<Uint8Array> {
    const piece = this.#pieces[number] ?? this.#begun;
    if (piece instanceof Uint8Array) return piece;
    const near = this.#near.get(number);
    if (near) return near;
    const bytes = await piece();
    this.#near.set(number, bytes);
    return bytes;
  }
}
