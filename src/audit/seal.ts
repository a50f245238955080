// Seals the rows of an audit log into its chain, and forgets what was kept long enough. `maintain()` does it, so no write
// waits for it. The last segment is filled up before a new one begins.

import { byteLength } from "../storage/limits";
import type { Secrets } from "../storage/secrets";
import type { Json } from "../storage/storage";
import type { Store } from "../storage/store";
import type { Reader, Transaction } from "../storage/transaction";
import {
  type Head,
  hashAfterAll,
  headKey,
  headOf,
  type Point,
  type Segment,
  segmentAt,
  segmentKey,
  signed,
  summaryAt,
  summaryKey,
  summaryOf,
} from "./chain";
import { changedRow, lineOf, partsOf } from "./event";
import { hasLog, MAC_BYTES, SETTLED_MS, type Waiting, waiting, waitingOf } from "./log";

/** The most events of a segment, and the most bytes of their rows. */
const MOST_EVENTS = 256;
const MOST_BYTES = 48 * 1024;
/** Fewer rows than a segment has wait so long, because sealing writes the last segment again. */
const PATIENCE_MS = 60 * 60 * 1000;
/** Segments that one `maintain()` seals, and forgets, in one partition. */
const MOST_AT_ONCE = 200;

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Keeping {
  readonly secrets: Secrets;
  readonly keepDays: number;
  /** Hears of rows that are not as they were written. They are sealed as they are, and marked. */
  readonly onError: (error: unknown) => void;
}

/** Brings the log of a partition into order, a bounded piece of it. */
export async function tendAudit(store: Store, partition: string, keeping: Keeping): Promise<void> {
  if (!hasLog(partition)) return;
  for (let i = 0; i < MOST_AT_ONCE && (await mayBeSealed(store, partition)); i++) await seal(store, partition, keeping);
  await forget(store, partition, keeping);
}

/** Seals every row, and signs the chain with the current secret. */
export async function resign(store: Store, partition: string, secrets: Secrets): Promise<void> {
  if (!hasLog(partition)) return;
  const keeping = { secrets, keepDays: Number.POSITIVE_INFINITY, onError() {} };
  while (await seal(store, partition, keeping, 0));
  await store.write(partition, async (tx) => {
    const head = await headOf(tx);
    if (head.mac === "") return;
    const again = signed(secrets, partition, head);
    if (again.mac !== head.mac) tx.put(headKey, again);
  });
}

/** Whether there is a full segment of rows, or one row has waited long enough. */
async function mayBeSealed(store: Store, partition: string): Promise<boolean> {
  const now = store.now().getTime();
  const view = await store.read(partition);
  const [oldest] = await view.list({ under: waiting, limit: 1 });
  if (!oldest) return false;
  if (waitingOf(partition, oldest).time <= now - PATIENCE_MS) return true;
  const rows = await view.list({ under: waiting, limit: MOST_EVENTS });
  return rows.length === MOST_EVENTS && waitingOf(partition, rows.at(-1)!).time <= now - SETTLED_MS;
}

/** Seals as many rows as the last segment has room for, or a new one. True: it sealed some. */
async function seal(
  store: Store,
  partition: string,
  { secrets, onError }: Keeping,
  settled = SETTLED_MS,
): Promise<boolean> {
  const before = store.now().getTime() - settled;
  return store.write(partition, async (tx) => {
    const head = await headOf(tx);
    const rows = (await tx.list({ under: waiting, limit: MOST_EVENTS }))
      .map((entry) => waitingOf(partition, entry))
      .filter(({ time }) => time <= before);
    if (rows.length === 0) return false;
    const open = await openSegment(tx, head, rows[0]!);
    const taken = fitting(open.segment, rows);
    const wrong = taken.filter((row) => !isGenuine(secrets, row));
    if (wrong.length > 0)
      tx.afterCommit(async () =>
        onError(new Error(`The audit log of ${partition} has events that were changed: ${wrong.map(({ id }) => id)}.`)),
      );
    const sealed = taken.map((row) => (wrong.includes(row) ? changedLine(row.line) : row.line));
    append(tx, { secrets, partition, head, n: open.n, segment: open.segment, sealed });
    for (const { key } of taken) tx.delete(key);
    return true;
  });
}

