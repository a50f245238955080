// Reads the events of a partition since a position. The audit log is the source: every operation that writes has a row in it, in the
// commit of the operation. A row that is not sealed has the version of its commit, so none is missed, however slow a commit was. Rows
// that were sealed in the meantime are found by their times, and may be returned twice.

import { type AuditEvent, parseAuditLine } from "../audit/event";
import { parseUnsealedRow, SETTLED_MS, UNSEALED_PREFIX } from "../audit/log";
import { readRecentSealedEvents } from "../audit/read";
import { encodeKey } from "../storage/key";
import type { Entry, Version } from "../storage/storage";
import type { Reader } from "../storage/transaction";
import type { StreamPosition } from "./stream-position";

/** An event of the log, and the position of a reader who has got it. */
export interface LoggedEvent {
  readonly event: AuditEvent;
  /** The version of its commit; undefined if it was sealed. */
  readonly version: Version | undefined;
  readonly position: StreamPosition;
}

/** The most events that are returned at once. */
const MAX_EVENTS = 300;
/** The longest break after which a stream continues. */
const MAX_BREAK_MS = 60 * 60 * 1000;
const BATCH_ROWS = 500;

/** Returns the events that were logged since a position, in the order of the commits; undefined if there are too many. */
export async function readEventsSince(
  view: Reader,
  partition: string,
  since: StreamPosition,
): Promise<readonly LoggedEvent[] | undefined> {
  const rows: Entry[] = [];
  let after = UNSEALED_PREFIX + encodeKey(since.time - SETTLED_MS);
  for (;;) {
    const batch = await view.list({ under: UNSEALED_PREFIX, after, limit: BATCH_ROWS });
    for (const row of batch) if (row.version > since.version) rows.push(row);
    if (rows.length > MAX_EVENTS) return undefined;
    if (batch.length < BATCH_ROWS) break;
    after = batch.at(-1)!.key;
  }
  rows.sort((a, b) => a.version - b.version || (a.key < b.key ? -1 : 1));

  let lastPosition = since;
  return rows.map((row, i) => {
    const { version } = row;
    const event = parseAuditLine(parseUnsealedRow(partition, row).line);
    // A reader who has got only a part of a commit begins with that commit again.
    const isLastOfCommit = rows[i + 1]?.version !== version;
    if (isLastOfCommit) lastPosition = { version, time: event.time };
    return { event, version, position: lastPosition };
  });
}

/** Returns the events that were logged since a position, after a break in which rows may have been sealed. */
export async function readEventsAfterBreak(
  view: Reader,
  partition: string,
  since: StreamPosition,
  now: number,
): Promise<readonly LoggedEvent[] | undefined> {
  if (since.version > view.version || now - since.time > MAX_BREAK_MS) return undefined;
  const sealed = await readRecentSealedEvents(view, since.time - SETTLED_MS, MAX_EVENTS + 1);
  const unsealed = await readEventsSince(view, partition, since);
  if (!unsealed || sealed.length + unsealed.length > MAX_EVENTS) return undefined;
  return [...sealed.map((event) => ({ event, version: undefined, position: since })), ...unsealed];
}
