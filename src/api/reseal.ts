// After the secret was replaced: seals everything with the new one, so that the old one can be dropped. This waits for a
// day, because until then kept answers and signed values of the old one are in use, and other processes may still have
// the old one in front.

import { resealPartition } from "../storage/sealed-storage";
import type { Secrets } from "../storage/secrets";
import type { Store } from "../storage/store";
import type { CheckedStorage } from "./secret-check";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Stores what is found by a digest under the digest of the current secret. */
export type Rekey = (store: Store, partition: string, secrets: Secrets) => Promise<void>;

/** Seals everything with the current secret, if another one was replaced a day ago. May be stopped at any time. */
export async function reseal(checked: CheckedStorage, store: Store, secrets: Secrets, rekeys: readonly Rekey[]) {
  const replacedAt = await checked.replacedAt();
  if (replacedAt === undefined || store.now().getTime() - replacedAt < DAY_MS) return;
  for await (const partition of checked.storage.partitions()) {
    await resealPartition(checked.storage, partition, secrets);
    for (const rekey of rekeys) await rekey(store, partition, secrets);
  }
  await checked.forgetOlder();
}
