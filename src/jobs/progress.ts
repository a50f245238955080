// How far long work is: one row for each thing that is worked on, put in the commits that the work makes anyway. The row of
// work that has ended stays for an hour, so that who listens again hears of the end.

import { decodeKey, encodeKey } from "../storage/key";
import { isFull } from "../storage/room";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import { omitUndefined } from "../utils/objects";

/** What is done of what there is to do. Without `total` nobody knows yet how much there is. */
export type Progress = {
  readonly done: number;
  readonly total?: number;
  /** What is being done, in a word or two. */
  readonly step: string;
};

/** The kinds of work that tell how far they are. */
export type LongWork = "git" | "translation" | "openapi-spec" | "import" | "job";

/** How far the work on one thing is. */
export type ProgressRow = Progress & {
  readonly work: LongWork;
  /** The thing, as the paths of the API name it: `{ spaceId }`. */
  readonly params: { readonly [name: string]: string };
  readonly status: "running" | "completed" | "failed";
  /** When this was put, in milliseconds. */
  readonly at: number;
  /** The revision that came of it. */
  readonly revision?: string;
  /** The space that shows the revision, where `params` does not name it. */
  readonly space?: string;
};

/** How long the row of ended work stays. */
const KEPT_MS = 60 * 60 * 1000;
/** The most rows that are looked at together. */
export const MOST_ROWS = 1000;

export const progressRows = encodeKey("progress");
const rowKey = (work: LongWork, thing: string) => encodeKey("progress", work, thing);

/** Says how far work is that goes on. It reads nothing, so it never makes a commit wait for another one. */
export function report(tx: Transaction, thing: string, row: Omit<ProgressRow, "status">): void {
  tx.put(rowKey(row.work, thing), { ...row, status: "running" });
}

/** Says how work ended, if it told how far it was. */
export async function endReport(
  tx: Transaction,
  work: LongWork,
  thing: string,
  end: Pick<ProgressRow, "status" | "at" | "revision" | "space">,
): Promise<void> {
  const row = (await tx.get(rowKey(work, thing))) as ProgressRow | undefined;
  if (row?.status !== "running") return;
  const { total = row.done } = row;
  tx.put(rowKey(work, thing), { ...row, ...end, ...(end.status === "completed" ? { done: total, total } : {}) });
}

/** Forgets how far work on a thing is that is gone. */
export function dropProgress(tx: Transaction, work: LongWork, thing: string): void {
  tx.delete(rowKey(work, thing));
}

/** How far the work on some things is, in their order; undefined where nothing is under way. */
export async function progressOf(
  view: Reader,
  work: LongWork,
  things: readonly string[],
): Promise<readonly (Progress | undefined)[]> {
  const rows = await view.getMany(things.map((thing) => rowKey(work, thing)));
  return rows.map((row) => shown(row as ProgressRow | undefined));
}

/** A row as part of an answer. */
export function shown(row: ProgressRow | undefined): Progress | undefined {
  if (row?.status !== "running") return undefined;
  const { done, total, step } = row;
  return { done, ...omitUndefined({ total }), step };
}

/** Every row of a partition with the version of its commit, and its name. */
export async function allProgress(
  view: Reader,
): Promise<{ readonly row: ProgressRow; readonly version: number; readonly name: string }[]> {
  const entries = await view.list({ under: progressRows, limit: MOST_ROWS });
  return entries.map(({ key: at, value, version }) => ({
    row: value as ProgressRow,
    version,
    name: decodeKey(at).slice(1).join(" "),
  }));
}

/** How long a row says that work goes on which nobody has been at since. An import ends with its request. */
const abandonedAfter = (work: LongWork) => (work === "import" ? KEPT_MS / 4 : 24 * KEPT_MS);

/** Deletes the rows of work that ended an hour ago, and of work that nobody is at any more. */
export async function forgetProgress(store: Store, partition: string): Promise<number> {
  const now = store.now().getTime();
  const isOld = ({ work, status, at }: ProgressRow) =>
    now - at > (status === "running" ? abandonedAfter(work) : KEPT_MS);
  const view = await store.read(partition);
  const old = (await view.list({ under: progressRows, limit: MOST_ROWS })).filter(({ value }) =>
    isOld(value as ProgressRow),
  );
  if (old.length === 0) return 0;
  return store.write(partition, async (tx) => {
    let gone = 0;
    for (const { key: at } of old) {
      const row = (await tx.get(at)) as ProgressRow | undefined;
      if (isFull(tx)) break;
      if (!row || !isOld(row)) continue;
      tx.delete(at);
      gone++;
    }
    return gone;
  });
}
