// The objects of a received pack, found by their oids. The pack is kept as it came. An object is built when it is read,
// in a few steps however long its chain of deltas is.

import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { applyDelta } from "./delta";
import { Effort } from "./effort";
import { inflated, type ObjectType, type PackEntry } from "./pack-entries";
import { GitRefused } from "./refused";

/** In a chain of deltas every eighth object is kept whole, so no read takes more than eight steps. */
export const STEPS = 8;

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** The oid of an object, as Git computes it. */
export function objectId(type: ObjectType, bytes: Uint8Array): string {
  return bytesToHex(sha1.create().update(headOf(type, bytes)).update(bytes).digest());
}

/** The header that is hashed before the bytes of an object. */
export function headOf(type: ObjectType, bytes: Uint8Array): Uint8Array {
  return new TextEncoder().encode(`${type} ${bytes.length}\0`);
}

/** An object in a pack. */
export interface PackedObject {
  readonly type: ObjectType;
  readonly entry: PackEntry;
  /** The base of a delta. */
  readonly base: PackedObject | undefined;
  /** The whole object, kept every few steps of a chain. */
  readonly whole: Uint8Array | undefined;
}

/** Objects by their oids, for the duration of one call. */
export class Objects {
  private readonly wasRead = new Set<string>();
  /** Counts objects that are read again: many files may be the same large object. */
  private readonly effort: Effort;

  constructor(
    private readonly pack: Uint8Array,
    private readonly found: ReadonlyMap<string, PackedObject>,
    maxUnpackedBytes: number,
  ) {
    // A large book is read twice: for what its texts name, and when it is laid.
    this.effort = new Effort(2 * maxUnpackedBytes, "The repository holds the same large files many times over.");
  }

  /** Whether the pack holds the object. The empty tree always counts as present. */
  has(oid: string): boolean {
    return this.found.has(oid) || oid === EMPTY_TREE;
  }

  /** The bytes of an object; undefined when the pack does not hold it. Refuses an object of another type. */
  async read(oid: string, type: ObjectType): Promise<Uint8Array | undefined> {
    const object = this.found.get(oid);
    if (!object) return oid === EMPTY_TREE && type === "tree" ? new Uint8Array() : undefined;
    if (object.type !== type)
      throw new GitRefused("damaged", "The repository holds something that is not what it is called.");
    const bytes = await this.bytesOf(object);
    if (this.wasRead.has(oid)) this.effort.spend(bytes.length);
    this.wasRead.add(oid);
    await this.effort.breaks.take();
    return bytes;
  }

  private async bytesOf(object: PackedObject): Promise<Uint8Array> {
    const { breaks } = this.effort;
    const deltas: PackEntry[] = [];
    let bottom = object;
    for (; bottom.base && !bottom.whole; bottom = bottom.base) deltas.push(bottom.entry);
    // The caller gets its own copy.
    let bytes = bottom.whole?.slice() ?? (await inflated(this.pack, bottom.entry, breaks)).bytes;
    for (const delta of deltas.reverse()) bytes = applyDelta(bytes, (await inflated(this.pack, delta, breaks)).bytes);
    return bytes;
  }
}
