// The progress of long work: one record for each thing that is worked on, written in the commits that the work makes anyway. The
// record of work that has ended stays for an hour, so that a listener who reconnects still learns of the end.

import { decodeKey, encodeKey } from "../storage/key";
import type { Key } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import { isFull } from "../storage/transaction-budget";
import { omitUndefined } from "../utils/objects";

/** The part of the work that is done. */
export type Progress = {
  readonly done: number;
  /** Absent while nobody knows how much there is to do. */
  readonly total?: number;
  /** The present step, in a word or two. */
  readonly step: string;
};

/** The kinds of work that report progress. */
export type LongWork = "git" | "translation" | "openapi-spec" | "import" | "job";

/** The progress of the work on one thing, as it is stored. */
export type ProgressRecord = Progress & {
  readonly work: LongWork;
  /** The thing, as the paths of the API name it: `{ spaceId }`. */
  readonly params: { readonly [name: string]: string };
  readonly status: "running" | "completed" | "failed";
  /** The time at which this was written, in milliseconds. */
  readonly at: number;
  /** The revision that the work created. */
  readonly revision?: string;
  /** The space that shows the revision, if `params` does not name it. */
  readonly space?: string;
};

/** The records of ended work stay for this time. */
const RETENTION_MS = 60 * 60 * 1000;
/** The most records of a partition that are read. */
const MAX_PROGRESS_RECORDS = 1000;

const PROGRESS_PREFIX = encodeKey("progress");

/** Writes the progress of work that goes on. It reads nothing, so it never makes a commit wait for another one. */
export function reportProgress(tx: Transaction, thing: string, progress: Omit<ProgressRecord, "status">): void {
  tx.put(getProgressKey(progress.work, thing), { ...progress, status: "running" });
}

/** Writes the result of work, if it reported progress. */
export async function endProgress(
  tx: Transaction,
  work: LongWork,
  thing: string,
  end: Pick<ProgressRecord, "status" | "at" | "revision" | "space">,
): Promise<void> {
  const key = getProgressKey(work, thing);
  const record = (await tx.get(key)) as ProgressRecord | undefined;
  if (record?.status !== "running") return;
  const { total = record.done } = record;
  const totals = end.status === "completed" ? { done: total, total } : {};
  tx.put(key, { ...record, ...end, ...totals });
}

/** Returns the progress of the work on some things, in their order; undefined for things without running work. */
export async function getProgress(
  view: Reader,
  work: LongWork,
  things: readonly string[],
): Promise<readonly (Progress | undefined)[]> {
  const records = await view.getMany(things.map((thing) => getProgressKey(work, thing)));
  return (records as readonly (ProgressRecord | undefined)[]).map((record) => {
    if (record?.status !== "running") return undefined;
    const { done, total, step } = record;
    return { done, ...omitUndefined({ total }), step };
  });
}

/** Lists the progress records of a partition, with the versions of their commits and their names. */
export async function listProgress(
  view: Reader,
): Promise<{ readonly record: ProgressRecord; readonly version: number; readonly name: string }[]> {
  const entries = await view.list({ under: PROGRESS_PREFIX, limit: MAX_PROGRESS_RECORDS });
  return entries.map(({ key, value, version }) => ({
    record: value as ProgressRecord,
    version,
    name: decodeKey(key).slice(1).join(" "),
  }));
}

/** Deletes the records of work that ended an hour ago, and of work that was abandoned. Returns how many. */
export async function deleteOldProgress(store: Store, partition: string): Promise<number> {
  const now = store.now().getTime();
  const isOld = ({ work, status, at }: ProgressRecord) => {
    if (status !== "running") return now - at > RETENTION_MS;
    // An import ends with its request. Other work may be retried for long.
    return now - at > (work === "import" ? RETENTION_MS / 4 : 24 * RETENTION_MS);
  };

  const view = await store.read(partition);
  const entries = await view.list({ under: PROGRESS_PREFIX, limit: MAX_PROGRESS_RECORDS });
  const oldEntries = entries.filter(({ value }) => isOld(value as ProgressRecord));
  if (oldEntries.length === 0) return 0;
  return store.write(partition, async (tx) => {
    let deleted = 0;
    for (const { key } of oldEntries) {
      const record = (await tx.get(key)) as ProgressRecord | undefined;
      if (isFull(tx)) break;
      if (!record || !isOld(record)) continue;
      tx.delete(key);
      deleted++;
    }
    return deleted;
  });
}

/** Returns the key of the progress of work on a thing. It is deleted with the thing. */
export function getProgressKey(work: LongWork, thing: string): Key {
  return encodeKey("progress", work, thing);
}
