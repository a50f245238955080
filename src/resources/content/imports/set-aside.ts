// Bytes that an import has read and cannot hold until it is complete: they wait in the storage, announced. The commit of
// the import names those that it needs. If it never comes, they are swept.

import type { ImportOptions } from "../../../ports/importer";
import { findObjectBytes, hashBytes, Staging } from "../../../storage/objects";
import { Unavailable } from "../../../storage/storage";
import type { Store } from "../../../storage/store";
import { createConcurrencyLimiter } from "../../../utils/concurrency/concurrency-limiter";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";

/** Puts bytes into a partition, as many together as fit; the function that it gives reads them again. */
export function settingAside(store: Store, partition: string): NonNullable<ImportOptions["spillBytes"]> {
  const staging = new Staging(store, partition, yieldToEventLoop);
  const waiting = new Map<string, Uint8Array>();
  const oneByOne = createConcurrencyLimiter(1);
  const read = async (hash: string): Promise<Uint8Array> => {
    const found = waiting.get(hash) ?? (await findObjectBytes(store, await store.read(partition), hash));
    if (found) return found;
    throw new Unavailable("A part of the import was given up before it was used; import again.", { outcome: "none" });
  };
  // A function that is made where the bytes are known would hold them.
  const reading = (hash: string) => () => read(hash);
  return (bytes) =>
    oneByOne(async () => {
      const hash = hashBytes(bytes);
      waiting.set(hash, bytes);
      if (staging.take(hash, bytes)) {
        await staging.put();
        waiting.clear();
      }
      return reading(hash);
    });
}
