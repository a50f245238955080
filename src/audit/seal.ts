// Seals the rows of an audit log into its chain, and deletes events whose retention period has ended. `maintain()` runs this, so no
// write waits for it. The last segment is filled before a new one begins.

import { getByteLength } from "../storage/limits";
import type { Secrets } from "../storage/secrets";
import type { Json } from "../storage/storage";
import type { Store } from "../storage/store";
import {
  type ChainPosition,
  type ChainSegment,
  chainKeys,
  HEAD_KEY,
  hashLine,
  readHead,
  readSegment,
  readSummary,
  signHead,
  summarizeSegment,
} from "./chain";
import { formatAuditLine, formatAuditRow, parseAuditRow, splitAuditLine } from "./event";
import { hasAuditLog, MAC_BYTES, parseUnsealedRow, SETTLED_MS, UNSEALED_PREFIX, type UnsealedRow } from "./log";

/** The most events of a segment, and the most bytes of their rows. */
const MAX_SEGMENT_EVENTS = 256;
const MAX_SEGMENT_BYTES = 48 * 1024;
/** Fewer rows than a segment holds wait this long, because sealing them writes the last segment again. */
const MAX_UNSEALED_MS = 60 * 60 * 1000;
/** The most segments that one `maintain()` seals, and deletes, in one partition. */
const MAX_SEGMENTS_PER_RUN = 200;

const DAY_MS = 24 * 60 * 60 * 1000;

export interface SealOptions {
  readonly secrets: Secrets;
  readonly keepDays: number;
  /** Called about rows that are not as they were written. They are sealed as they are, and marked. */
  readonly onError: (error: unknown) => void;
}

/** Seals rows of a partition's log and deletes old events, a bounded number of them. */
export async function maintainAuditLog(store: Store, partition: string, options: SealOptions): Promise<void> {
  if (!hasAuditLog(partition)) return;
  const { secrets, keepDays } = options;

  // Rows are sealed if they fill a segment, or if one of them has waited long enough.
  for (let i = 0; i < MAX_SEGMENTS_PER_RUN; i++) {
    const now = store.now().getTime();
    const view = await store.read(partition);
    const [oldest] = await view.list({ under: UNSEALED_PREFIX, limit: 1 });
    if (!oldest) break;
    if (parseUnsealedRow(partition, oldest).time > now - MAX_UNSEALED_MS) {
      const rows = await view.list({ under: UNSEALED_PREFIX, limit: MAX_SEGMENT_EVENTS });
      if (rows.length < MAX_SEGMENT_EVENTS) break;
      if (parseUnsealedRow(partition, rows.at(-1)!).time > now - SETTLED_MS) break;
    }
    await sealRows(store, partition, options);
  }

  // Segments whose events are all older than the log is kept are deleted, and the start of the chain moves after them.
  const keptSince = store.now().getTime() - keepDays * DAY_MS;
  const view = await store.read(partition);
  const { start, end } = await readHead(view);
  const first = start.segment < end.segment ? await readSummary(view, start.segment) : undefined;
  if (!first || first.until >= keptSince) return;
  await store.write(partition, async (tx) => {
    const head = await readHead(tx);
    let from = head.start;
    for (let i = 0; i < MAX_SEGMENTS_PER_RUN && from.segment < head.end.segment; i++) {
      const summary = await readSummary(tx, from.segment);
      if (!summary || summary.until >= keptSince) break;
      const next = from.segment + 1;
      const hash = next === head.end.segment ? head.end.hash : (await readSummary(tx, next))?.before;
      if (hash === undefined) break;
      tx.delete(chainKeys.segment(from.segment));
      tx.delete(chainKeys.summary(from.segment));
      from = { segment: next, sequence: summary.sequence + summary.count, hash };
    }
    if (from !== head.start) tx.put(HEAD_KEY, signHead(secrets, partition, { start: from, end: head.end }));
  });
}

/** Seals all rows, and signs the chain with the current secret. */
export async function resealAuditLog(store: Store, partition: string, secrets: Secrets): Promise<void> {
  if (!hasAuditLog(partition)) return;
  const options = { secrets, keepDays: Number.POSITIVE_INFINITY, onError() {} };
  while (await sealRows(store, partition, options, 0));
  await store.write(partition, async (tx) => {
    const head = await readHead(tx);
    if (head.mac === "") return;
    const signedHead = signHead(secrets, partition, head);
    if (signedHead.mac !== head.mac) tx.put(HEAD_KEY, signedHead);
  });
}

/** Seals as many rows as the last segment has room for, or a new one. Returns true if it sealed any. */
async function sealRows(
  store: Store,
  partition: string,
  { secrets, onError }: SealOptions,
  settledMs = SETTLED_MS,
): Promise<boolean> {
  const latestTime = store.now().getTime() - settledMs;
  return store.write(partition, async (tx) => {
    const head = await readHead(tx);
    const rows: UnsealedRow[] = [];
    for (const entry of await tx.list({ under: UNSEALED_PREFIX, limit: MAX_SEGMENT_EVENTS })) {
      const row = parseUnsealedRow(partition, entry);
      if (row.time <= latestTime) rows.push(row);
    }
    if (rows.length === 0) return false;

    // The last segment is filled while it has room for the next row.
    const lastNumber = head.end.segment - 1;
    const last = lastNumber >= head.start.segment ? await readSegment(tx, lastNumber) : undefined;
    const isFilling = last !== undefined && takeFittingRows(last, [rows[0]!]).length > 0;
    const number = isFilling ? lastNumber : head.end.segment;
    const segment: ChainSegment = isFilling ? last : { sequence: head.end.sequence, before: head.end.hash, lines: [] };
    const sealedRows = takeFittingRows(segment, rows);
    // A row that is not as it was written, under any secret, is marked: every later check reports it.
    const changedIds: string[] = [];
    const lines = sealedRows.map((row) => {
      if (secrets.isDigest("audit", row.line, row.mac, MAC_BYTES)) return row.line;
      changedIds.push(row.id);
      const { id, time, row: auditRow } = splitAuditLine(row.line);
      return formatAuditLine(id, time, formatAuditRow({ ...parseAuditRow(auditRow), isChanged: true }));
    });
    if (changedIds.length > 0)
      tx.afterCommit(async () =>
        onError(new Error(`The audit log of ${partition} has events that were changed: ${changedIds}.`)),
      );

    const filledSegment: ChainSegment = { ...segment, lines: [...segment.lines, ...lines] };
    let { hash } = head.end;
    for (const line of lines) hash = hashLine(hash, line);
    const end: ChainPosition = { segment: number + 1, sequence: head.end.sequence + lines.length, hash };
    tx.put(chainKeys.segment(number), filledSegment as unknown as Json);
    tx.put(chainKeys.summary(number), summarizeSegment(filledSegment) as unknown as Json);
    tx.put(HEAD_KEY, signHead(secrets, partition, { start: head.start, end }));
    for (const { key } of sealedRows) tx.delete(key);
    return true;
  });
}

/** Returns the first of some rows that a segment has room for; at least one if the segment is empty. */
function takeFittingRows({ lines }: ChainSegment, rows: readonly UnsealedRow[]): readonly UnsealedRow[] {
  let bytesLeft = MAX_SEGMENT_BYTES - getByteLength(JSON.stringify(lines));
  const end = rows.findIndex(({ line }, i) => {
    bytesLeft -= getByteLength(JSON.stringify([line]));
    return lines.length + i >= MAX_SEGMENT_EVENTS || (bytesLeft < 0 && !(i === 0 && lines.length === 0));
  });
  return end < 0 ? rows : rows.slice(0, end);
}
