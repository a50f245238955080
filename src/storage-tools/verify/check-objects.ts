// Checks objects against their names, and against everything that refers to them: each has the bytes of its name, and everything that
// is referred to exists. Objects that nothing refers to are counted.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { MarkReachable } from "../../execution/maintain";
import { decodeKey, encodeKey } from "../../storage/key";
import { createObjectCache, getBlobName, listAnnouncedHashes, openObjects } from "../../storage/objects";
import { Corrupt, type Entry, type Storage } from "../../storage/storage";
import type { Store } from "../../storage/store";
import { SnapshotReader } from "../../storage/transaction";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { sha256Hex } from "../../utils/sha256";
import type { DamagedSnapshot } from "./damaged-snapshot";
import type { ReportFinding } from "./finding";

export interface ObjectCounts {
  objects: number;
  /** Objects that nothing refers to. The daily sweep deletes them. */
  unreachable: number;
}

/** Checks the objects of a partition. The names of those that are blobs are added to `blobs`. */
export async function checkObjects(
  store: Store,
  partition: string,
  snapshot: DamagedSnapshot,
  reachable: readonly MarkReachable[],
  blobs: Set<string>,
  report: ReportFinding,
): Promise<ObjectCounts> {
  const { hashes, isComplete } = await findReachableObjects(store, snapshot, reachable, report);
  const missing = new Set(hashes);
  const counts = { objects: 0, unreachable: 0 };
  for await (const entry of snapshot.entries(encodeKey("object"))) {
    const hash = String(decodeKey(entry.key)[1]);
    counts.objects++;
    missing.delete(hash);
    if (isComplete && !hashes.has(hash)) counts.unreachable++;
    const blob = getBlobName(entry);
    if (blob !== undefined) blobs.add(blob);
    await checkObject(store.storage, partition, entry, hash, report);
    await yieldToEventLoop();
  }
  for (const hash of missing) await report("missing", `The object ${hash} is named but not there.`);
  return counts;
}

/** Finds the objects that something refers to, or is about to. If a node is missing, the objects below it are not known. */
async function findReachableObjects(
  store: Store,
  { snapshot }: DamagedSnapshot,
  reachable: readonly MarkReachable[],
  report: ReportFinding,
): Promise<{ readonly hashes: ReadonlySet<string>; readonly isComplete: boolean }> {
  const view = new SnapshotReader(snapshot);
  const objects = openObjects(store, createObjectCache(), view);
  const markAnnounced: MarkReachable = async (_, __, mark) => (await listAnnouncedHashes(view)).forEach(mark);
  const hashes = new Set<string>();
  let isComplete = true;
  for (const markReachable of [...reachable, markAnnounced]) {
    const marked = new Set<string>();
    try {
      await markReachable(view, objects, (hash) => marked.add(hash));
      for (const hash of marked) hashes.add(hash);
    } catch (error) {
      // A damaged record may throw any error.
      isComplete = false;
      if (error instanceof Corrupt && /is named but not there/.test(error.message))
        await report("missing", error.message);
      else await report("unreadable", `What is referred to cannot be followed: ${(error as Error).message}`);
    }
  }
  return { hashes, isComplete };
}

interface StoredObject {
  readonly size?: number;
  readonly text?: string;
  readonly base64?: string;
  readonly blob?: string;
}

/** Checks that an object has the bytes of its name. */
async function checkObject(
  storage: Storage,
  partition: string,
  entry: Entry,
  hash: string,
  report: ReportFinding,
): Promise<void> {
  const stored = entry.value as StoredObject;
  const { text, base64, blob: blobName } = stored;
  let found: { readonly hash: string; readonly size: number } | undefined;
  try {
    if (text !== undefined || base64 !== undefined) {
      let bytes: Uint8Array = new Uint8Array();
      try {
        if (text !== undefined) bytes = new TextEncoder().encode(text);
        else bytes = Uint8Array.from(atob(base64!), (character) => character.charCodeAt(0));
      } catch {
        // A text that is no Base64 has no bytes.
      }
      found = { hash: sha256Hex(bytes), size: bytes.length };
    } else {
      const blob = blobName === undefined ? undefined : await storage.blobs.get(blobName);
      if (blob) {
        const digest = sha256.create();
        let size = 0;
        for await (const chunk of blob.stream) {
          digest.update(chunk);
          size += chunk.length;
          await yieldToEventLoop();
        }
        found = { hash: bytesToHex(digest.digest()), size };
      }
    }
  } catch (error) {
    if (error instanceof Corrupt) return report("unreadable", error.message);
    throw error;
  }

  if (found === undefined) {
    // The blob may have been swept in the meantime.
    const [current] = await (await storage.partition(partition).snapshot()).get([entry.key]);
    if (current && getBlobName(current) === blobName)
      await report("missing", `The blob ${blobName} of the object ${hash} is not there.`);
  } else if (found.size !== stored.size || found.hash !== hash)
    await report("changed", `The object ${hash} has not the bytes that it is named after.`);
}
