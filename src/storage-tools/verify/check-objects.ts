// Objects against their names, and against what refers to them: each has the bytes that it is named after, everything that is
// referred to is there, and what nobody refers to is counted.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { MarkReachable } from "../../execution/maintain";
import { decodeKey, encodeKey } from "../../storage/key";
import { announced, blobIn, createObjectCache, objectsIn } from "../../storage/objects";
import { Corrupt, type Entry, type Storage } from "../../storage/storage";
import type { Store } from "../../storage/store";
import { createReader } from "../../storage/transaction";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { sha256Hex } from "../../utils/sha256";
import type { DamagedSnapshot } from "./damaged-snapshot";
import type { ReportFinding } from "./finding";

export interface ObjectNumbers {
  objects: number;
  /** Objects that nothing refers to. The daily sweep deletes them. */
  unreachable: number;
}

/** Checks the objects of a partition. `blobs` gets the names of those that are blobs. */
export async function checkObjects(
  store: Store,
  partition: string,
  readable: DamagedSnapshot,
  reachable: readonly MarkReachable[],
  blobs: Set<string>,
  report: ReportFinding,
): Promise<ObjectNumbers> {
  const { live, isWhole } = await liveObjects(store, readable, reachable, report);
  const missing = new Set(live);
  const numbers = { objects: 0, unreachable: 0 };
  for await (const entry of readable.entries(encodeKey("object"))) {
    const hash = String(decodeKey(entry.key)[1]);
    numbers.objects++;
    missing.delete(hash);
    if (isWhole && !live.has(hash)) numbers.unreachable++;
    const blob = blobIn(entry);
    if (blob !== undefined) blobs.add(blob);
    await checkBytes(store.storage, partition, entry, hash, report);
    await yieldToEventLoop();
  }
  for (const hash of missing) await report("missing", `The object ${hash} is named but not there.`);
  return numbers;
}

/** What something refers to, or is about to. Where a node is missing, what is below it is not known. */
async function liveObjects(
  store: Store,
  readable: DamagedSnapshot,
  reachable: readonly MarkReachable[],
  report: ReportFinding,
) {
  const view = createReader(readable.snapshot);
  const objects = objectsIn(store, createObjectCache(), view);
  const live = new Set<string>();
  let isWhole = true;
  const onTheWay: MarkReachable = async (_, __, tell) => (await announced(view)).forEach(tell);
  for (const of of [...reachable, onTheWay]) {
    const told = new Set<string>();
    try {
      await of(view, objects, (hash) => told.add(hash));
      for (const hash of told) live.add(hash);
    } catch (error) {
      // What a damaged record may throw is not known.
      isWhole = false;
      if (error instanceof Corrupt && /is named but not there/.test(error.message))
        await report("missing", error.message);
      else await report("unreadable", `What is referred to cannot be followed: ${(error as Error).message}`);
    }
  }
  return { live, isWhole };
}

async function checkBytes(
  storage: Storage,
  partition: string,
  entry: Entry,
  hash: string,
  report: ReportFinding,
): Promise<void> {
  const stored = entry.value as { size?: number; text?: string; base64?: string; blob?: string };
  const found = await bytesOf(storage, stored).catch((error: unknown) => {
    if (error instanceof Corrupt) return error;
    throw error;
  });
  if (found instanceof Corrupt) return report("unreadable", found.message);
  if (found === undefined) {
    // It may have been swept while this was going on.
    const [now] = await (await storage.partition(partition).snapshot()).get([entry.key]);
    if (now && blobIn(now) === stored.blob)
      await report("missing", `The blob ${stored.blob} of the object ${hash} is not there.`);
  } else if (found.size !== stored.size || found.hash !== hash)
    await report("changed", `The object ${hash} has not the bytes that it is named after.`);
}

/** The hash and the size of an object's bytes; undefined when they are not there. */
async function bytesOf(storage: Storage, { text, base64, blob }: { text?: string; base64?: string; blob?: string }) {
  if (text !== undefined || base64 !== undefined) {
    const bytes = text !== undefined ? new TextEncoder().encode(text) : decoded(base64!);
    return { hash: sha256Hex(bytes), size: bytes.length };
  }
  const found = blob === undefined ? undefined : await storage.blobs.get(blob);
  if (!found) return undefined;
  const hash = sha256.create();
  let size = 0;
  for await (const chunk of found.stream) {
    hash.update(chunk);
    size += chunk.length;
    await yieldToEventLoop();
  }
  return { hash: bytesToHex(hash.digest()), size };
}

function decoded(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
