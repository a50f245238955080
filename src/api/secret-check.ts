// Verifies that the secret matches the stored data. A wrong secret would cause no error by itself: sealed fields would be empty, and
// links and invites would stop working. The directory therefore contains a digest of the secret. The first use of the storage
// compares it, and with a wrong secret nothing is read or written.
//
// The digest is a MAC with its own key. It makes guessing a secret no easier than any sealed field does. Replaced secrets are listed
// until nothing is sealed with them any more.

import { DocsError } from "../errors";
import { DIRECTORY } from "../storage/ids";
import { encodeKey } from "../storage/key";
import { resealPartition } from "../storage/sealed-storage";
import { type Secrets, toBase64url } from "../storage/secrets";
import type { Key, Snapshot, Storage } from "../storage/storage";
import type { Store } from "../storage/store";
import { SnapshotReader } from "../storage/transaction";
import { type Pause, TransactionRunner } from "../storage/transaction-runner";
import { omitUndefined } from "../utils/objects";

type SecretRecord = {
  /** The digest of the current secret, which seals new values. */
  readonly check: string;
  /** Digests of earlier secrets that values may still be sealed with. */
  readonly older: readonly string[];
  /** The time at which the current secret became the current one. */
  readonly since: number;
  /** Present while the storage is filled by a copy or from a backup, and after that was stopped. It says of what. */
  readonly unfinished?: string;
};

/**
 * The key of the record. While a storage is being filled, the record has the mark `unfinished`. The record that is copied replaces it
 * last, so that nobody serves an incomplete storage.
 */
export const SECRET_KEY: Key = encodeKey("secret");

export interface CheckedStorage {
  /** The storage. Its first use checks the secret. */
  readonly storage: Storage;
  /** Checks the secret, if that has not been done yet. Throws an Error that says what to do. */
  readonly ready: () => Promise<void>;
  /** Returns when the current secret replaced one that values may still be sealed with; undefined if there is none. */
  readonly getSecretReplacedAt: () => Promise<number | undefined>;
  /** Records that no value is sealed with an earlier secret any more. */
  readonly forgetOlderSecrets: () => Promise<void>;
}

const sentences = {
  unfinished:
    "The storage is incomplete, because a copy or restore into it is running or was interrupted. Run it again until it finishes.",
  wrong: "The data was written with a different secret. Pass that secret, or a list that includes it: [new, old].",
  missing: "The data was written with a secret, but none was given. Pass the same secret.",
  older:
    "Some data is still encrypted with an older secret. Pass the list [new, old] until `maintain()` has run a day after the change.",
};

/** Thrown if the secret does not fit the data. The message says why. */
class WrongSecretError extends Error {
  constructor(why: keyof typeof sentences) {
    super(`createDocsApi: ${why === "unfinished" ? "" : "`secret` was rejected. "}${sentences[why]}`);
  }
}

interface SecretCheckOptions {
  /** True if the host gave a secret. A random one is not stored, and opens no data that was made with a given one. */
  readonly isGiven: boolean;
  readonly now: () => Date;
  readonly pause: Pause;
  readonly onError: (error: unknown) => void;
}

