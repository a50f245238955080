// Unpacks a pack from an untrusted server. Every object has its stated size and is within the limits, the digest
// matches, and every delta has its base in the pack. Each object is built once, without recursion, so the cost is
// bounded.

import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { concatBytes } from "../utils/bytes";
import { applyDelta, resultSize } from "./delta";
import { Breaks, Effort } from "./effort";
import { howToRaise, overLimit } from "./limits";
import { headOf, Objects, objectId, type PackedObject, STEPS } from "./objects";
import {
  countOf,
  damaged,
  entryAt,
  FIRST_ENTRY,
  inflated,
  type ObjectType,
  type PackEntry,
  TRAILER,
} from "./pack-entries";
import type { GitLimits } from "./port";

/** Larger objects are hashed by the platform, which is faster only for large inputs. */
const LARGE = 16_384;
const LARGE_PACK = 32 * 1024 * 1024;
/** Bytes of a large pack that are hashed at once. */
const PIECE = 256 * 1024;

/** The objects of a pack. Refuses a damaged pack, and one that exceeds the limits when unpacked. */
export async function unpack(pack: Uint8Array<ArrayBuffer>, limits: Required<GitLimits>): Promise<Objects> {
  const count = countOf(pack);
  const { maxObjects } = limits;
  if (count > maxObjects) throw overLimit(`The repository holds more than ${maxObjects} objects.`, "maxObjects");
  await checkDigest(pack);
  const unpacking = new Unpacking(pack.subarray(0, -TRAILER), limits);
  await unpacking.scan(count);
  await unpacking.resolve();
  return unpacking.objects();
}

/** The platform makes a copy of what it hashes, so that a large pack is hashed here, piece by piece. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (bytes.length < LARGE_PACK) return new Uint8Array(await crypto.subtle.digest("SHA-1", bytes));
  const [hash, breaks] = [sha1.create(), new Breaks()];
  for (let at = 0; at < bytes.length; at += PIECE) {
    hash.update(bytes.subarray(at, at + PIECE));
    await breaks.take();
  }
  return hash.digest();
}

async function checkDigest(pack: Uint8Array<ArrayBuffer>): Promise<void> {
  const digest = await digestOf(pack.subarray(0, -TRAILER));
  if (digest.some((byte, index) => byte !== pack[pack.length - TRAILER + index])) throw damaged();
}

/** A delta whose base was found. */
interface Step {
  readonly entry: PackEntry;
  readonly base: PackedObject;
  readonly bytes: Uint8Array;
  readonly depth: number;
}

class Unpacking {
  private readonly found = new Map<string, PackedObject>();
  private readonly plain: { readonly object: PackedObject; readonly oid: string }[] = [];
  /** Deltas that wait for their base, by the base. */
  private readonly waiting = new Map<number | string, PackEntry[]>();
  private readonly effort: Effort;

  constructor(
    private readonly pack: Uint8Array,
    private readonly limits: Required<GitLimits>,
  ) {
    const { maxUnpackedBytes } = limits;
    this.effort = new Effort(
      maxUnpackedBytes,
      `The repository holds more than ${maxUnpackedBytes} bytes once it is unpacked. ${howToRaise("maxUnpackedBytes")}`,
    );
  }

  objects(): Objects {
    return new Objects(this.pack, this.found, this.limits.maxUnpackedBytes);
  }

  /** Reads all entries: hashes the whole objects, and notes the base of each delta. */
  async scan(count: number): Promise<void> {
    const starts = new Set<number>();
    let at = FIRST_ENTRY;
    for (let index = 0; index < count; index++) {
      const entry = entryAt(this.pack, at);
      this.count(entry.size);
      const { bytes, next } = await inflated(this.pack, entry, this.effort.breaks);
      if (entry.base !== undefined) {
        // An offset can only point to an earlier entry, so a delta cannot be its own base, and there are no cycles.
        if (typeof entry.base === "number" && !starts.has(entry.base)) throw damaged();
        this.count(resultSize(bytes));
        const others = this.waiting.get(entry.base);
        if (others) others.push(entry);
        else this.waiting.set(entry.base, [entry]);
      } else {
        const object = { type: entry.type!, entry, base: undefined, whole: undefined };
        this.plain.push({ object, oid: await this.add(object, bytes) });
      }
      starts.add(at);
      at = next;
      await this.effort.breaks.take();
    }
    if (at !== this.pack.length) throw damaged();
  }

  /** Applies the deltas, each after its base. */
  async resolve(): Promise<void> {
    for (const { object, oid } of this.plain) {
      const deltas = this.deltasOn(object, oid);
      if (deltas.length === 0) continue;
      const { bytes } = await inflated(this.pack, object.entry, this.effort.breaks);
      await this.resolveFrom(deltas.map((entry) => ({ entry, base: object, bytes, depth: 1 })));
    }
    // The base of these deltas is missing, or is the delta itself.
    if (this.waiting.size > 0) throw damaged();
  }

  private async resolveFrom(open: Step[]): Promise<void> {
    for (let step = open.pop(); step; step = open.pop()) {
      const { entry, base, depth } = step;
      const delta = (await inflated(this.pack, entry, this.effort.breaks)).bytes;
      const bytes = applyDelta(step.bytes, delta);
      const object = { type: base.type, entry, base, whole: depth % STEPS === 0 ? bytes : undefined };
      const oid = await this.add(object, bytes);
      for (const next of this.deltasOn(object, oid)) open.push({ entry: next, base: object, bytes, depth: depth + 1 });
      await this.effort.breaks.take();
    }
  }

  private async add(object: PackedObject, bytes: Uint8Array): Promise<string> {
    const oid = bytes.length < LARGE ? objectId(object.type, bytes) : await largeObjectId(object.type, bytes);
    if (!this.found.has(oid)) this.found.set(oid, object);
    return oid;
  }

  /** Takes the deltas that wait for this object. */
  private deltasOn({ entry }: PackedObject, oid: string): PackEntry[] {
    const deltas = [...(this.waiting.get(entry.start) ?? []), ...(this.waiting.get(oid) ?? [])];
    this.waiting.delete(entry.start);
    this.waiting.delete(oid);
    return deltas;
  }

  private count(size: number): void {
    const { maxObjectBytes } = this.limits;
    if (size > maxObjectBytes)
      throw overLimit(`The repository holds an object of more than ${maxObjectBytes} bytes.`, "maxObjectBytes");
    this.effort.spend(size);
  }
}

async function largeObjectId(type: ObjectType, bytes: Uint8Array): Promise<string> {
  return bytesToHex(new Uint8Array(await crypto.subtle.digest("SHA-1", concatBytes([headOf(type, bytes), bytes]))));
}
