// Checks that the secret is the one that the data was made with. With another one nothing would fail: sealed fields
// would be empty, and links and invites would lead nowhere. So the directory has a digest of the secret, the first use of
// the storage compares it, and with a wrong secret nothing is read or written.
//
// The digest is a MAC with a key for this purpose alone. A secret can be guessed from it no faster than from any sealed
// field. Secrets that were replaced are listed until nothing is sealed with them any more.

import { DocsError } from "../errors";
import { DIRECTORY } from "../storage/ids";
import { encodeKey } from "../storage/key";
import { type Secrets, toBase64url } from "../storage/secrets";
import type { Key, Snapshot, Storage } from "../storage/storage";
import { createReader, type Reader, type Transaction } from "../storage/transaction";
import { type Pause, TransactionRunner } from "../storage/transaction-runner";
import { omitUndefined } from "../utils/objects";

/** What the directory knows of the secret. */
type Stored = {
  /** The digest of the secret that makes what is new. */
  readonly check: string;
  /** Digests of the secrets before it that something may be sealed with. */
  readonly older: readonly string[];
  /** When it became the current one. */
  readonly since: number;
  /** The storage is being filled by a copy or from a backup, or that was stopped; this says of what. */
  readonly unfinished?: string;
};

/** A storage that is being filled has its mark here. What belongs here is written last, so that nobody serves it before. */
export const SECRET_KEY: Key = encodeKey("secret");

export interface CheckedStorage {
  /** The storage; its first use checks the secret. */
  readonly storage: Storage;
  /** Checks the secret, if that has not been done yet. Throws an Error that says what to do. */
  readonly ready: () => Promise<void>;
  /** When the current secret replaced one that something may be sealed with; undefined: there is no such one. */
  readonly replacedAt: () => Promise<number | undefined>;
  /** Notes that nothing is sealed any more with a secret before the current one. */
  readonly forgetOlder: () => Promise<void>;
}

/** The secret will not do; the message says why. */
class WrongSecret extends Error {
  constructor(why: keyof typeof sentences) {
    super(`createDocsApi: ${why === "unfinished" ? "" : "`secret` is refused. "}${sentences[why]}`);
  }
}
const sentences = {
  unfinished:
    "This storage is unfinished: a copy or a restore into it runs, or was stopped. Run that again to its end.",
  wrong: "This data was made with another one: give that one, or a list with it, [new, old].",
  missing: "This data was made with one, and none is given: give the same one.",
  older:
    "Something is still sealed with an older one: give the list [new, old] until `maintain()` has run a day after the change.",
};

export function checkedStorage(
  inner: Storage,
  secrets: Secrets,
  options: {
    /** Whether the host gave a secret. A random one is not stored, and opens no data that was made with a given one. */
    readonly isGiven: boolean;
    readonly now: () => Date;
    readonly pause: Pause;
    readonly onError: (error: unknown) => void;
  },
): CheckedStorage {
  const directory = () => inner.partition(DIRECTORY);
  const checks = secrets.digests("secret-check", "octavo").map(toBase64url);
  let isChecked = false;
  let refusal: WrongSecret | undefined;
  let isTold = false;
  let checking: Promise<void> | undefined;

  const storedIn = async (view: Reader) => (await view.get(SECRET_KEY)) as Stored | undefined;
  const write = (change: (stored: Stored | undefined) => Stored | undefined) =>
    new TransactionRunner(directory(), { pause: options.pause, clock: () => performance.now() }).run(
      async (tx: Transaction) => {
        const stored = await storedIn(tx);
        const next = change(stored);
        if (next && next !== stored) tx.put(SECRET_KEY, next);
      },
    );

  /** What should be stored: the same as now, when that is right. Throws when the secret will not do. */
  function compared(stored: Stored | undefined): Stored | undefined {
    if (stored?.unfinished !== undefined) throw new WrongSecret("unfinished");
    if (!options.isGiven && stored) throw new WrongSecret("missing");
    if (!options.isGiven) return undefined;
    const [check, ...others] = checks as [string, ...string[]];
    const since = options.now().getTime();
    if (!stored) return { check, older: others, since };
    if (!checks.includes(stored.check)) throw new WrongSecret("wrong");
    const older = [stored.check, ...stored.older].filter((it) => it !== check);
    if (!older.every((it) => checks.includes(it))) throw new WrongSecret("older");
    return stored.check === check ? stored : { check, older, since };
  }

  async function compare(seen: Snapshot | undefined): Promise<void> {
    const stored = await storedIn(createReader(seen ?? (await directory().snapshot())));
    if (compared(stored) !== stored) await write(compared);
    isChecked = true;
  }

  /** Once for all who come at the same time. When the storage fails, whoever comes next tries again. */
  async function check(seen?: Snapshot): Promise<void> {
    if (isChecked) return;
    if (refusal) throw refusal;
    checking ??= compare(seen)
      .catch((error: unknown) => {
        if (error instanceof WrongSecret) refusal = error;
        throw error;
      })
      .finally(() => {
        checking = undefined;
      });
    await checking;
  }

  /** Callers of the API are told that the operator has to do something. What that is, the host is told once. */
  const checkForCaller = (seen?: Snapshot) =>
    check(seen).catch((error: unknown) => {
      if (!(error instanceof WrongSecret)) throw error;
      if (!isTold) options.onError(error);
      isTold = true;
      throw new DocsError("wrong_secret", { cause: error });
    });

  return {
    storage: {
      partition(name) {
        const partition = inner.partition(name);
        if (isChecked) return partition;
        return {
          async snapshot() {
            const snapshot = await partition.snapshot();
            await checkForCaller(name === DIRECTORY ? snapshot : undefined);
            return snapshot;
          },
          async commit(batch) {
            await checkForCaller();
            return partition.commit(batch);
          },
        };
      },
      partitions: (after) => inner.partitions(after),
      blobs: inner.blobs,
      ...omitUndefined({ maintain: inner.maintain?.bind(inner), owner: inner.owner }),
      close: () => inner.close(),
    },
    ready: () =>
      check().catch((error: unknown) => {
        isTold = true;
        throw error;
      }),
    async replacedAt() {
      if (checks.length === 1) return undefined;
      const stored = await storedIn(createReader(await directory().snapshot()));
      return stored && stored.older.length > 0 ? stored.since : undefined;
    },
    forgetOlder: () => write((stored) => (stored?.check === checks[0] ? { ...stored!, older: [] } : stored)),
  };
}
