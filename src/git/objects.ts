// The objects of a received pack, found by their oids. The pack stays in memory as it was received. An object is built
// when it is read, in a few steps however long its chain of deltas is.

import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { applyDelta } from "./delta";
import { ByteBudget } from "./limits";
import { inflateEntry, type ObjectType, type PackEntry } from "./pack-entries";
import { GitError } from "./port";

/** In a chain of deltas every eighth object is cached, so that no read takes more than eight steps. */
export const MAX_DELTA_STEPS = 8;

const EMPTY_TREE_OID = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Computes the oid of an object. */
export function hashObject(type: ObjectType, bytes: Uint8Array): string {
  return bytesToHex(sha1.create().update(encodeObjectHeader(type, bytes)).update(bytes).digest());
}

export function encodeObjectHeader(type: ObjectType, bytes: Uint8Array): Uint8Array {
  return new TextEncoder().encode(`${type} ${bytes.length}\0`);
}

export interface PackedObject {
  readonly type: ObjectType;
  readonly entry: PackEntry;
  readonly base: PackedObject | undefined;
  /** The content, cached every few steps of a chain. */
  readonly cachedBytes: Uint8Array | undefined;
}

/** Objects by their oids, for the duration of one call. */
export class PackObjects {
  private readonly readOids = new Set<string>();
  /** Counts objects that are read again: many files may be the same large object. */
  private readonly repeatedReads: ByteBudget;

  constructor(
    private readonly pack: Uint8Array,
    private readonly objects: ReadonlyMap<string, PackedObject>,
    maxUnpackedBytes: number,
  ) {
    // A large book is read twice: to collect the names in its texts, and to apply it.
    this.repeatedReads = new ByteBudget(
      2 * maxUnpackedBytes,
      () => new GitError("too_large", "The repository contains the same large files too many times."),
    );
  }

  /** Checks whether the pack holds the object. The empty tree always counts as present. */
  has(oid: string): boolean {
    return this.objects.has(oid) || oid === EMPTY_TREE_OID;
  }

  /** Returns a copy of the bytes of an object, or undefined if the pack does not hold it. Throws for another type. */
  async read(oid: string, type: ObjectType): Promise<Uint8Array | undefined> {
    const object = this.objects.get(oid);
    if (!object) return oid === EMPTY_TREE_OID && type === "tree" ? new Uint8Array() : undefined;
    if (object.type !== type)
      throw new GitError(
        "damaged",
        "The repository contains an object that doesn't match its ID. Check it with `git fsck`.",
      );

    const deltas: PackEntry[] = [];
    let bottom = object;
    for (; bottom.base && !bottom.cachedBytes; bottom = bottom.base) deltas.push(bottom.entry);
    let bytes = bottom.cachedBytes?.slice() ?? (await inflateEntry(this.pack, bottom.entry)).bytes;
    for (const delta of deltas.reverse()) bytes = applyDelta(bytes, (await inflateEntry(this.pack, delta)).bytes);

    if (this.readOids.has(oid)) this.repeatedReads.spend(bytes.length);
    this.readOids.add(oid);
    await yieldToEventLoop();
    return bytes;
  }
}
