// Tests, before the first write, whether a store supports the conditional writes on which everything depends. A store that ignores them
// would silently lose commits, so it is refused. If it needs them in another form, that form is used.

import { Unavailable } from "../adapter";
import { type ObjectStore, type PutResult, StoreFailure } from "./object-store";
import type { Requests } from "./requests";

/** Throws `Unavailable` if the store cannot be written to, or must not be. */
export async function testStore(requests: Requests): Promise<void> {
  const { objects } = requests;
  // Each test uses a new name, because a put without a response may have left an object under the last one.
  const test = () => findShortcoming(objects, requests.getProbeName(requests.environment.newId("probe")));
  let reason = await requests.sendWithRetries(test);
  while (reason !== undefined && objects.adapt?.()) reason = await requests.sendWithRetries(test);
  if (reason === undefined) return;
  throw new Unavailable(
    `Octavo cannot keep its data in ${objects.name}: ${reason} Without that, two writers would overwrite each other. ` +
      "Use a store with conditional writes, such as Amazon S3, Cloudflare R2 or Ceph RGW.",
    { outcome: "none" },
  );
}

/** Returns what the store does wrong, as a sentence; undefined if it works. */
async function findShortcoming(objects: ObjectStore, object: string): Promise<string | undefined> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const isStored = ({ outcome }: PutResult) => outcome === "stored";
  try {
    const created = await objects.put(object, bytes("1"), { ifAbsent: true });
    if (created.outcome !== "stored") return "it refuses If-None-Match: * where there is nothing.";
    if (isStored(await objects.put(object, bytes("2"), { ifAbsent: true }))) return "it ignores If-None-Match: *.";
    if (isStored(await objects.put(object, bytes("3"), { ifMatch: "0123456789abcdef0123456789abcdef" })))
      return "it ignores If-Match.";
    const replaced = await objects.put(object, bytes("4"), { ifMatch: created.etag });
    if (replaced.outcome !== "stored") return "it refuses If-Match with the right ETag.";
    if (isStored(await objects.put(object, bytes("5"), { ifMatch: created.etag })))
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
