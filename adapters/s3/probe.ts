// Finds out, before the first write, whether a store honours the conditions that everything rests on. One that ignores
// them would lose commits without a word, so it is refused by name; one that wants them written in another way gets that.

import { Unavailable } from "../adapter";
import { type ObjectStore, type PutResult, StoreFailure } from "./object-store";
import type { Requests } from "./requests";

/** Throws `Unavailable` when the store cannot be written to, or must not be. */
export async function probeStore(requests: Requests): Promise<void> {
  const { objects } = requests;
  // Under a new name each time: a put without an answer may have left something under the last one.
  const ask = () => findShortcoming(objects, requests.getProbeName(requests.environment.newId("probe")));
  let reason = await requests.sendWithRetries(ask);
  while (reason !== undefined && objects.adapt?.()) reason = await requests.sendWithRetries(ask);
  if (reason === undefined) return;
  throw new Unavailable(
    `Octavo cannot keep its data in ${objects.name}: ${reason} Without that, two writers would overwrite each other. Use a store with conditional writes, such as Amazon S3, Cloudflare R2 or Ceph RGW.`,
    { outcome: "none" },
  );
}

/** What the store does wrong, as a sentence. */
async function findShortcoming(objects: ObjectStore, object: string): Promise<string | undefined> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  try {
    const created = await objects.put(object, bytes("1"), { ifAbsent: true });
    if (created.outcome !== "stored") return "it refuses If-None-Match: * where there is nothing.";
    if (happened(await objects.put(object, bytes("2"), { ifAbsent: true }))) return "it ignores If-None-Match: *.";
    if (happened(await objects.put(object, bytes("3"), { ifMatch: "0123456789abcdef0123456789abcdef" })))
      return "it ignores If-Match.";
    const replaced = await objects.put(object, bytes("4"), { ifMatch: created.etag });
    if (replaced.outcome !== "stored") return "it refuses If-Match with the right ETag.";
    if (happened(await objects.put(object, bytes("5"), { ifMatch: created.etag })))
      return "it takes an ETag that has passed for the right one.";
    const got = await objects.get(object);
    if (got.outcome !== "found" || new TextDecoder().decode(got.bytes) !== "4")
      return "it does not give back what was written last.";
    if (got.etag !== replaced.etag) return "it gives an object another ETag than the one it answered the write with.";
    return undefined;
  } catch (error) {
    if (error instanceof StoreFailure && error.unsupported) return "it does not know conditional writes (501).";
    throw error;
  } finally {
    await objects.delete(object).catch(() => {});
  }
}

function happened(put: PutResult): boolean {
  return put.outcome === "stored";
}