export function createCheckedStorage(
  inner: Storage,
  secrets: Secrets,
  { isGiven, now, pause, onError }: SecretCheckOptions,
): CheckedStorage {
  const [currentDigest, ...olderDigests] = secrets.digests("secret-check", "octavo").map(toBase64url) as [
    string,
    ...string[],
  ];
  let isChecked = false;
  let refusal: WrongSecretError | undefined;
  let isHostNotified = false;
  let runningCheck: Promise<void> | undefined;

  async function readRecord(seen?: Snapshot): Promise<SecretRecord | undefined> {
    const reader = new SnapshotReader(seen ?? (await inner.partition(DIRECTORY).snapshot()));
    return (await reader.get(SECRET_KEY)) as SecretRecord | undefined;
  }

  async function updateRecord(update: (record: SecretRecord | undefined) => SecretRecord | undefined): Promise<void> {
    const runner = new TransactionRunner(inner.partition(DIRECTORY), { pause, clock: () => performance.now() });
    await runner.run(async (tx) => {
      const record = (await tx.get(SECRET_KEY)) as SecretRecord | undefined;
      const updated = update(record);
      if (updated && updated !== record) tx.put(SECRET_KEY, updated);
    });
  }

  /** Returns the record as it should be: the same object if it is right. Throws if the secret does not fit the data. */
  function compareSecret(record: SecretRecord | undefined): SecretRecord | undefined {
    if (record?.unfinished !== undefined) throw new WrongSecretError("unfinished");
    if (!isGiven && record) throw new WrongSecretError("missing");
    if (!isGiven) return undefined;

    const since = now().getTime();
    if (!record) return { check: currentDigest, older: olderDigests, since };
    const isKnown = (digest: string) => digest === currentDigest || olderDigests.includes(digest);
    if (!isKnown(record.check)) throw new WrongSecretError("wrong");
    const older = [record.check, ...record.older].filter((digest) => digest !== currentDigest);
    if (!older.every(isKnown)) throw new WrongSecretError("older");
    return record.check === currentDigest ? record : { check: currentDigest, older, since };
  }

  /** Checks the secret once for all who need it at the same time. If the storage fails, the next caller tries again. */
  async function checkSecret(seen?: Snapshot): Promise<void> {
    if (isChecked) return;
    if (refusal) throw refusal;
    runningCheck ??= (async () => {
      try {
        const record = await readRecord(seen);
        if (compareSecret(record) !== record) await updateRecord(compareSecret);
        isChecked = true;
      } catch (error) {
        if (error instanceof WrongSecretError) refusal = error;
        throw error;
      } finally {
        runningCheck = undefined;
      }
    })();
    await runningCheck;
  }

  /** Checks the secret for a caller of the API, who learns only that the operator has to act. The host is told once what to do. */
  async function checkSecretForCaller(seen?: Snapshot): Promise<void> {
    try {
      await checkSecret(seen);
    } catch (error) {
      if (!(error instanceof WrongSecretError)) throw error;
      if (!isHostNotified) onError(error);
      isHostNotified = true;
      throw new DocsError("wrong_secret", { cause: error });
    }
  }

  return {
    storage: {
      partition(name) {
        const partition = inner.partition(name);
        if (isChecked) return partition;
        return {
          async snapshot() {
            const snapshot = await partition.snapshot();
            await checkSecretForCaller(name === DIRECTORY ? snapshot : undefined);
            return snapshot;
          },
          async commit(batch) {
            await checkSecretForCaller();
            return partition.commit(batch);
          },
        };
      },
      partitions: (after) => inner.partitions(after),
      blobs: inner.blobs,
      ...omitUndefined({ maintain: inner.maintain?.bind(inner), owner: inner.owner }),
      close: () => inner.close(),
    },
    async ready() {
      try {
        await checkSecret();
      } catch (error) {
        isHostNotified = true;
        throw error;
      }
    },
    async getSecretReplacedAt() {
      if (olderDigests.length === 0) return undefined;
      const record = await readRecord();
      return record && record.older.length > 0 ? record.since : undefined;
    },
    forgetOlderSecrets: () =>
      updateRecord((record) => (record?.check === currentDigest ? { ...record, older: [] } : record)),
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Seals everything with the current secret, so that the one that it replaced can be dropped. This waits for a day: until then,
 * stored results and signed values of the old secret are in use, and other processes may still have the old one as the current
 * one. It may be stopped at any time.
 */
export async function resealStorage(
  { storage, getSecretReplacedAt, forgetOlderSecrets }: CheckedStorage,
  store: Store,
  secrets: Secrets,
  rekeys: readonly ((store: Store, partition: string, secrets: Secrets) => Promise<void>)[],
): Promise<void> {
  const replacedAt = await getSecretReplacedAt();
  if (replacedAt === undefined || store.now().getTime() - replacedAt < DAY_MS) return;
  for await (const partition of storage.partitions()) {
    await resealPartition(storage, partition, secrets);
    for (const rekey of rekeys) await rekey(store, partition, secrets);
  }
  await forgetOlderSecrets();
}
