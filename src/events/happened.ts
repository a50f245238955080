// What happened in a partition since a position. The audit log is the source: every operation that writes has a row in it, in
// the commit of the operation. A row that is not sealed has the version of its commit, so none is missed, however slow a
// commit was. Rows that were sealed meanwhile are told by their times, and may be told twice.

import { type AuditEvent, eventOf } from "../audit/event";
import { SETTLED_MS, waiting, waitingOf } from "../audit/log";
import { sealedSince } from "../audit/read";
import { encodeKey } from "../storage/key";
import type { Entry, Version } from "../storage/storage";
import type { Reader } from "../storage/transaction";
import type { Position } from "./position";

/** A row of the log, and where a reader is who was told of it. */
export interface Logged {
  readonly event: AuditEvent;
  /** The version of its commit; undefined when it was sealed. */
  readonly version: Version | undefined;
  readonly position: Position;
}

/** The most events that are told at once. */
export const MOST_EVENTS = 300;
/** The longest break after which a stream goes on. */
const LONGEST_BREAK_MS = 60 * 60 * 1000;
const CHUNK = 500;

/** What was logged since a look at the partition, in the order of the commits; undefined when that is too much. */
export async function loggedSince(
  view: Reader,
  partition: string,
  since: Position,
): Promise<readonly Logged[] | undefined> {
  const rows = await rowsSince(view, since);
  if (rows === undefined) return undefined;
  let before = since;
  return rows.map((entry, i) => {
    const event = eventOf(waitingOf(partition, entry).line);
    // Who was told of a part of a commit begins with that commit again.
    const isLast = rows[i + 1]?.version !== entry.version;
    const position = isLast ? { version: entry.version, time: event.time } : before;
    before = position;
    return { event, version: entry.version, position };
  });
}

/** The same after a break, in which rows may have been sealed. */
export async function loggedAfterBreak(
  view: Reader,
  partition: string,
  since: Position,
  now: number,
): Promise<readonly Logged[] | undefined> {
  if (since.version > view.version || now - since.time > LONGEST_BREAK_MS) return undefined;
  const sealed = await sealedSince(view, since.time - SETTLED_MS, MOST_EVENTS + 1);
  const loose = await loggedSince(view, partition, since);
  if (!loose || sealed.length + loose.length > MOST_EVENTS) return undefined;
  return [...sealed.map((event) => ({ event, version: undefined, position: since })), ...loose];
}

async function rowsSince(view: Reader, { version, time }: Position): Promise<readonly Entry[] | undefined> {
  const found: Entry[] = [];
  let after = waiting + encodeKey(time - SETTLED_MS);
  for (;;) {
    const rows = await view.list({ under: waiting, after, limit: CHUNK });
    for (const row of rows) if (row.version > version) found.push(row);
    if (found.length > MOST_EVENTS) return undefined;
    if (rows.length < CHUNK) return found.toSorted((a, b) => a.version - b.version || (a.key < b.key ? -1 : 1));
    after = rows.at(-1)!.key;
  }
}