/** The segment that is filled next: the last one while it has room for the next row, else a new one. */
async function openSegment(
  tx: Reader,
  { start, end }: Head,
  next: Waiting,
): Promise<{ readonly n: number; readonly segment: Segment }> {
  const last = end.segment > start.segment ? await segmentAt(tx, end.segment - 1) : undefined;
  if (last && fitting(last, [next]).length > 0) return { n: end.segment - 1, segment: last };
  return { n: end.segment, segment: { sequence: end.sequence, before: end.hash, lines: [] } };
}

/** Puts a segment with more rows, its summary, and the head that ends behind them. */
function append(
  tx: Transaction,
  {
    secrets,
    partition,
    head,
    n,
    segment,
    sealed,
  }: {
    readonly secrets: Secrets;
    readonly partition: string;
    readonly head: Head;
    readonly n: number;
    readonly segment: Segment;
    readonly sealed: readonly string[];
  },
): void {
  const longer: Segment = { ...segment, lines: [...segment.lines, ...sealed] };
  const end: Point = {
    segment: n + 1,
    sequence: head.end.sequence + sealed.length,
    hash: hashAfterAll(head.end.hash, sealed),
  };
  tx.put(segmentKey(n), longer as unknown as Json);
  tx.put(summaryKey(n), summaryOf(longer) as unknown as Json);
  tx.put(headKey, signed(secrets, partition, { start: head.start, end }));
}

/** The first of some rows that a segment has room for; at least one in an empty segment. */
function fitting({ lines }: Segment, more: readonly Waiting[]): readonly Waiting[] {
  let left = MOST_BYTES - bytesOf(lines);
  const fits = more.findIndex(({ line }, i) => {
    left -= bytesOf([line]);
    return lines.length + i >= MOST_EVENTS || (left < 0 && !(i === 0 && lines.length === 0));
  });
  return fits < 0 ? more : more.slice(0, fits);
}

function bytesOf(lines: readonly string[]): number {
  return byteLength(JSON.stringify(lines));
}

/** The line of a row that was found changed. */
function changedLine(line: string): string {
  const { id, time, row } = partsOf(line);
  return lineOf(id, time, changedRow(row));
}

/** Whether a row is as it was written, under any secret. */
export function isGenuine(secrets: Pick<Secrets, "isDigest">, { line, mac }: Waiting): boolean {
  return secrets.isDigest("audit", line, mac, MAC_BYTES);
}

/** Deletes segments whose events are all older than the log is kept, and moves the start of the chain behind them. */
async function forget(store: Store, partition: string, { secrets, keepDays }: Keeping): Promise<void> {
  const before = store.now().getTime() - keepDays * DAY_MS;
  const view = await store.read(partition);
  const { start, end } = await headOf(view);
  const first = start.segment < end.segment ? await summaryAt(view, start.segment) : undefined;
  if (!first || first.until >= before) return;
  await store.write(partition, async (tx) => {
    const head = await headOf(tx);
    let from = head.start;
    for (let i = 0; i < MOST_AT_ONCE && from.segment < head.end.segment; i++) {
      const summary = await summaryAt(tx, from.segment);
      if (!summary || summary.until >= before) break;
      const next = from.segment + 1;
      const hash = next === head.end.segment ? head.end.hash : (await summaryAt(tx, next))?.before;
      if (hash === undefined) break;
      tx.delete(segmentKey(from.segment));
      tx.delete(summaryKey(from.segment));
      from = { segment: next, sequence: summary.sequence + summary.count, hash };
    }
    if (from !== head.start) tx.put(headKey, signed(secrets, partition, { start: from, end: head.end }));
  });
}
