// Bytes that an import has read but cannot keep in memory until it is complete: they are staged in the storage. The commit
// of the import refers to those that it needs. If the import fails, the garbage collection removes them.

import type { ImportOptions } from "../../../ports/importer";
import { findObjectBytes, Staging } from "../../../storage/objects";
import { Unavailable } from "../../../storage/storage";
import type { Store } from "../../../storage/store";
import { createConcurrencyLimiter } from "../../../utils/concurrency/concurrency-limiter";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { sha256Hex } from "../../../utils/sha256";

/** Creates the function that stores bytes in a partition, as many at once as fit. It returns a function that reads them. */
export function createByteSpill(store: Store, partition: string): NonNullable<ImportOptions["spillBytes"]> {
  const staging = new Staging(store, partition, yieldToEventLoop);
  const unsaved = new Map<string, Uint8Array>();
  const runInOrder = createConcurrencyLimiter(1);
  const read = async (hash: string): Promise<Uint8Array> => {
    const found = unsaved.get(hash) ?? (await findObjectBytes(store, await store.read(partition), hash));
    if (found) return found;
    throw new Unavailable("Part of the import expired before it was used. Import it again.", { outcome: "none" });
  };
  // A function that is created in the scope of the bytes would keep them in memory.
  const createReader = (hash: string) => () => read(hash);
  return (bytes) =>
    runInOrder(async () => {
      const hash = sha256Hex(bytes);
      unsaved.set(hash, bytes);
      if (staging.take(hash, bytes)) {
        await staging.put();
        unsaved.clear();
      }
      return createReader(hash);
    });
}
