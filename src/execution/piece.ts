// Where maintenance goes on. A Worker may make only so many calls, and is stopped in the middle when it makes more; so what
// one call of maintain() takes on is written down before, and that it was done afterwards.

import { DIRECTORY } from "../storage/ids";
import { encodeKey } from "../storage/key";
import type { Kernel } from "./kernel";

/** The piece that was taken on last. */
type Place = {
  /** It began behind this partition; an empty text: at the first one. */
  readonly after: string;
  /** The next one begins behind this partition. */
  readonly until: string;
  /** How many partitions it was allowed. */
  readonly size: number;
  /** Whether it was taken on and not done: it is under way, or it was stopped. */
  readonly isOpen: boolean;
};

const placeKey = encodeKey("maintenance");

/** The partitions that a call goes through. */
export interface Piece {
  readonly after: string;
  readonly names: readonly string[];
  /** Whether the last partition is among them. */
  readonly isLast: boolean;
  done(): Promise<void>;
}

/**
 * Takes on the next piece, of at most so many partitions. If the one before was stopped, it is taken on again with half as
 * many; one partition alone that was too much is passed over until its turn comes again.
 */
export async function nextPiece(store: Kernel["store"], most: number): Promise<Piece> {
  const last = (await (await store.read(DIRECTORY)).get(placeKey)) as Place | undefined;
  const isAgain = last?.isOpen === true && last.size > 1;
  const size = last?.isOpen ? Math.ceil(Math.min(most, last.size) / 2) : Math.min(most, (last?.size ?? most) * 2);
  const after = (isAgain ? last.after : last?.until) ?? "";
  const names: string[] = [];
  let isLast = true;
  for await (const name of store.storage.partitions(after)) {
    isLast = names.length < size;
    if (!isLast) break;
    names.push(name);
  }
  const place = { after, until: isLast ? "" : names.at(-1)!, size };
  const note = (isOpen: boolean) => store.write(DIRECTORY, async (tx) => tx.put(placeKey, { ...place, isOpen }));
  await note(true);
  return { after, names, isLast, done: () => note(false) };
}
