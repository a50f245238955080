// Unpacks a pack from an untrusted server. Every object has its stated size and is within the limits, the digest
// matches, and every delta has its base in the pack. Each object is built once, without recursion, so the cost is
// bounded.

import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { concatBytes } from "../utils/bytes";
import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { applyDelta } from "./delta";
import { ByteBudget, createLimitError } from "./limits";
import { encodeObjectHeader, hashObject, MAX_DELTA_STEPS, type PackedObject, PackObjects } from "./objects";
import {
  createDamagedPackError,
  inflateEntry,
  PACK_DIGEST_BYTES,
  PACK_HEADER_BYTES,
  PACK_SIGNATURE,
  PACK_VERSION,
  type PackEntry,
  readEntry,
  readSize,
} from "./pack-entries";
import type { GitLimits } from "./port";

/** Larger objects are hashed by the platform, which is faster only for large inputs. */
const MIN_PLATFORM_HASH_BYTES = 16_384;
/** The platform copies what it hashes, so a pack of this size or more is hashed here, piece by piece. */
const MAX_PLATFORM_HASH_BYTES = 32 * 1024 * 1024;
const HASH_PIECE_BYTES = 256 * 1024;

/** Unpacks the objects of a pack. Throws if the pack is damaged or exceeds the limits. */
export async function unpackObjects(pack: Uint8Array<ArrayBuffer>, limits: Required<GitLimits>): Promise<PackObjects> {
  if (pack.length < PACK_HEADER_BYTES + PACK_DIGEST_BYTES) throw createDamagedPackError();
  const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
  if (view.getUint32(0) !== PACK_SIGNATURE || view.getUint32(4) !== PACK_VERSION) throw createDamagedPackError();
  const count = view.getUint32(8);
  const { maxObjects } = limits;
  if (count > maxObjects) throw createLimitError(`The repository has more than ${maxObjects} objects.`, "maxObjects");

  const content = pack.subarray(0, -PACK_DIGEST_BYTES);
  let digest: Uint8Array;
  if (content.length < MAX_PLATFORM_HASH_BYTES) digest = new Uint8Array(await crypto.subtle.digest("SHA-1", content));
  else {
    const hash = sha1.create();
    for (let offset = 0; offset < content.length; offset += HASH_PIECE_BYTES) {
      hash.update(content.subarray(offset, offset + HASH_PIECE_BYTES));
      await yieldToEventLoop();
    }
    digest = hash.digest();
  }
  if (digest.some((byte, index) => byte !== pack[content.length + index])) throw createDamagedPackError();

  const unpacker = new Unpacker(content, limits);
  await unpacker.readEntries(count);
  await unpacker.resolveDeltas();
  return new PackObjects(content, unpacker.objects, limits.maxUnpackedBytes);
}

/** A delta whose base was found. */
interface ResolvableDelta {
  readonly entry: PackEntry;
  readonly base: PackedObject;
  readonly baseBytes: Uint8Array;
  readonly depth: number;
}

class Unpacker {
  readonly objects = new Map<string, PackedObject>();
  private readonly wholeObjects: { readonly object: PackedObject; readonly oid: string }[] = [];
  private readonly pendingDeltas = new Map<number | string, PackEntry[]>();
  private readonly budget: ByteBudget;

  constructor(
    private readonly pack: Uint8Array,
    private readonly limits: Required<GitLimits>,
  ) {
    const { maxUnpackedBytes } = limits;
    const problem = `The repository has more than ${maxUnpackedBytes} bytes when unpacked.`;
    this.budget = new ByteBudget(maxUnpackedBytes, () => createLimitError(problem, "maxUnpackedBytes"));
  }

  /** Reads all entries: hashes the whole objects, and records the base of each delta. */
  async readEntries(count: number): Promise<void> {
    const starts = new Set<number>();
    let offset = PACK_HEADER_BYTES;
    for (let index = 0; index < count; index++) {
      const entry = readEntry(this.pack, offset);
      this.countBytes(entry.size);
      const { bytes, end } = await inflateEntry(this.pack, entry);
      if (entry.base !== undefined) {
        // An offset can only point to an earlier entry, so a delta cannot be its own base, and there are no cycles.
        if (typeof entry.base === "number" && !starts.has(entry.base)) throw createDamagedPackError();
        // A delta states the size of its base, then that of its result.
        this.countBytes(readSize(bytes, readSize(bytes, 0).end).value);
        const siblings = this.pendingDeltas.get(entry.base);
        if (siblings) siblings.push(entry);
        else this.pendingDeltas.set(entry.base, [entry]);
      } else {
        const object = { type: entry.type!, entry, base: undefined, cachedBytes: undefined };
        this.wholeObjects.push({ object, oid: await this.addObject(object, bytes) });
      }
      starts.add(offset);
      offset = end;
      await yieldToEventLoop();
    }
    if (offset !== this.pack.length) throw createDamagedPackError();
  }

  /** Applies the deltas, each after its base. */
  async resolveDeltas(): Promise<void> {
    for (const { object: wholeObject, oid: wholeOid } of this.wholeObjects) {
      const deltas = this.takeDeltas(wholeObject, wholeOid);
      if (deltas.length === 0) continue;
      const { bytes: wholeBytes } = await inflateEntry(this.pack, wholeObject.entry);
      const stack: ResolvableDelta[] = deltas.map((entry) => ({
        entry,
        base: wholeObject,
        baseBytes: wholeBytes,
        depth: 1,
      }));
      for (let next = stack.pop(); next; next = stack.pop()) {
        const { entry, base, baseBytes, depth } = next;
        const bytes = applyDelta(baseBytes, (await inflateEntry(this.pack, entry)).bytes);
        const cachedBytes = depth % MAX_DELTA_STEPS === 0 ? bytes : undefined;
        const object = { type: base.type, entry, base, cachedBytes };
        const oid = await this.addObject(object, bytes);
        for (const delta of this.takeDeltas(object, oid))
          stack.push({ entry: delta, base: object, baseBytes: bytes, depth: depth + 1 });
        await yieldToEventLoop();
      }
    }
    // The base of these deltas is missing, or is the delta itself.
    if (this.pendingDeltas.size > 0) throw createDamagedPackError();
  }

  private async addObject(object: PackedObject, bytes: Uint8Array): Promise<string> {
    let oid: string;
    if (bytes.length < MIN_PLATFORM_HASH_BYTES) oid = hashObject(object.type, bytes);
    else {
      const hashed = concatBytes([encodeObjectHeader(object.type, bytes), bytes]);
      oid = bytesToHex(new Uint8Array(await crypto.subtle.digest("SHA-1", hashed)));
    }
    if (!this.objects.has(oid)) this.objects.set(oid, object);
    return oid;
  }

  /** Removes and returns the pending deltas of a base. */
  private takeDeltas({ entry }: PackedObject, oid: string): PackEntry[] {
    const deltas = [...(this.pendingDeltas.get(entry.start) ?? []), ...(this.pendingDeltas.get(oid) ?? [])];
    this.pendingDeltas.delete(entry.start);
    this.pendingDeltas.delete(oid);
    return deltas;
  }

  private countBytes(size: number): void {
    const { maxObjectBytes } = this.limits;
    if (size > maxObjectBytes)
      throw createLimitError(
        `The repository contains an object of more than ${maxObjectBytes} bytes.`,
        "maxObjectBytes",
      );
    this.budget.spend(size);
  }
}
